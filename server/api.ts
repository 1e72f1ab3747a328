import { join } from 'node:path'
import { Refusal } from '#contract/errors.ts'
import { accountRoutes } from '#server/accounts/routes.ts'
import type { Bank } from '#server/bank.ts'
import { eventRoutes } from '#server/events/routes.ts'
import { limitBody } from '#server/http/body.ts'
import { docsRoutes } from '#server/http/docs.ts'
import { answerRefusal, refusalOf } from '#server/http/errors.ts'
import { healthRoutes } from '#server/http/health.ts'
import { logRequests } from '#server/http/log.ts'
import { checkOrigin, isSafe } from '#server/http/origin.ts'
import { router } from '#server/http/router.ts'
import { requireSession } from '#server/http/session.ts'
import { offerStepUp } from '#server/http/step-up.ts'
import { webRoutes } from '#server/http/static.ts'
import { currentSessionRoutes } from '#server/identity/current-session.ts'
import { passkeyRoutes } from '#server/identity/passkeys-routes.ts'
import { deviceRoutes } from '#server/identity/device-routes.ts'
import { identityRoutes, type IdentityOptions } from '#server/identity/routes.ts'
import { securityRoutes } from '#server/identity/security.ts'
import { stepUpRoutes } from '#server/identity/step-up-routes.ts'
import { twoFactorRoutes } from '#server/identity/two-factor-routes.ts'
import { reviewRoutes } from '#server/kyc/review-routes.ts'
import { kycRoutes } from '#server/kyc/routes.ts'
import { mailRoutes } from '#server/mail/routes.ts'
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
function mountSlices(bank: Bank, options: ApiOptions) {
  return router()
    .route('/api/v1', identityRoutes(bank, options))
    .route('/api/v1', currentSessionRoutes)
    .route('/api/v1', twoFactorRoutes)
    .route('/api/v1', passkeyRoutes)
    .route('/api/v1', stepUpRoutes)
    .route('/api/v1', securityRoutes)
    .route('/api/v1', deviceRoutes)
    .route('/api/v1', profileRoutes(bank))
    .route('/api/v1', eventRoutes(options))
    .route('/api/v1', mailRoutes)
    .route('/api/v1', accountRoutes)
    .route('/api/v1', paymentRoutes)
    .route('/api/v1', kycRoutes(bank))
    .route('/api/v1', reviewRoutes)
    .route('/api/v1', sampleRoutes(bank, options))
}

/** The bank over HTTP: what server/http/listen.ts serves. */
export function createApi(bank: Bank, options: ApiOptions) {
  const app = router()
  app.onError((error, c) => {
    const refusal = refusalOf(error)
    if (refusal.status >= 500) bank.log.error({ err: error, requestId: c.env.outgoing.requestId }, refusal.code)
    return answerRefusal(c, refusal)
  })
  app.use(async (c, next) => {
    c.set('bank', bank)
    return next()
  }, logRequests)
  app.use('/api/*', async (c, next) => {
    if (!isSafe(c.req.method)) checkOrigin(c.env.incoming, bank.config)
    return next()
  })
  app.use('/api/*', limitBody)
  app.use('/api/v1/*', requireSession, offerStepUp)

  const slices = mountSlices(bank, options)
  const web = webRoutes(bank, options.webRoot ?? WEB_ROOT)
  const api = app.route('/', slices).route('/', healthRoutes(bank)).route('/', docsRoutes(slices))
  return api.notFound((c) => {
    if (c.req.path.startsWith('/api/')) throw new Refusal('not_found')
    return web.fetch(c.req.raw, c.env)
  })
}

/** What the web app's client is typed by. */
export type Api = ReturnType<typeof mountSlices>
