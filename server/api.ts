import { standingOrders } from '#server/standing-orders/slice.ts'
import { join } from 'node:path'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { MergeSchemaPath } from 'hono/types'
import { Refusal, statusOf } from '#contract/errors.ts'
import { accountDetails } from '#server/account-details/slice.ts'
import { accounts } from '#server/accounts/slice.ts'
import { API_TAGS } from '#server/bank/api-tags.ts'
import { advisor, openAdvisor } from '#server/advisor/slice.ts'
import { carbon } from '#server/carbon/slice.ts'
import { cardSchemeRoutes } from '#server/card-scheme/routes.ts'
import { cardScheme, openCardScheme } from '#server/card-scheme/slice.ts'
import { bills } from '#server/bills/slice.ts'
import { cards } from '#server/cards/slice.ts'
import { crypto } from '#server/crypto/slice.ts'
import { directDebits } from '#server/direct-debits/slice.ts'
import type { Routes } from '#server/identity/access/route.ts'
import { visitorIn } from '#server/identity/access/session.ts'
import { offerStepUp } from '#server/identity/access/step-up.ts'
import type { IdentityOptions } from '#server/identity/routes/routes.ts'
import { disputes } from '#server/disputes/slice.ts'
import { identity, openIdentity } from '#server/identity/slice.ts'
import { incomingTransfers } from '#server/incoming-transfers/slice.ts'
import { createDocumentTools, type DocumentTools } from '#server/kyc/documents/tools.ts'
import { insights } from '#server/insights/slice.ts'
import { investing } from '#server/investing/slice.ts'
import { kyc } from '#server/kyc/slice.ts'
import { linkedAccounts } from '#server/linked-accounts/slice.ts'
import { loans } from '#server/loans/slice.ts'
import { mail } from '#server/mail/slice.ts'
import { markets, openMarkets } from '#server/markets/slice.ts'
import { messages } from '#server/messages/slice.ts'
import { notifications, openNotifications } from '#server/notifications/slice.ts'
import { owed } from '#server/owed/slice.ts'
import { payments, openPayments } from '#server/payments/slice.ts'
import { isOverload } from '#server/platform/concurrency.ts'
import type { Core, Deps } from '#server/platform/deps.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { docsRoutes } from '#server/platform/http/docs.ts'
import { refusalResponse, refusalOf } from '#server/platform/http/errors.ts'
import { healthRoutes } from '#server/platform/http/health.ts'
import { nameRoutes, observeRequests, routeOf, type RouteNames } from '#server/platform/http/observe.ts'
import { logRequests, overloadLog } from '#server/platform/http/log.ts'
import { checkOrigin, isSafe } from '#server/platform/http/origin.ts'
import { openRouter } from '#server/platform/http/router.ts'
import { webRoutes } from '#server/bank/web-app/static.ts'
import type { Slice } from '#server/platform/slice.ts'
import { profile } from '#server/profile/slice.ts'
import { railRoutes } from '#server/rails/routes.ts'
import { rails } from '#server/rails/slice.ts'
import { rewards, openRewards } from '#server/rewards/slice.ts'
import { requests } from '#server/requests/slice.ts'
import { sample } from '#server/sample/slice.ts'
import { savings } from '#server/savings/slice.ts'
import { schedules } from '#server/schedules/slice.ts'
import { periods } from '#server/periods/slice.ts'
import { seals } from '#server/seals/slice.ts'
import { statements } from '#server/statements/slice.ts'
import { routesOf } from '#server/platform/http/route-bodies.ts'

export type ApiOptions = IdentityOptions & {
  /** The folder of the built web app; the project's dist/ by default. */
  webRoot?: string
  /** The interval between heartbeats of an event stream, in milliseconds. */
  heartbeatMs?: number
  /** A replacement for the renderer of uploaded documents, for tests. */
  documents?: Partial<Pick<DocumentTools, 'render'>>
}

const WEB_ROOT = join(import.meta.dirname, '..', 'dist')

/** All slices of the bank. */
export const SLICES = [
  identity,
  profile,
  accounts,
  payments,
  standingOrders,
  schedules,
  bills,
  requests,
  rails,
  accountDetails,
  incomingTransfers,
  linkedAccounts,
  directDebits,
  savings,
  loans,
  investing,
  markets,
  crypto,
  cards,
  rewards,
  advisor,
  carbon,
  insights,
  notifications,
  cardScheme,
  disputes,
  owed,
  seals,
  periods,
  statements,
  mail,
  messages,
  kyc,
  sample,
] as const satisfies readonly Slice[]

/**
 * Creates the dependencies of all services: the core resources, plus the state that slices keep between requests. Some slices
 * need the state of slices that were opened before them.
 */
