import { createMiddleware } from 'hono/factory'
import type { Context } from 'hono'
import { withPool, type PoolName } from '#server/platform/db/pools.ts'
import { clientSite } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import type { ShareName } from '#server/bank/shares.ts'
import { isSafe } from '#server/platform/http/origin.ts'

/** How much a request matters once there is too much to do (docs/decisions/0275). */
export type RequestClass = keyof typeof CLASSES

/** Whose connections each class of requests uses, and in which queue it waits before anything is done for it. */
const CLASSES = {
  cards: { pool: 'cards', share: null },
  payments: { pool: 'payments', share: 'payments' },
  entries: { pool: 'reads', share: 'entries' },
  reads: { pool: 'reads', share: 'reads' },
  /** Each has a share of its own, within which it may wait or run for long. */
  slow: { pool: 'background', share: null },
} as const satisfies Record<string, { pool: PoolName; share: ShareName | null }>

type CallerOf = (c: Context<ApiEnv>) => string | null

/**
 * Has a request wait for its turn among those of its class, and use their connections. `callerOf` names who asks, where the
 * bank knows them before anything is looked up; all others of one address share. Throws Refusal `unavailable` at once where
 * too many wait.
 */
export function admitAs(requestClass: RequestClass, callerOf: CallerOf = () => null) {
  const { pool, share } = CLASSES[requestClass]
  return createMiddleware<ApiEnv>(async (c, next) => {
    const deps = c.get('deps')
    c.set('deps', withPool(deps, pool))
    if (share === null) return next()
    // A body that arrives slowly must not take a turn meanwhile.
    if (!isSafe(c.req.method)) await c.req.text()
    const { outgoing } = c.env
    const caller = callerOf(c)
    const inTurn = () =>
      deps.shares[share](
        caller ?? clientSite(c),
        () => next(),
        () => !outgoing.destroyed,
      )
    // First behind their own, without a turn that others wait for meanwhile.
    return caller === null ? inTurn() : deps.shares.requests(caller, inTurn)
  })
}
