import { createMiddleware } from 'hono/factory'
import type { Deps } from '#server/platform/deps.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { count, type Limit, limiterFor } from '#server/platform/http/rate-limit.ts'

/** Throws Refusal `too_many_requests` once a customer has asked too often, however many addresses they ask from. */
export function limitByCustomer(deps: Pick<Deps, 'limiters'>, limit: Limit) {
  // Whoever goes on asking is refused without asking the database.
  const limiter = limiterFor(deps, limit, { inMemoryBlockOnConsumed: limit.points + 1 })
  return createMiddleware<ApiEnv>(async (c, next) => {
    await count(limiter, c.get('customer').id)
    return next()
  })
}
