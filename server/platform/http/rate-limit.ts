import { createHmac } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Measures } from '#server/platform/telemetry/measures.ts'
import { clientNetwork, clientSite } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

/** So many `points` in so many `seconds`. The name keeps what one limit counts from what another does. */
export type Limit = { name: string; points: number; seconds: number }

/** What counts for a limit, on all servers together. */
export function limiterFor(
  { limiters: { pool, byName, measures } }: Pick<Deps, 'limiters'>,
  { name, points, seconds }: Limit,
  options: { inMemoryBlockOnConsumed?: number } = {},
): RateLimiterPostgres {
  const known = byName.get(name)
  if (known) return known
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

/** Counts what is one too many for a limit. */
export function measureHits(limiter: RateLimiterAbstract, name: string, measures: Measures): void {
  measures.begin('alder_rate_limit_hits_total', { limit: name })
  const consume = limiter.consume.bind(limiter)
  limiter.consume = async (...asked) => {
    try {
      return await consume(...asked)
    } catch (rejected) {
      if (rejected instanceof RateLimiterRes) measures.count('alder_rate_limit_hits_total', { limit: name })
      throw rejected
    }
  }
}

/** What something is counted under: a digest, because addresses are personal data and the table needs only to tell two apart. */
export function countedAs({ config }: Pick<Deps, 'config'>, text: string): string {
  return createHmac('sha256', config.secret).update(text).digest('base64url')
}

/** What the network that asks is counted under: a subscriber owns all addresses in it. */
export function sourceOf(c: Context<ApiEnv>): string {
  return countedAs(c.get('deps'), clientNetwork(c))
}

/** What the whole site of that network is counted under, where it has several. */
export function siteOfSource(c: Context<ApiEnv>): string {
  return countedAs(c.get('deps'), clientSite(c))
}

/** How much more than one of its networks a site may ask. */
export const SITE_TIMES = 8

/** Counts one more, or `points`, and answers how many that makes. Throws Refusal `too_many_requests` where it is too many. */
export async function count(limiter: RateLimiterAbstract, key: string, points = 1): Promise<number> {
  try {
    return (await limiter.consume(key, points)).consumedPoints
  } catch (rejected) {
    if (!(rejected instanceof RateLimiterRes)) throw rejected
    throw new Refusal('too_many_requests', undefined, { retryAfterSeconds: Math.ceil(rejected.msBeforeNext / 1000) })
  }
}

/** The same where being one too many is no refusal: answers null then. */
export async function countWithin(limiter: RateLimiterPostgres, key: string): Promise<number | null> {
  try {
    return await count(limiter, key)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** The network that asks and its site, as limits count them. */
export type Origins = { source: string; site: string }

/**
 * Throws Refusal `too_many_requests` once a network has asked more than `points` times in `seconds`, or all networks of
 * one site have asked several times as often.
 */
export async function countOrigins(
  deps: Pick<Deps, 'limiters'>,
  { source, site }: Origins,
  limit: Limit,
  limiterOf: (limit: Limit) => RateLimiterPostgres = (each) => limiterFor(deps, each),
): Promise<void> {
  await count(limiterOf(limit), source)
  if (site === source) return
  await count(limiterOf({ ...limit, name: `${limit.name}-site`, points: limit.points * SITE_TIMES }), site)
}

/** The same; once over the limit, further requests are refused without asking the database. */
export async function countSource(deps: Pick<Deps, 'limiters'>, origins: Origins, limit: Limit): Promise<void> {
  await countOrigins(deps, origins, limit, (each) =>
    limiterFor(deps, each, { inMemoryBlockOnConsumed: each.points + 1 }),
  )
}

/** The same for the address that asks. */
export async function countAddress(c: Context<ApiEnv>, limit: Limit): Promise<void> {
  await countSource(c.get('deps'), { source: sourceOf(c), site: siteOfSource(c) }, limit)
}

/** The same before a route does anything. */
export function limitByAddress(limit: Limit) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    await countAddress(c, limit)
    return next()
  })
}
