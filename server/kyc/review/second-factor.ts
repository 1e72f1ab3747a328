import { createMiddleware } from 'hono/factory'
import { checkSecondFactor } from '#server/kyc/review/access.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

/** A reviewer without a second factor is told where to set one up, whatever they ask for. */
export const withSecondFactor = createMiddleware<ApiEnv>(async (c, next) => {
  await checkSecondFactor(c.get('deps'), c.get('customer'))
  return next()
})
