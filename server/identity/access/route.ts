import { createRoute, type RouteConfig } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { Refusal } from '#contract/errors.ts'
import { fingerprintOf } from '#server/identity/access/fingerprint.ts'
import { countOperation } from '#server/identity/access/operations.ts'
import { requireStepUp, stepUpParameter } from '#server/identity/access/step-up.ts'
import { knownCustomerIn, sessionIn, visitorIn } from '#server/identity/access/session.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { wholeAmounts } from '#server/platform/http/amounts.ts'
import { admitAs, type RequestClass } from '#server/platform/http/admission.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { isSafe } from '#server/platform/http/origin.ts'
import { keyParameter } from '#server/platform/http/openapi.ts'
import { readKey } from '#server/platform/http/request-key.ts'
import { openRouter } from '#server/platform/http/router.ts'

/** What has to hold before a handler runs. What is left out is the strictest. */
export type Needs = {
  /** Who may ask: a customer who is signed in, a reviewer, or anybody, signed in or not. */
  caller?: 'customer' | 'reviewer' | 'anybody'
  /** Whether a POST needs an Idempotency-Key; `none` where it creates nothing that a second one would create again. */
  key?: 'required' | 'none'
  /** A request that moves money: its key is the ledger operation's id, and its amounts are spelled as whole numbers. */
  money?: true
  /**
   * Finds who is signed in, once the body is known to fit its schema, together with whatever else the route looks up;
   * null where the session has ended. `c.get('session')` is the one that the cookie speaks of.
   */
  findCustomer?: (c: Context<ApiEnv>) => Promise<FoundCustomer | null>
  /**
   * How much it matters once there is too much to do, where its method and caller do not tell: `slow` what takes long within
   * a share of its own (server/platform/shares.ts), `reads` a POST that mostly reads.
   */
  load?: 'slow' | 'reads'
  /** A GET that leaves something behind, if only a line in a log: it counts to the customer's limits as all others do. */
  leavesRows?: true
  /**
   * Only takes away what others may misuse, and does so once: no limit keeps somebody from it, least of all one that a thief
   * has used up.
   */
  protects?: true
  /** A fresh proof for exactly this request, where the customer is to be asked for one (docs/decisions/0010). */
  proof?: true
}

/** Who asks, and whether what is risky asks them for a proof. */
export type FoundCustomer = { customer: Customer; asksForProof: boolean }

type Described = Omit<RouteConfig, 'path'> & { path: string }

const isCounted = (method: string, needs: Needs) =>
  needs.caller !== 'anybody' && !needs.protects && (method.toLowerCase() !== 'get' || needs.leavesRows === true)

const needsKey = (method: string, needs: Needs) => method === 'post' && needs.key !== 'none'

/** Who changes something matters more than who reads, once there is too much to do. */
function classOf(method: string, { caller, load }: Needs): RequestClass {
  if (load) return load
  if (isSafe(method.toUpperCase())) return 'reads'
  return caller === 'anybody' ? 'entries' : 'payments'
}

/** A route of the API with what it needs. `router()` takes no others. */
export function defineRoute<const Path extends string, Route extends Described & { path: Path }>(
  described: Route & { needs?: Needs },
): ReturnType<typeof createRoute<Path, Route>> {
  const { needs = {}, ...route } = described
  const parameters = [
    ...(needsKey(route.method, needs) ? [keyParameter] : []),
    ...(needs.proof ? [stepUpParameter] : []),
    ...((route as { parameters?: unknown[] }).parameters ?? []),
  ]
  const defined = createRoute({
    ...route,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(needs.caller === 'anybody' ? { security: [] } : {}),
    middleware: [
      admitAs(classOf(route.method, needs), knownCustomerIn),
      letIn(needs),
      ...(needs.money ? [wholeAmounts] : []),
      ...[route.middleware ?? []].flat(),
    ],
    'x-needs': needs,
  } as never)
  return defined
}

/** Lets in who may ask. Throws Refusal `sign_in_required`, or `not_found` where only reviewers find something. */
function letIn({ caller = 'customer', findCustomer, load }: Needs): MiddlewareHandler<ApiEnv> {
  if (findCustomer) return letInLater
  return async (c, next) => {
    if (caller === 'anybody') return next()
    const visitor = await visitorIn(c)
    if (!visitor) throw new Refusal('sign_in_required')
    if (caller === 'reviewer' && visitor.customer.role !== 'reviewer') throw new Refusal('not_found')
    c.set('customer', visitor.customer)
    c.set('session', visitor.session)
    // What has no turn yet waits behind their own; whoever has one keeps others waiting (admission.ts).
    return load === 'slow' ? c.get('deps').shares.requests(visitor.customer.id, () => next()) : next()
  }
}

/** Lets a request in whose customer the route finds by itself; whoever is not signed in is told so, whatever else is wrong. */
const letInLater: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const session = sessionIn(c)
  if (!session) throw new Refusal('sign_in_required')
  c.set('session', session)
  await next()
  const customer = c.get('customer') as Customer | undefined
  if (c.error && !customer && !(await visitorIn(c))) throw new Refusal('sign_in_required')
}

/** Finds who asks where the route does so by itself. Throws Refusal `sign_in_required`. */
async function findCaller(c: Context<ApiEnv>, { findCustomer }: Needs): Promise<FoundCustomer | undefined> {
  const found = await findCustomer?.(c)
  if (found === null) throw new Refusal('sign_in_required')
  if (found) c.set('customer', found.customer)
  return found
}

/** What can only be looked at once the body is known to fit its schema. */
async function check(c: Context<ApiEnv>, needs: Needs, found: FoundCustomer | undefined): Promise<void> {
  if (needsKey(c.req.method.toLowerCase(), needs)) {
    const operationId = readKey(c.req.header('idempotency-key'))
    const customer = c.get('customer') as Customer | undefined
    c.set('key', { operationId, fingerprint: fingerprintOf(c), ...(customer ? { customerId: customer.id } : {}) })
  }
  // Before the proof, which asking for leaves rows, and which one too many is not to use up.
  if (isCounted(c.req.method, needs)) await countOperation(c)
  if (needs.proof) await requireStepUp(c, needs.money ? c.get('key') : undefined, found?.asksForProof)
}

type Handler = (c: Context<ApiEnv>) => unknown

type RouterOptions = {
  /** What these routes change stands on other screens of the customer, which are told once it is done. */
  live?: boolean
}

/** A slice's routes begin here. Throws at the start for a route that does not say what it needs. */
export function router({ live = false }: RouterOptions = {}) {
  const app = openRouter()
  const { openapi } = app
  const guarded = (route: RouteConfig & { 'x-needs'?: Needs }, handler: Handler, hook: never) => {
    const needs = route['x-needs']
    if (!needs) throw new Error(`${route.method} ${route.path} is not made by defineRoute`)
    const handle = async (c: Context<ApiEnv>) => {
      const found = await findCaller(c, needs)
      await check(c, needs, found)
      const response = await handler(c)
      if (live && route.method !== 'get') c.get('deps').events.notifySoon([c.get('customer').id], 'change')
      return response
    }
    return openapi(route, handle as never, hook)
  }
  app.openapi = guarded as unknown as typeof openapi
  return app
}
