import { createMiddleware } from 'hono/factory'
import type { Context } from 'hono'
import { withPool, type PoolName } from '#server/platform/db/pools.ts'
import { clientSite } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import type { ConcurrencyLimitName } from '#server/bank/concurrency-limits.ts'
import { isSafe } from '#server/platform/http/origin.ts'

/** The class of a request, which decides its priority under overload (docs/decisions/0275). */
export type RequestClass = keyof typeof CLASSES

/**
 * The connection pool of each class of requests, and the share in which a request waits for its turn. If `share` is null, a
 * request does not wait here.
 */
const CLASSES = {
  cards: { pool: 'cards', share: null },
  payments: { pool: 'payments', share: 'payments' },
  entries: { pool: 'reads', share: 'entries' },
  reads: { pool: 'reads', share: 'reads' },
  /** A slow route takes its turns itself, under a limit of its choice. Its requests may wait or run for a long time. */
  slow: { pool: 'background', share: null },
} as const satisfies Record<string, { pool: PoolName; share: ConcurrencyLimitName | null }>

type CallerOf = (c: Context<ApiEnv>) => string | null

/**
 * Returns the middleware for the requests of a class. A request waits for its turn in its class, and then uses the database
 * connections of the class. `callerOf` returns the caller's id, if no lookup is needed for it. Callers without an id share the
 * limits of their address. The middleware throws Refusal `too_many_requests` if too many requests of one caller wait, and
 * `unavailable` under heavy load.
 */
export function admitAs(requestClass: RequestClass, callerOf: CallerOf = () => null) {
  const { pool, share } = CLASSES[requestClass]
  return createMiddleware<ApiEnv>(async (c, next) => {
    const deps = c.get('deps')
    c.set('deps', withPool(deps, pool))
    if (share === null) return next()
    // The body is read before the turn, because a slow upload must not hold a turn.
    if (!isSafe(c.req.method)) await c.req.text()
    const { outgoing } = c.env
    const caller = callerOf(c)
    const inTurn = () =>
      deps.concurrencyLimits[share](
        caller ?? clientSite(c),
        () => next(),
        () => !outgoing.destroyed,
      )
    // A caller's request first waits behind the caller's other requests. While it waits there, it does not hold a turn that
    // other callers need.
    return caller === null ? inTurn() : deps.concurrencyLimits.requests(caller, inTurn)
  })
}
