import { join } from 'node:path'
import { Refusal } from '#contract/errors.ts'
import { accountRoutes } from '#server/accounts/routes.ts'
import type { Deps } from '#server/platform/deps.ts'
import { eventRoutes } from '#server/notifications/live-routes.ts'
import { limitBody } from '#server/platform/http/body.ts'
import { docsRoutes } from '#server/platform/http/docs.ts'
import { answerRefusal, refusalOf } from '#server/platform/http/errors.ts'
import { healthRoutes } from '#server/platform/http/health.ts'
import { logRequests } from '#server/platform/http/log.ts'
import { checkOrigin, isSafe } from '#server/platform/http/origin.ts'
import { router } from '#server/platform/http/router.ts'
import { requireSession } from '#server/identity/access/session.ts'
import { offerStepUp } from '#server/identity/access/step-up.ts'
import { webRoutes } from '#server/platform/http/static.ts'
import { currentSessionRoutes } from '#server/identity/routes/current-session.ts'
import { passkeyRoutes } from '#server/identity/routes/passkeys-routes.ts'
import { deviceRoutes } from '#server/identity/routes/device-routes.ts'
import { identityRoutes, type IdentityOptions } from '#server/identity/routes/routes.ts'
import { securityRoutes } from '#server/identity/routes/security.ts'
import { stepUpRoutes } from '#server/identity/routes/step-up-routes.ts'
import { twoFactorRoutes } from '#server/identity/routes/two-factor-routes.ts'
import { reviewRoutes } from '#server/kyc/routes/review-routes.ts'
import { kycRoutes } from '#server/kyc/routes/routes.ts'
import { mailboxRoutes } from '#server/sample/mailbox-routes.ts'
import { paymentRoutes } from '#server/payments/routes.ts'
import { profileRoutes } from '#server/profile/routes.ts'
import { sampleRoutes } from '#server/sample/routes.ts'

export type ApiOptions = IdentityOptions & {
  /** Where the built web app is; the project's dist/ unless told. */
  webRoot?: string
  /** How often an event stream shows that it lives, in milliseconds. */
  heartbeatMs?: number
}

const WEB_ROOT = join(import.meta.dirname, '..', 'dist')

/** The slices of the API, each under /api/v1. */
function mountSlices(deps: Deps, options: ApiOptions) {
  return router()
    .route('/api/v1', identityRoutes(deps, options))
    .route('/api/v1', currentSessionRoutes)
    .route('/api/v1', twoFactorRoutes)
    .route('/api/v1', passkeyRoutes)
    .route('/api/v1', stepUpRoutes)
    .route('/api/v1', securityRoutes)
    .route('/api/v1', deviceRoutes)
    .route('/api/v1', profileRoutes(deps))
    .route('/api/v1', eventRoutes(options))
    .route('/api/v1', mailboxRoutes)
    .route('/api/v1', accountRoutes)
    .route('/api/v1', paymentRoutes)
    .route('/api/v1', kycRoutes(deps))
    .route('/api/v1', reviewRoutes)
    .route('/api/v1', sampleRoutes(deps, options))
}

/** The bank over HTTP: what server/platform/http/listen.ts serves. */
export function createApi(deps: Deps, options: ApiOptions) {
  const app = router()
  app.onError((error, c) => {
    const refusal = refusalOf(error)
    if (refusal.status >= 500) deps.log.error({ err: error, requestId: c.env.outgoing.requestId }, refusal.code)
    return answerRefusal(c, refusal)
  })
  app.use(async (c, next) => {
    c.set('deps', deps)
    return next()
  }, logRequests)
  app.use('/api/*', async (c, next) => {
    if (!isSafe(c.req.method)) checkOrigin(c.env.incoming, deps.config)
    return next()
  })
  app.use('/api/*', limitBody)
  app.use('/api/v1/*', requireSession, offerStepUp)

  const slices = mountSlices(deps, options)
  const web = webRoutes(deps, options.webRoot ?? WEB_ROOT)
  const api = app.route('/', slices).route('/', healthRoutes(deps)).route('/', docsRoutes(slices))
  return api.notFound((c) => {
    if (c.req.path.startsWith('/api/')) throw new Refusal('not_found')
    return web.fetch(c.req.raw, c.env)
  })
}

/** What the web app's client is typed by. */
export type Api = ReturnType<typeof mountSlices>
