import { createRoute, type OpenAPIHono, type RouteConfig, type z } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler, ToSchema, TypedResponse } from 'hono'
import type { JSONParsed } from 'hono/utils/types'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { admitAs, type RequestClass } from '#server/bank/admission.ts'
import { fingerprintOf } from '#server/identity/access/fingerprint.ts'
import { countOperation } from '#server/identity/access/operations.ts'
import { requireStepUp, stepUpParameter } from '#server/identity/access/step-up.ts'
import { knownCustomerIn, sessionIn, visitorIn } from '#server/identity/access/session.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Deps } from '#server/platform/deps.ts'
import { wholeAmounts } from '#server/platform/http/amounts.ts'
import { type BodyLimit, limitBody } from '#server/platform/http/body.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { isSafe } from '#server/platform/http/origin.ts'
import { keyParameter } from '#server/platform/http/openapi.ts'
import { answers, done, json } from '#server/platform/http/described.ts'
import { idParam, readId } from '#server/platform/http/id-param.ts'
import { readKey, type RequestKey } from '#server/platform/http/request-key.ts'
import { openRouter } from '#server/platform/http/router.ts'
import { REQUESTS_WAIT_MS } from '#server/platform/jobs/date-gate.ts'

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
   * a share of its own (server/bank/shares.ts), `reads` a POST that mostly reads.
   */
  load?: 'slow' | 'reads'
  /** A GET that leaves something behind, if only a line in a log: it counts to the customer's limits as all others do. */
  leavesRows?: true
  /**
   * Only takes away what others may misuse, and does so once: no limit keeps somebody from it, least of all one that a thief
   * has used up.
   */
  protects?: true
  /** Is done on whichever day, also while the date moves day by day: it takes no date from the clock, or is what moves it. */
  anyDate?: true
  /** A fresh proof for exactly this request, where the customer is to be asked for one (docs/decisions/0010). */
  proof?: true
}

/** Who asks, and whether what is risky asks them for a proof. */
export type FoundCustomer = { customer: Customer; asksForProof: boolean }

const isCounted = (method: string, needs: Needs) =>
  needs.caller !== 'anybody' && !needs.protects && (method.toLowerCase() !== 'get' || needs.leavesRows === true)

const needsKey = (method: string, needs: Needs) => method === 'post' && needs.key !== 'none'

/**
 * Whether a request records something as of the business date, and so has to wait while that moves. Signing in and reading
 * do not wait.
 */
const isDated = (method: string, needs: Needs) =>
  !isSafe(method.toUpperCase()) &&
  !needs.anyDate &&
  needs.load !== 'reads' &&
  (needs.caller !== 'anybody' || needsKey(method, needs))