export function openSlices(core: Core): Deps {
  const withIdentity = { ...core, ...openIdentity(core) }
  const deps = {
    ...withIdentity,
    ...openPayments(withIdentity),
    ...openMarkets(core),
    ...openNotifications(core),
    ...openRewards(core),
    ...openAdvisor(),
  }
  return { ...deps, ...openCardScheme(deps) }
}

/** Mounts the routes of all slices. Only `deps.policy` decides which routes exist. `named` collects the slice of each route. */
export function mountSlices(deps: Deps, options: ApiOptions, named: RouteNames = new Map()): OpenAPIHono<ApiEnv> {
  const slices = openRouter()
  const shared = { ...options, tools: createDocumentTools(options.documents) }
  for (const { name, routes } of SLICES as readonly Slice<Routes, typeof shared>[]) {
    if (!routes) continue
    const { app } = routes(deps, shared)
    nameRoutes(named, name, app, '/api/v1')
    slices.route('/api/v1', app)
  }
  return slices
}

/** Creates the bank's HTTP application, which server/platform/http/listen.ts serves. */
export function createApi(deps: Deps, options: ApiOptions) {
  const app = openRouter()
  const countOverload = overloadLog(deps.log)
  const named: RouteNames = new Map()
  app.onError((error, c) => {
    // A client that disconnects during its request reads no response. The error is not a fault of the bank.
    const hasLeft = error === c.env.incoming.errored
    const refusal = hasLeft ? new Refusal('request_invalid') : refusalOf(error)
    deps.measures.count('alder_http_refusals_total', { slice: routeOf(named, c).slice, code: refusal.code })
    if (isOverload(refusal)) countOverload()
    else if (statusOf(refusal.code) >= 500)
      deps.log.error({ err: error, requestId: c.env.outgoing.requestId }, refusal.code)
    return refusalResponse(c, refusal)
  })
  app.use(async (c, next) => {
    c.set('deps', deps)
    return next()
  })
  app.use(observeRequests(named), logRequests)
  // A server must not use tables of a schema version that it does not know.
  const refuseOutdated = createMiddleware<ApiEnv>(async (_, next) => {
    if (deps.readiness.outdated() !== null) throw new Refusal('unavailable')
    return next()
  })
  app.use('/api/*', refuseOutdated)
  app.use('/hooks/*', refuseOutdated)
  app.use('/api/*', async (c, next) => {
    if (!isSafe(c.req.method)) checkOrigin(c.env.incoming, deps.config)
    return next()
  })
  app.use('/api/v1/*', async (c, next) => {
    // A HEAD request would have all side effects of a GET, such as a recorded download or an open stream, without sending a
    // body.
    if (c.req.method === 'HEAD') throw new Refusal('not_found')
    return next()
  })
  app.use('/api/v1/*', offerStepUp)

  const slices = mountSlices(deps, options, named)
  refuseUndeclared(slices)
  const web = webRoutes(deps, {
    root: options.webRoot ?? WEB_ROOT,
    missing: deps.policy.controlPanel ? [] : ['/sample'],
    isSignedIn: async (c) => (await visitorIn(c)) !== null,
  })
  const [health, rail, scheme, docs] = [
    healthRoutes(deps),
    railRoutes(deps),
    cardSchemeRoutes(deps),
    docsRoutes(slices, API_TAGS),
  ] as const
  nameRoutes(named, 'platform', health)
  nameRoutes(named, 'rails', rail)
  nameRoutes(named, 'card-scheme', scheme)
  nameRoutes(named, 'platform', docs)
  const api = app.route('/', slices).route('/', health).route('/', rail).route('/', scheme).route('/', docs)
  return api.notFound((c) => {
    if (c.req.path.startsWith('/api/')) throw new Refusal('not_found')
    return web.fetch(c.req.raw, c.env)
  })
}

/** Throws for a route that does not declare its requirements (server/identity/access/route.ts). */
function refuseUndeclared(slices: OpenAPIHono<ApiEnv>): void {
  const declared = new Set(
    routesOf(slices)
      .filter((route) => 'x-needs' in route)
      .map(({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/{(.+?)}/g, ':$1')}`),
  )
  for (const { method, path } of slices.routes) {
    if (method !== 'ALL' && !declared.has(`${method} ${path}`)) throw new Error(`${method} ${path} declares no needs`)
  }
}

/** The type of the web app's API client. */
export type Api = Hono<ApiEnv, MergeSchemaPath<SchemaOf<(typeof SLICES)[number]>, '/api/v1'>>

type SchemaOf<S> = S extends Slice<infer Made> ? (Made extends Routes<infer Schema> ? Schema : never) : never
