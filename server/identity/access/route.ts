import { createRoute, type OpenAPIHono, type RouteConfig, type z } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler, ToSchema, TypedResponse } from 'hono'
import type { JSONParsed } from 'hono/utils/types'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { admitAs, type RequestClass } from '#server/bank/admission.ts'
import { requestFingerprint } from '#server/identity/access/fingerprint.ts'
import { countOperation } from '#server/identity/access/operations.ts'
import { requireStepUp, stepUpParameter } from '#server/identity/access/step-up.ts'
import { findKnownCustomer, sessionIn, visitorIn } from '#server/identity/access/session.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Deps } from '#server/platform/deps.ts'
import { wholeAmounts } from '#server/platform/http/amounts.ts'
import { type BodyLimit, limitBody } from '#server/platform/http/body.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { isSafe } from '#server/platform/http/origin.ts'
import { keyParameter } from '#server/platform/http/openapi.ts'
import { okResponse, noContentResponse, jsonContent } from '#server/platform/http/route-bodies.ts'
import { idParam, readId } from '#server/platform/http/id-param.ts'
import { readKey, type RequestKey } from '#server/platform/http/request-key.ts'
import { openRouter } from '#server/platform/http/router.ts'
import { REQUESTS_WAIT_MS } from '#server/platform/jobs/date-gate.ts'

/**
 * The conditions that a request must meet before its handler runs. By default, a route admits only signed-in customers, and a
 * POST needs an Idempotency-Key.
 */
export type Needs = {
  /** The callers that the route admits: a signed-in customer, a reviewer, or anyone, signed in or not. */
  caller?: 'customer' | 'reviewer' | 'anybody'
  /** Whether a POST needs an Idempotency-Key. `none` is for a POST that is safe to repeat. */
  key?: 'required' | 'none'
  /** Whether the request moves money. If so, its key is the ledger operation's id, and its amounts are whole numbers. */
  money?: true
  /**
   * Finds the signed-in customer after the body is validated, in one query with other data that the route needs. Returns null
   * if the session has ended. `c.get('session')` is the session from the cookie.
   */
  findCustomer?: (c: Context<ApiEnv>) => Promise<FoundCustomer | null>
  /**
   * The load class of the request under overload. By default, the method and the caller determine it. `slow` is for long work,
   * which has concurrency limits of its own (server/bank/concurrency-limits.ts). `reads` is for a POST that mostly reads.
   */
  load?: 'slow' | 'reads'
  /**
   * Whether the route is a GET that writes rows, even a single log line. The customer's limits count such a GET like any other
   * write.
   */
  leavesRows?: true
  /**
   * Whether the request only revokes or blocks something, at most once. The limits on writes do not count such a request,
   * because a thief may have used them up.
   */
  protects?: true
  /**
   * Whether the request does not wait while the business date advances. Such a request does not depend on the date, or it
   * advances the date itself.
   */
  anyDate?: true
  /**
   * Whether the request needs a fresh proof of identity from customers who must give one (docs/decisions/0010). The proof is
   * valid for exactly this request.
   */
  proof?: true
}

/** The customer who sent the request, and whether they must give a proof of identity for sensitive requests. */
export type FoundCustomer = { customer: Customer; asksForProof: boolean }

const isCounted = (method: string, needs: Needs) =>
  needs.caller !== 'anybody' && !needs.protects && (method.toLowerCase() !== 'get' || needs.leavesRows === true)

const needsKey = (method: string, needs: Needs) => method === 'post' && needs.key !== 'none'

/**
 * Returns whether a request records something under the business date. Such a request waits while the date advances. Signing in
 * and reading do not wait.
 */
const isDated = (method: string, needs: Needs) =>
  !isSafe(method.toUpperCase()) &&
  !needs.anyDate &&
  needs.load !== 'reads' &&
  (needs.caller !== 'anybody' || needsKey(method, needs))

/** Returns the load class of a request. Under overload, changes take precedence over reads. */
function classOf(method: string, { caller, load }: Needs): RequestClass {
  if (load) return load
  if (isSafe(method.toUpperCase())) return 'reads'
  return caller === 'anybody' ? 'entries' : 'payments'
}

/**
 * Returns middleware that admits the route's callers. Throws Refusal `sign_in_required`. On a reviewer's route it throws
 * `not_found` for other customers.
 */
function letIn({ caller = 'customer', findCustomer, load }: Needs): MiddlewareHandler<ApiEnv> {
  if (findCustomer) return letInLater
  return async (c, next) => {
    if (caller === 'anybody') return next()
    const visitor = await visitorIn(c)
    if (!visitor) throw new Refusal('sign_in_required')
    if (caller === 'reviewer' && visitor.customer.role !== 'reviewer') throw new Refusal('not_found')
    c.set('customer', visitor.customer)
    c.set('session', visitor.session)
    // A slow request waits behind the same customer's other slow requests. Once it runs, it holds a slot that other customers
    // wait for (admission.ts).
    return load === 'slow' ? c.get('deps').concurrencyLimits.requests(visitor.customer.id, () => next()) : next()
  }
}

