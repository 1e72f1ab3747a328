import type { Context } from 'hono'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { gather } from '#server/platform/gather.ts'
import { isFromHere } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { count, type Limit, measureHits, SITE_TIMES, siteOfSource, sourceOf } from '#server/platform/http/rate-limit.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

/** Whom something counts to, and how much of it they may do; it counts as one unless told. */
export type Counted = { limit: Limit; key: string; points?: number }

/**
 * The number of requests that leave something behind (docs/decisions/0270). It is kept in memory, so that no request waits
 * for it, and written with others' a little later, to where all servers add up theirs.
 */
export type Operations = {
  /** Throws Refusal `too_many_requests` where it is one too many for any of them. */
  count(counted: readonly Counted[]): Promise<void>
  /** Writes what was counted, after what is being written, and learns what other servers have counted. */
  flush(): Promise<void>
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    operations: Operations
  }
}

/** For how long a server remembers somebody who is not over a limit without asking again, in seconds. */
const REMEMBERED = 10 * 60
/** A window this short has ended before another server could hear of it, in seconds. */
const OWN_SECONDS = 60

type Waiting = Required<Counted>

export function openOperations(deps: Pick<Deps, 'pool' | 'log' | 'measures'>): Operations {
  const limiters = new Map<string, RateLimiterMemory>()
  const limiterOf = ({ name, points, seconds: duration }: Limit) => {
    const known = limiters.get(name)
    if (known) return known
    const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration })
    measureHits(limiter, name, deps.measures)
    limiters.set(name, limiter)
    return limiter
  }
  const gathered = gather<Waiting>({
    // A server that dies forgets this much.
    waitMs: 5_000,
    batch: 1_000,
    most: 100_000,
    keyOf: rowKey,
    merge: (earlier, later) => ({ ...later, points: earlier.points + later.points }),
    write: async (batch) => {
      // In one order everywhere, so that two servers wait for each other and never cross.
      const shared = await addUp(
        deps,
        batch.toSorted((a, b) => (rowKey(a) < rowKey(b) ? -1 : 1)),
      )
      for (const { limit, key } of batch) {
        const known = shared.get(rowKey({ limit, key }))
        if (!known || known.seconds <= 0) continue
        // What has come since is on its way.
        const points = known.points + (gathered.waiting(rowKey({ limit, key }))?.points ?? 0)
        const seconds = points >= limit.points ? known.seconds : Math.min(known.seconds, REMEMBERED)
        await limiterOf(limit).set(key, points, seconds)
      }
    },
    onError: (error) => deps.log.warn({ err: error }, 'the number of operations is not kept'),
  })
  return {
    flush: gathered.flush,
    count: async (counted) => {
      for (const { limit, key, points } of counted) await count(limiterOf(limit), key, points)
      for (const { limit, key, points = 1 } of counted) {
        if (limit.seconds > OWN_SECONDS) gathered.add({ limit, key, points })
      }
    },
  }
}

const rowKey = ({ limit, key }: Counted) => `${limit.name}:${key}`

/**
 * As rate-limiter-flexible adds to a row, but to many at once, and by the database's clock, on which all servers agree: a
 * window begins anew where the one before has ended.
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

async function addUp({ pool }: Pick<Deps, 'pool'>, batch: readonly Waiting[]) {
  const { rows } = await pool.query<{ key: string; points: number; seconds: number }>({
    text: ADD,
    values: [batch.map(rowKey), batch.map(({ points }) => points), batch.map(({ limit }) => limit.seconds)],
  })
  return new Map(rows.map(({ key, points, seconds }) => [key, { points, seconds }]))
}

const [MINUTE, HOUR, DAY] = [60, 60 * 60, 24 * 60 * 60]

/**
 * Counts a request that leaves something behind, to whoever asks and, where the policy says so, to their address and to all.
 * Of what was answered before, the answer is given again however many there were since. Throws Refusal `too_many_requests`.
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

/** Throws Refusal with what the ledger remembers of a refused one. */
async function answeredBefore({ db, ledger }: Deps, { operationId, fingerprint }: RequestKey): Promise<boolean> {
  if (await ledger.find(operationId, fingerprint)) return true
  const known = await db
    .selectFrom('bank.request')
    .select('key')
    .where('key', '=', operationId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  return known !== undefined
}

/**
 * Counts a picture that the bank is to keep, by the room that it takes, to the address that it comes from and to all, where the
 * policy says so. Throws Refusal `too_many_requests`.
 */
export async function countPicture(c: Context<ApiEnv>, bytes: number): Promise<void> {
  const { operations, policy } = c.get('deps')
  const points = Math.ceil(bytes / 1000)
  await operations.count(dayOfAll(c, 'pictures', policy.pictures).map((counted) => ({ ...counted, points })))
}

/** An address's day, and that of all. */
function dayOfAll(
  c: Context<ApiEnv>,
  what: 'operations' | 'pictures',
  { addressDay, allDay }: { addressDay: number | null; allDay: number | null },
): Counted[] {
  const address =
    addressDay === null || isFromHere(c)
      ? []
      : [
          { limit: { name: `${what}-address`, points: addressDay, seconds: DAY }, key: sourceOf(c) },
          { limit: { name: `${what}-site`, points: addressDay * SITE_TIMES, seconds: DAY }, key: siteOfSource(c) },
        ]
  return [
    ...address,
    ...(allDay === null ? [] : [{ limit: { name: `${what}-all`, points: allDay, seconds: DAY }, key: 'all' }]),
  ]
}

function countedTo(c: Context<ApiEnv>): Counted[] {
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
