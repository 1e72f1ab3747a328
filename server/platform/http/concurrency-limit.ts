import { once } from 'node:events'
import { createMiddleware } from 'hono/factory'
import type { Context } from 'hono'
import { clientSite } from '#server/platform/http/caller.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

type ShareName = keyof Deps['concurrencyLimits']

/** Applies the limit `name` with the site (`clientSite`) as the key, so that one site cannot take the whole limit. */
export function limitConcurrencyByAddress(name: ShareName) {
  return createMiddleware<ApiEnv>(async (c, next) => c.get('deps').concurrencyLimits[name](clientSite(c), () => next()))
}

/**
 * Takes a place under the limit `name` until the client has read the whole response or the response is cut off. The response is
 * cut off if another one needs the place. Throws the limit's Refusal.
 */
export async function limitConcurrencyUntilRead(c: Context<ApiEnv>, name: ShareName, key: string): Promise<void> {
  const { outgoing } = c.env
  const { promise: startPromise, resolve, reject } = Promise.withResolvers<void>()
  const hold = async (makeRoom: AbortSignal | null): Promise<void> => {
    resolve()
    if (outgoing.closed) return
    makeRoom?.addEventListener('abort', () => outgoing.destroy())
    await once(outgoing, 'close')
  }
  c.get('deps').concurrencyLimits[name](key, hold).catch(reject)
  await startPromise
}