/**
 * Admits a request whose route finds the customer itself. A caller who is not signed in gets `sign_in_required` before any
 * other error.
 */
const letInLater: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const session = sessionIn(c)
  if (!session) throw new Refusal('sign_in_required')
  c.set('session', session)
  await next()
  const customer = c.get('customer') as Customer | undefined
  if (c.error && !customer && !(await visitorIn(c))) throw new Refusal('sign_in_required')
}

/** Runs the route's own `findCustomer`. Throws Refusal `sign_in_required`. */
async function findCaller(c: Context<ApiEnv>, { findCustomer }: Needs): Promise<FoundCustomer | undefined> {
  const customer = await findCustomer?.(c)
  if (customer === null) throw new Refusal('sign_in_required')
  if (customer) c.set('customer', customer.customer)
  return customer
}

/** Checks the conditions that need the validated body: the key, the limits and the proof. */
async function check(c: Context<ApiEnv>, needs: Needs, found: FoundCustomer | undefined): Promise<void> {
  if (needsKey(c.req.method.toLowerCase(), needs)) {
    const operationId = readKey(c.req.header('idempotency-key'))
    const customer = c.get('customer') as Customer | undefined
    c.set('key', { operationId, fingerprint: requestFingerprint(c), ...(customer ? { customerId: customer.id } : {}) })
  }
  // The count precedes the proof: a request for a proof writes rows, and a request above the limit must not use up a proof.
  if (isCounted(c.req.method, needs)) await countOperation(c)
  if (needs.proof) await requireStepUp(c, needs.money ? c.get('key') : undefined, found?.asksForProof)
}

/** A route's documentation, schemas and needs. Its path has parameters in braces: '/goals/{id}'. */
export type RouteSpec = Needs & {
  summary: string
  description?: string
  /** The route's tag in the API document, if it differs from the tag of the slice. */
  tag?: string
  /** The path's parameters, if they differ from a single `id`. */
  params?: z.ZodType
  query?: z.ZodType
  /** The schema of a JSON body. The body is required unless `isBodyOptional` is set. */
  body?: z.ZodType
  isBodyOptional?: true
  /** The largest body that the route accepts. The default is 64 KiB. */
  bodyLimit?: BodyLimit
  /** A body that is not JSON, as an OpenAPI object. */
  rawBody?: NonNullable<RouteConfig['request']>['body']
  /** The schema of the JSON in the 200 response. Without it, the route responds with 204. */
  response?: z.ZodType
  responseDescription?: string
  /** Responses that are not JSON, as OpenAPI objects. The handler creates them itself. */
  responses?: RouteConfig['responses']
  /** The handler's error codes, in addition to the codes that follow from the needs and the schemas. */
  refuses?: readonly ErrorCode[]
  /** Headers in addition to those for the key and the proof. */
  parameters?: RouteConfig['parameters']
  middleware?: MiddlewareHandler<ApiEnv> | readonly MiddlewareHandler<ApiEnv>[]
}

/** The parameter names in the braces of a path. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** A path in Hono's syntax: '/goals/{id}' becomes '/goals/:id'. */
type HonoPath<Path extends string> = Path extends `${infer Start}/{${infer Name}}${infer Rest}`
  ? `${Start}/:${Name}${HonoPath<Rest>}`
  : Path

