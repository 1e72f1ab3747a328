import { once } from 'node:events'
import { createMiddleware } from 'hono/factory'
import type { Context } from 'hono'
import { clientSite } from '#server/platform/http/caller.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

type ShareName = keyof Deps['shares']

/** Queues the requests of one address to a route behind each other where they are many, and never behind another's. */
export function shareOfAddress(name: ShareName) {
  return createMiddleware<ApiEnv>(async (c, next) => c.get('deps').shares[name](clientSite(c), () => next()))
}

/**
 * Takes a share until the response has been read to its end, or broke off; it is broken off where it has to make room.
 * Throws what the share refuses.
 */
export async function shareUntilRead(c: Context<ApiEnv>, name: ShareName, key: string): Promise<void> {
  const { outgoing } = c.env
  const { promise: begun, resolve, reject } = Promise.withResolvers<void>()
  const hold = async (makeRoom: AbortSignal | null): Promise<void> => {
    resolve()
    if (outgoing.closed) return
    makeRoom?.addEventListener('abort', () => outgoing.destroy())
    await once(outgoing, 'close')
  }
  c.get('deps').shares[name](key, hold).catch(reject)
  await begun
}
