import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { countRequest, type Limit, limiterFor } from '#server/platform/http/rate-limit.ts'

/** Counts a request of the customer, from any address. Throws Refusal `too_many_requests` above the limit. */
export async function countCustomer(c: Context<ApiEnv>, limit: Limit): Promise<void> {
  // Above the limit, the limiter refuses the customer's requests from memory, without a query.
  const limiter = limiterFor(c.get('deps'), limit, { inMemoryBlockOnConsumed: limit.points + 1 })
  await countRequest(limiter, c.get('customer').id)
}

/** Returns middleware that counts the request with `countCustomer` before the route's handler runs. */
export const limitByCustomer = (limit: Limit) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    await countCustomer(c, limit)
    return next()
  })