type Parsed<Spec, Part extends keyof RouteSpec> = Spec extends { [P in Part]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined

/** The parts of a request, as types for the web app's client. */
type ParsedRequest<Path extends string, Spec> = {
  in: ([NamesIn<Path>] extends [never] ? object : { param: { [Name in NamesIn<Path>]: string } }) &
    (Spec extends { query: infer Schema extends z.ZodType } ? { query: z.input<Schema> } : object) &
    (Spec extends { body: infer Schema extends z.ZodType } ? { json: z.input<Schema> } : object)
}

type RouteResponse<Spec> = Spec extends { response: infer Schema extends z.ZodType }
  ? TypedResponse<JSONParsed<z.infer<Schema>>, 200, 'json'>
  : Spec extends { responses: object }
    ? TypedResponse<object, 200, string>
    : TypedResponse<object, 204, string>

type Result<Spec> = Spec extends { response: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : Spec extends { responses: object }
    ? Response
    : void

/** A request as its handler receives it. */
export type Call<Path extends string = string, Spec = unknown> = {
  /** Hono's context of the request, for headers, cookies and streams. */
  http: Context<ApiEnv>
  deps: Deps
  customer: Customer
  /** The session's id in the database. */
  session: string
  /** The request's Idempotency-Key. */
  key: RequestKey
  /** The path's `{id}` in PostgreSQL's spelling. Throws Refusal `not_found` if the text is not a UUID. */
  id: 'id' extends NamesIn<Path> ? string : never
  params: Spec extends { params: infer Schema extends z.ZodType } ? z.output<Schema> : { [N in NamesIn<Path>]: string }
  query: Parsed<Spec, 'query'>
  body: Parsed<Spec, 'body'>
}

/**
 * Reads a part of a request when the handler accesses it. The schemas were checked before. Only the form of `id` is checked
 * here, so an `id` that the handler does not read is not checked.
 */
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
  ParsedRequest<Path, Spec>,
  RouteResponse<Spec>
>
type Add<M extends Method, Known> = <const Path extends string, const Spec extends RouteSpec>(
  path: Path,
  spec: Spec,
  handle: (call: Call<Path, Spec>) => Result<Spec> | Promise<Result<Spec>>,
) => Routes<Known & SchemaFor<M, Path, Spec>>

/** The routes of a slice, each with its definition and its handler. */
export type Routes<Known = unknown> = { [M in Method]: Add<M, Known> } & {
  /** Adds the routes of another part. */
  mount<Others>(others: Routes<Others>): Routes<Known & Others>
  app: OpenAPIHono<ApiEnv>
}

/** Returns the route's OpenAPI definition with its Zod schemas. */
function configOf(method: Method, path: string, tag: string, spec: RouteSpec) {
  const { summary, description, params = path.includes('{id}') ? idParam : undefined, query, body, rawBody } = spec
  const {
    response,
    responseDescription = 'As of now',
    responses,
    parameters,
    middleware = [],
    tag: routeTag = tag,
  } = spec
  const requestBody = rawBody ?? (body && { ...jsonContent(body), required: spec.isBodyOptional !== true })
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
    tags: [routeTag],
    ...(headers.length > 0 ? { parameters: headers } : {}),
    ...(spec.caller === 'anybody' ? { security: [] } : {}),
    request: { ...(params && { params }), ...(query && { query }), ...(requestBody && { body: requestBody }) },
    responses: responses ?? (response ? okResponse(responseDescription, response) : noContentResponse),
    middleware: [
      limitBody(spec.bodyLimit),
      admitAs(classOf(method, spec), findKnownCustomer),
      letIn(spec),
      ...(spec.money ? [wholeAmounts] : []),
      ...[middleware].flat(),
    ],
    'x-needs': needsOf(spec),
    'x-refuses': refusedBy(method, path, spec),
  } as never) as RouteConfig
}

/** Returns all error codes of a route: the handler's own codes, and the codes that follow from the needs. */
function refusedBy(method: Method, path: string, spec: RouteSpec): ErrorCode[] {
  const { caller = 'customer', refuses = [], parameters = [] } = spec
  const asksForProof = spec.proof || (parameters as unknown[]).includes(stepUpParameter)
  const codesIf = (holds: unknown, ...codes: ErrorCode[]) => (holds ? codes : [])
  return [
    ...refuses,
    ...codesIf(caller !== 'anybody', 'sign_in_required'),
    ...codesIf(caller === 'reviewer' || path.includes('{id}'), 'not_found'),
    ...codesIf(method !== 'get', 'origin_refused'),
    ...codesIf(needsKey(method, spec), 'idempotency_key_missing', 'idempotency_key_invalid'),
    ...codesIf(needsKey(method, spec), 'idempotency_key_reserved', 'idempotency_key_reused'),
    ...codesIf(asksForProof, 'step_up_required', 'proof_impossible'),
    ...codesIf(spec.money, 'amount_invalid'),
    ...codesIf(spec.body, 'media_type_unsupported'),
  ]
}

const NEEDS = ['caller', 'key', 'money', 'findCustomer', 'load', 'leavesRows', 'protects', 'anyDate', 'proof'] as const

const needsOf = (spec: RouteSpec): Needs =>
  Object.fromEntries(NEEDS.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]]])))

type RoutesOptions = {
  /**
   * Whether changes by these routes affect the customer's other open screens. If so, the bank notifies those screens after each
   * change.
   */
  live?: boolean
}

/**
 * Starts the routes of a slice. `tag` is the slice's section in the API document.
 *
 * @example
 * ```ts
 * export const savingsRoutes = routes('Savings', { live: true })
 *   .get('/goals', { summary: 'Your savings goals', response: goalList }, (c) => listGoals(c.deps, c.customer.id))
 *   .put('/goals/{id}', { refuses: ['date_not_ahead'], summary: 'Change a goal', body: goalRequest }, async (c) => {
 *     await editGoal(c.deps, c.customer.id, c.id, c.body)
 *   })
 * ```
 */
export function routes(tag: string, { live = false }: RoutesOptions = {}): Routes {
  const app = openRouter()
  const add = (method: Method) => (path: string, spec: RouteSpec, handle: (call: never) => unknown) => {
    app.openapi(configOf(method, path, tag, spec), (async (c: Context<ApiEnv>) => {
      const caller = await findCaller(c, spec)
      await check(c, spec, caller)
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
  const mount = (otherRoutes: Routes) => {
    app.route('/', otherRoutes.app)
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
