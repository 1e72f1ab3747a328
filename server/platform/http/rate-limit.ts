import { createHmac } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Measures } from '#server/platform/telemetry/measures.ts'
import { clientNetwork, clientSite } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

/** A rate limit of `points` in `seconds`. The name keeps the counts of different limits apart. */
export type Limit = { name: string; points: number; seconds: number }

/** Returns the counter of a limit, which is shared by all servers. */
export function limiterFor(
  { limiters: { pool, byName, measures } }: Pick<Deps, 'limiters'>,
  { name, points, seconds }: Limit,
  options: { inMemoryBlockOnConsumed?: number } = {},
): RateLimiterPostgres {
  const previous = byName.get(name)
  if (previous) return previous
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'bank',
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: name,
    points,
    duration: seconds,
    ...options,
  })
  measureHits(limiter, name, measures)
  byName.set(name, limiter)
  return limiter
}

/** Counts the refusals of a limit, for metrics. */
export function measureHits(limiter: RateLimiterAbstract, name: string, measures: Measures): void {
  measures.begin('alder_rate_limit_hits_total', { limit: name })
  const consume = limiter.consume.bind(limiter)
  limiter.consume = async (...args) => {
    try {
      return await consume(...args)
    } catch (rejection) {
      if (rejection instanceof RateLimiterRes) measures.count('alder_rate_limit_hits_total', { limit: name })
      throw rejection
    }
  }
}

/** Returns the key of a counter: a digest, because addresses are personal data and the table only needs to distinguish them. */
export function counterKey({ config }: Pick<Deps, 'config'>, text: string): string {
  return createHmac('sha256', config.secret).update(text).digest('base64url')
}

/** Returns the key for the caller's network. A subscriber owns all addresses in it. */
export function networkKeyOf(c: Context<ApiEnv>): string {
  return counterKey(c.get('deps'), clientNetwork(c))
}

/** Returns the key for the caller's site, which may contain several networks. */
export function siteKeyOf(c: Context<ApiEnv>): string {
  return counterKey(c.get('deps'), clientSite(c))
}

/** The limit of a site, as a multiple of the limit of one network. */
export const SITE_TIMES = 8

/**
 * Adds one, or `points`, to a counter and returns its new value. Throws Refusal `too_many_requests` if the new value exceeds
 * the limit.
 */
export async function countRequest(limiter: RateLimiterAbstract, key: string, points = 1): Promise<number> {
  try {
    return (await limiter.consume(key, points)).consumedPoints
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection
    throw new Refusal('too_many_requests', undefined, { retryAfterSeconds: Math.ceil(rejection.msBeforeNext / 1000) })
  }
}

/** Adds one to a counter and returns its new value. Returns null if the new value exceeds the limit. */
export async function countWithin(limiter: RateLimiterPostgres, key: string): Promise<number | null> {
  try {
    return await countRequest(limiter, key)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** The keys of the caller's network and site. */
export type ClientNetworks = { source: string; site: string }

/**
 * Counts a request of a network and its site. Throws Refusal `too_many_requests` if the network has sent more than `points`
 * requests in `seconds`, or if all networks of the site together have sent more than `SITE_TIMES` as many.
 */
export async function countClientNetworks(
  deps: Pick<Deps, 'limiters'>,
  { source, site }: ClientNetworks,
  limit: Limit,
  limiterOf: (limit: Limit) => RateLimiterPostgres = (each) => limiterFor(deps, each),
): Promise<void> {
  await countRequest(limiterOf(limit), source)
  if (site === source) return
  await countRequest(limiterOf({ ...limit, name: `${limit.name}-site`, points: limit.points * SITE_TIMES }), site)
}

/**
 * Counts a request of a network and its site, as `countClientNetworks` does. Once the limit is exceeded, this server refuses
 * further requests without a query. Throws Refusal `too_many_requests`.
 */
export async function countNetwork(deps: Pick<Deps, 'limiters'>, origins: ClientNetworks, limit: Limit): Promise<void> {
  await countClientNetworks(deps, origins, limit, (each) =>
    limiterFor(deps, each, { inMemoryBlockOnConsumed: each.points + 1 }),
  )
}

/** Counts a request for the caller's network and site. Throws Refusal `too_many_requests`. */
export async function countAddress(c: Context<ApiEnv>, limit: Limit): Promise<void> {
  await countNetwork(c.get('deps'), { source: networkKeyOf(c), site: siteKeyOf(c) }, limit)
}

/** Counts each request of the caller's address before the route does anything. */
export function limitByAddress(limit: Limit) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    await countAddress(c, limit)
    return next()
  })
}
