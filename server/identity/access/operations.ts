import type { Context } from 'hono'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { openWriteBuffer } from '#server/platform/write-buffer.ts'
import { isFromHere } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import {
  countRequest,
  type Limit,
  measureHits,
  SITE_TIMES,
  siteKeyOf,
  networkKeyOf,
} from '#server/platform/http/rate-limit.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

/** One count: the limit, the key under which the request counts, and the number of points to add (1 by default). */
export type RequestCount = { limit: Limit; key: string; points?: number }

/**
 * Counts the requests that write rows (docs/decisions/0270). Each server counts in memory, so that no request waits for a
 * query. A few seconds later it adds its counts, in batches, to a table that all servers share.
 */
export type Operations = {
  /** Throws Refusal `too_many_requests` if the request exceeds any of the limits. */
  count(counted: readonly RequestCount[]): Promise<void>
  /** Waits for the batch in progress, writes the pending counts, and reads the other servers' counts. */
  flush(): Promise<void>
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    operations: Operations
  }
}

/** The number of seconds for which a server uses a shared count below the limit before it reads the count again. */
const REMEMBERED = 10 * 60
/**
 * The longest window, in seconds, that each server counts alone. Such a window ends before another server could read its count.
 */
const OWN_SECONDS = 60

type WaitingCount = Required<RequestCount>

export function openOperations(deps: Pick<Deps, 'pool' | 'log' | 'measures'>): Operations {
  const limiters = new Map<string, RateLimiterMemory>()
  const limiterOf = ({ name, points, seconds: duration }: Limit) => {
    const cached = limiters.get(name)
    if (cached) return cached
    const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration })
    measureHits(limiter, name, deps.measures)
    limiters.set(name, limiter)
    return limiter
  }
  const gathered = openWriteBuffer<WaitingCount>({
    // The interval between two writes. A server that crashes loses at most the counts of this interval.
    waitMs: 5_000,
    batch: 1_000,
    most: 100_000,
    keyOf: rowKey,
    merge: (earlier, later) => ({ ...later, points: earlier.points + later.points }),
    write: async (batch) => {
      // Every server locks the rows in the same order, so two servers cannot deadlock.
      const shared = await addUp(
        deps,
        batch.toSorted((a, b) => (rowKey(a) < rowKey(b) ? -1 : 1)),
      )
      for (const { limit, key } of batch) {
        const count = shared.get(rowKey({ limit, key }))
        if (!count || count.seconds <= 0) continue
        // The counts that arrived since the batch was taken are not in the table yet.
        const points = count.points + (gathered.waiting(rowKey({ limit, key }))?.points ?? 0)
        const seconds = points >= limit.points ? count.seconds : Math.min(count.seconds, REMEMBERED)
        await limiterOf(limit).set(key, points, seconds)
      }
    },
    onError: (error) => deps.log.warn({ err: error }, 'the number of operations was not stored'),
  })
  return {
    flush: gathered.flush,
    count: async (requests) => {
      for (const { limit, key, points } of requests) await countRequest(limiterOf(limit), key, points)
      for (const { limit, key, points = 1 } of requests) {
        if (limit.seconds > OWN_SECONDS) gathered.add({ limit, key, points })
      }
    },
  }
}

const rowKey = ({ limit, key }: RequestCount) => `${limit.name}:${key}`

/**
 * Adds points to many rows at once, with the same rules as rate-limiter-flexible for one row. All servers use the database's
 * clock. Where a window has ended, a new one begins.
 */