/** Who changes something matters more than who reads, once there is too much to do. */
function classOf(method: string, { caller, load }: Needs): RequestClass {
  if (load) return load
  if (isSafe(method.toUpperCase())) return 'reads'
  return caller === 'anybody' ? 'entries' : 'payments'
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

/** What a route is, and what it needs. Its path has parameters in braces: '/goals/{id}'. */
export type RouteSpec = Needs & {
  summary: string
  description?: string
  /** Another tag of the API document than that of the other routes. */
  tag?: string
  /** The parameters of the path, where there are others than an id. */
  params?: z.ZodType
  query?: z.ZodType
  /** JSON; required, unless told. */
  body?: z.ZodType
  isBodyOptional?: true
  /** The largest body that it takes, where that is not the usual 64 KiB. */
  bodyLimit?: BodyLimit
  /** A body of another kind, as OpenAPI describes it. */
  rawBody?: NonNullable<RouteConfig['request']>['body']
  /** The JSON of the 200 that it answers, and what that is in words. Without, it answers 204. */
  response?: z.ZodType
  responseDescription?: string
  /** Responses of another kind, as OpenAPI describes them; the handler makes them itself. */
  responses?: RouteConfig['responses']
  /** What the handler refuses, beside what follows from the needs and the schemas. */
  refuses?: readonly ErrorCode[]
  /** Headers beside those of `needs`. */
  parameters?: RouteConfig['parameters']
  middleware?: MiddlewareHandler<ApiEnv> | readonly MiddlewareHandler<ApiEnv>[]
}

/** The names in braces. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** '/goals/{id}' as '/goals/:id', which Hono reads. */
type HonoPath<Path extends string> = Path extends `${infer Start}/{${infer Name}}${infer Rest}`
  ? `${Start}/:${Name}${HonoPath<Rest>}`
  : Path

type Parsed<Spec, Part extends keyof RouteSpec> = Spec extends { [P in Part]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined

/** What a request sends, as the web app's client types it. */
type Sent<Path extends string, Spec> = {
  in: ([NamesIn<Path>] extends [never] ? object : { param: { [Name in NamesIn<Path>]: string } }) &
    (Spec extends { query: infer Schema extends z.ZodType } ? { query: z.input<Schema> } : object) &
    (Spec extends { body: infer Schema extends z.ZodType } ? { json: z.input<Schema> } : object)
}

type Answered<Spec> = Spec extends { response: infer Schema extends z.ZodType }
  ? TypedResponse<JSONParsed<z.infer<Schema>>, 200, 'json'>
  : Spec extends { responses: object }
    ? TypedResponse<object, 200, string>
    : TypedResponse<object, 204, string>

type Result<Spec> = Spec extends { response: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : Spec extends { responses: object }
    ? Response
    : void

/** A request, as its handler sees it. */
export type Call<Path extends string = string, Spec = unknown> = {
  /** What Hono knows of it: for headers, cookies and streams. */
  http: Context<ApiEnv>
  deps: Deps
  customer: Customer
  /** What names the session in the database. */
  session: string
  /** Its Idempotency-Key. */
  key: RequestKey
  /** The `{id}` of the path, as PostgreSQL writes it. Throws Refusal `not_found` for a text that is no id. */
  id: 'id' extends NamesIn<Path> ? string : never
  params: Spec extends { params: infer Schema extends z.ZodType } ? z.output<Schema> : { [N in NamesIn<Path>]: string }
  query: Parsed<Spec, 'query'>
  body: Parsed<Spec, 'body'>
}

/** The parts of a request, each read when it is asked for: what is not read is not checked. */
class HandledCall implements Call<'{id}'> {
  readonly http: Context<ApiEnv>
  constructor(http: Context<ApiEnv>) {
    this.http = http
  }
  get deps() {
    return this.http.get('deps')
  }
  get customer() {
    return this.http.get('customer')
  }
  get session() {
    return this.http.get('session')
  }
  get key() {
    return this.http.get('key')
  }
  get id() {
    return readId(this.params.id)
  }
  get params() {
    return this.#valid('param') as { id: string }
  }
  get query() {
    return this.#valid('query') as undefined
  }
  get body() {
    return this.#valid('json') as undefined
  }
  #valid(target: 'param' | 'query' | 'json'): unknown {
    return this.http.req.valid(target as never)
  }
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type SchemaFor<M extends Method, Path extends string, Spec> = ToSchema<
  M,
  HonoPath<Path>,
  Sent<Path, Spec>,
  Answered<Spec>
>
type Add<M extends Method, Known> = <const Path extends string, const Spec extends RouteSpec>(
  path: Path,
  spec: Spec,
  handle: (call: Call<Path, Spec>) => Result<Spec> | Promise<Result<Spec>>,
) => Routes<Known & SchemaFor<M, Path, Spec>>

/**
 * Routes of a slice, each with its definition and its handler:
 *
 * @example
 * routes('Savings', { live: true })
 *   .get('/goals', { summary: 'Your savings goals', response: goalList }, (c) => listGoals(c.deps, c.customer.id))
 *   .post('/goals/{id}/unlock', { key: 'none', summary: 'Unlock a goal early' }, (c) => unlockGoal(c.deps, c.customer.id, c.id))
 */
export type Routes<Known = unknown> = { [M in Method]: Add<M, Known> } & {
  /** Adds those of another part. */
  mount<Others>(others: Routes<Others>): Routes<Known & Others>
  app: OpenAPIHono<ApiEnv>
}

/** What a schema of OpenAPI needs beside Zod's: everything that a route is described by. */
function configOf(method: Method, path: string, tag: string, spec: RouteSpec) {
  const { summary, description, params = path.includes('{id}') ? idParam : undefined, query, body, rawBody } = spec
  const { response, responseDescription = 'As of now', responses, parameters, middleware = [], tag: own = tag } = spec
  const sent = rawBody ?? (body && { ...json(body), required: spec.isBodyOptional !== true })
  const headers = [
    ...(needsKey(method, spec) ? [keyParameter] : []),
    ...(spec.proof ? [stepUpParameter] : []),
    ...((parameters as unknown[] | undefined) ?? []),
  ]
  return createRoute({
    method,
    path,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [own],
    ...(headers.length > 0 ? { parameters: headers } : {}),
    ...(spec.caller === 'anybody' ? { security: [] } : {}),
    request: { ...(params && { params }), ...(query && { query }), ...(sent && { body: sent }) },
    responses: responses ?? (response ? answers(responseDescription, response) : done),
    middleware: [
      limitBody(spec.bodyLimit),
      admitAs(classOf(method, spec), knownCustomerIn),
      letIn(spec),
      ...(spec.money ? [wholeAmounts] : []),
      ...[middleware].flat(),
    ],
    'x-needs': needsOf(spec),
    'x-refuses': refusedBy(method, path, spec),
  } as never) as RouteConfig
}

/** What the handler refuses, and what follows from the needs. */
function refusedBy(method: Method, path: string, spec: RouteSpec): ErrorCode[] {
  const { caller = 'customer', refuses = [], parameters = [] } = spec
  const asksForProof = spec.proof || (parameters as unknown[]).includes(stepUpParameter)
  const when = (holds: unknown, ...codes: ErrorCode[]) => (holds ? codes : [])
  return [
    ...refuses,
    ...when(caller !== 'anybody', 'sign_in_required'),
    ...when(caller === 'reviewer' || path.includes('{id}'), 'not_found'),
    ...when(method !== 'get', 'origin_refused'),
    ...when(needsKey(method, spec), 'idempotency_key_missing', 'idempotency_key_invalid'),
    ...when(needsKey(method, spec), 'idempotency_key_reserved', 'idempotency_key_reused'),
    ...when(asksForProof, 'step_up_required', 'proof_impossible'),
    ...when(spec.money, 'amount_invalid'),
    ...when(spec.body, 'media_type_unsupported'),
  ]
}

const NEEDS = ['caller', 'key', 'money', 'findCustomer', 'load', 'leavesRows', 'protects', 'anyDate', 'proof'] as const

const needsOf = (spec: RouteSpec): Needs =>
  Object.fromEntries(NEEDS.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]]])))

