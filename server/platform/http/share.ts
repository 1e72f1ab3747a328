import { once } from 'node:events'
import { createMiddleware } from 'hono/factory'
import type { Context } from 'hono'
import { clientNetwork } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import type { ShareName } from '#server/platform/shares.ts'

/** Has a signed-in customer's requests wait behind each other where they are very many, and nobody else's behind them. */
export const shareOfCustomer = createMiddleware<ApiEnv>(async (c, next) => {
  const customer = c.get('customer') as ApiEnv['Variables']['customer'] | undefined
  if (!customer) return next()
  return c.get('deps').shares.requests(customer.id, () => next())
})

/** The same for all requests of one address to the routes that it is put before. */
export function shareOfAddress(name: ShareName) {
  return createMiddleware<ApiEnv>(async (c, next) => c.get('deps').shares[name](clientNetwork(c), () => next()))
}

/** Takes a customer's share until the response has been read to its end, or broke off. Throws what the share refuses. */
export async function shareUntilRead(c: Context<ApiEnv>, name: ShareName): Promise<void> {
  const { outgoing } = c.env
  const { promise: begun, resolve, reject } = Promise.withResolvers<void>()
  const hold = async (): Promise<void> => {
    resolve()
    if (!outgoing.closed) await once(outgoing, 'close')
  }
  c.get('deps').shares[name](c.get('customer').id, hold).catch(reject)
  await begun
}
