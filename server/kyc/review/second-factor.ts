import { createMiddleware } from 'hono/factory'
import { checkSecondFactor } from '#server/kyc/review/access.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

/** Refuses every request of a reviewer without a second factor, with an error that shows where to set one up. */
export const withSecondFactor = createMiddleware<ApiEnv>(async (c, next) => {
  await checkSecondFactor(c.get('deps'), c.get('customer'))
  return next()
})