type RoutesOptions = {
  /** What these routes change stands on other screens of the customer, which are told once it is done. */
  live?: boolean
}

/** A slice's routes begin here. `tag`: the part of the API document that they stand in. */
export function routes(tag: string, { live = false }: RoutesOptions = {}): Routes {
  const app = openRouter()
  const add = (method: Method) => (path: string, spec: RouteSpec, handle: (call: never) => unknown) => {
    app.openapi(configOf(method, path, tag, spec), (async (c: Context<ApiEnv>) => {
      const found = await findCaller(c, spec)
      await check(c, spec, found)
      const handled = async () => handle(new HandledCall(c) as never)
      const { dates } = c.get('deps')
      const isHeld = isDated(method, spec)
      if (!isHeld) await dates.look()
      const result = await (isHeld ? dates.pass(handled, REQUESTS_WAIT_MS) : handled())
      if (live && method !== 'get') c.get('deps').events.notifySoon([c.get('customer').id], 'change')
      if (result instanceof Response) return result
      return spec.response ? c.json(result as object, 200) : c.body(null, 204)
    }) as never)
    return self
  }
  const mount = (others: Routes) => {
    app.route('/', others.app)
    return self
  }
  const self = {
    app,
    mount,
    ...(Object.fromEntries(METHODS.map((method) => [method, add(method)])) as Record<Method, never>),
  } as unknown as Routes
  return self
}

const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete']