const ADD = `
  WITH clock AS (SELECT (extract(epoch FROM now()) * 1000)::bigint AS ms), counted AS (
    INSERT INTO bank.rate_limit AS kept (key, points, expire)
    SELECT added.key, added.points, clock.ms + added.seconds * 1000
      FROM unnest($1::text[], $2::int[], $3::bigint[]) AS added (key, points, seconds), clock
    ON CONFLICT (key) DO UPDATE
      SET points = CASE WHEN kept.expire <= (SELECT ms FROM clock) THEN excluded.points ELSE kept.points + excluded.points END,
          expire = CASE WHEN kept.expire <= (SELECT ms FROM clock) THEN excluded.expire ELSE kept.expire END
    RETURNING key, points, expire
  )
  SELECT key, points, ceil((expire - clock.ms) / 1000.0)::int AS seconds FROM counted, clock`

async function addUp({ pool }: Pick<Deps, 'pool'>, batch: readonly WaitingCount[]) {
  const { rows } = await pool.query<{ key: string; points: number; seconds: number }>({
    text: ADD,
    values: [batch.map(rowKey), batch.map(({ points }) => points), batch.map(({ limit }) => limit.seconds)],
  })
  return new Map(rows.map(({ key, points, seconds }) => [key, { points, seconds }]))
}

const [MINUTE, HOUR, DAY] = [60, 60 * 60, 24 * 60 * 60]

/**
 * Counts a request that writes rows for the customer and, where the policy has such limits, for the address and for the whole
 * bank. A repetition of an answered request is not refused: it gets the original answer. Throws Refusal `too_many_requests`.
 */
export async function countOperation(c: Context<ApiEnv>): Promise<void> {
  const deps = c.get('deps')
  try {
    await deps.operations.count(countedTo(c))
  } catch (error) {
    const key = c.get('key') as RequestKey | undefined
    if (!(error instanceof Refusal) || !key || !(await answeredBefore(deps, key))) throw error
  }
}

/**
 * Returns whether the bank has already answered the request with this key. Throws the Refusal that the ledger has recorded for
 * it.
 */
async function answeredBefore({ db, ledger }: Deps, { operationId, fingerprint }: RequestKey): Promise<boolean> {
  if (await ledger.find(operationId, fingerprint)) return true
  const earlierRow = await db
    .selectFrom('bank.request')
    .select('key')
    .where('key', '=', operationId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  return earlierRow !== undefined
}

/**
 * Counts the size of an uploaded picture for its address and for the whole bank, where the policy has such limits. Throws
 * Refusal `too_many_requests`.
 */
export async function countPicture(c: Context<ApiEnv>, bytes: number): Promise<void> {
  const { operations, policy } = c.get('deps')
  const points = Math.ceil(bytes / 1000)
  await operations.count(dayOfAll(c, 'pictures', policy.pictures).map((counted) => ({ ...counted, points })))
}

/** Returns the daily limits of the request's address, of its site and of the whole bank. */
function dayOfAll(
  c: Context<ApiEnv>,
  limitGroup: 'operations' | 'pictures',
  { addressDay, allDay }: { addressDay: number | null; allDay: number | null },
): RequestCount[] {
  const address =
    addressDay === null || isFromHere(c)
      ? []
      : [
          { limit: { name: `${limitGroup}-address`, points: addressDay, seconds: DAY }, key: networkKeyOf(c) },
          { limit: { name: `${limitGroup}-site`, points: addressDay * SITE_TIMES, seconds: DAY }, key: siteKeyOf(c) },
        ]
  return [
    ...address,
    ...(allDay === null ? [] : [{ limit: { name: `${limitGroup}-all`, points: allDay, seconds: DAY }, key: 'all' }]),
  ]
}

function countedTo(c: Context<ApiEnv>): RequestCount[] {
  const { operations } = c.get('deps').policy
  const { id: key, role } = c.get('customer')
  const { minute, hour, day } = operations[role]
  return [
    { limit: { name: `operations-minute-${role}`, points: minute, seconds: MINUTE }, key },
    { limit: { name: `operations-hour-${role}`, points: hour, seconds: HOUR }, key },
    { limit: { name: `operations-day-${role}`, points: day, seconds: DAY }, key },
    ...dayOfAll(c, 'operations', operations),
  ]
}
