import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { count, type Limit, limiterFor } from '#server/platform/http/rate-limit.ts'

/** Throws Refusal `too_many_requests` once a customer has asked too often, however many addresses they ask from. */
export async function countCustomer(c: Context<ApiEnv>, limit: Limit): Promise<void> {
  // Further requests of theirs are refused without asking the database.
  const limiter = limiterFor(c.get('deps'), limit, { inMemoryBlockOnConsumed: limit.points + 1 })
  await count(limiter, c.get('customer').id)
}

/** The same before a route does anything. */
export const limitByCustomer = (limit: Limit) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    await countCustomer(c, limit)
    return next()
  })
