import { sql, type Transaction } from 'kysely'
import { LEAST_EARNING_MINOR } from '#contract/rewards.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Operation } from '#server/ledger/types.ts'
import { notifyAll } from '#server/notifications/service.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import {
  countedOn,
  earningsOf,
  onceFor,
  type PointsCause,
  pointsCause,
  pointsFor,
  pointsKept,
} from '#server/rewards/causes.ts'
import { type Collector, ensureCollectors, lockCollectors } from '#server/rewards/collectors.ts'
import { givenPoints } from '#server/rewards/points.ts'
import { doublingOf } from '#server/rewards/premium-time.ts'

type EarnDeps = Pick<Deps, 'db' | 'ledger' | 'policy' | 'clock' | 'events'>

/** Something that may earn, and the points that it earns if it does. */
type Candidate = { cause: PointsCause; points: number; once: string | null; day: string }

/** Whether what was paid is enough to earn anything. */
export function isEnough(cause: PointsCause): boolean {
  return !('amountMinor' in cause) || cause.amountMinor >= LEAST_EARNING_MINOR
}

/**
 * Gives customers the points that things have earned them, by the rules of docs/rewards.md. What has earned before earns
 * no more, so it may be asked for any number of times. All in one SQL transaction: the points are given and the reason
 * is kept, or neither.
 */
export async function earnPoints(deps: EarnDeps, causes: readonly PointsCause[]): Promise<void> {
  const enough = causes.filter(isEnough)
  if (enough.length === 0) return
  const customerIds = [...new Set(enough.map(({ customerId }) => customerId))]
  await ensureCollectors(deps, customerIds)
  await inTransaction(deps.db, async (trx) => {
    const collectors = await lockCollectors(trx, customerIds)
    // All of them have closed.
    if (collectors.size === 0) return
    const candidates = await withinLimits(deps, trx, await candidatesOf(trx, enough, collectors))
    const earned = await record(trx, candidates)
    if (earned.length > 0) await give(deps, trx, earned, collectors)
  })
}

/** What has not earned yet and happened since its customer collects, oldest first. */
async function candidatesOf(
  trx: Transaction<Database>,
  causes: readonly PointsCause[],
  collectors: ReadonlyMap<string, Collector>,
): Promise<Candidate[]> {
  const known = await trx
    .selectFrom('bank.points_earning')
    .select(['cause_id', 'once_for'])
    .where(({ eb, or }) => {
      const once = causes.map(onceFor).filter((key) => key !== null)
      const causeIds = causes.map(({ causeId }) => causeId)
      return or([eb('cause_id', 'in', causeIds), ...(once.length > 0 ? [eb('once_for', 'in', once)] : [])])
    })
    .execute()
  const taken = new Set<string | null>(known.flatMap((row) => [row.cause_id, row.once_for]))
  const isDoubled = await doublingOf(trx, [...collectors.keys()])
  const candidates: Candidate[] = []
  for (const cause of causes.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const { causeId, customerId, at } = cause
    const once = onceFor(cause)
    const since = collectors.get(customerId)?.since
    if (!since || at < since || taken.has(causeId) || (once !== null && taken.has(once))) continue
    taken.add(causeId).add(once)
    const points = pointsFor(cause, { doubled: isDoubled(customerId, at) })
    candidates.push({ cause, points, once, day: countedOn(cause) })
  }
  return candidates
}

/** What still fits into the day or the month that it counts to. */
async function withinLimits(
  { policy }: Pick<Deps, 'policy'>,
  trx: Transaction<Database>,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  if (candidates.length === 0) return []
  const { paymentsPerDay, sendsPerDay, referralsPerMonth, directDebitsPerMonth } = policy.rewards
  const rows = await trx
    .selectFrom('bank.points_earning')
    .select(({ fn }) => [
      'customer_id',
      'kind',
      sql<string>`counted_on::text`.as('day'),
      fn.countAll<number>().as('count'),
    ])
    .where('customer_id', 'in', [...new Set(candidates.map(({ cause }) => cause.customerId))])
    .where('counted_on', 'in', [...new Set(candidates.map(({ day }) => day))])
    .groupBy(['customer_id', 'counted_on', 'kind'])
    .execute()
  const counts = new Map(rows.map((row) => [`${row.customer_id} ${row.day} ${row.kind}`, row.count]))
  return candidates.filter(({ cause: { customerId, kind }, day }) => {
    const key = (of: PointsCause['kind']) => `${customerId} ${day} ${of}`
    const count = (of: PointsCause['kind']) => counts.get(key(of)) ?? 0
    const fits = {
      card: count('card') + count('send') < paymentsPerDay,
      send: count('card') + count('send') < paymentsPerDay && count('send') < sendsPerDay,
      refer_friend: count('refer_friend') < referralsPerMonth,
      direct_debit: count('direct_debit') < directDebitsPerMonth,
    }[kind]
    if (fits) counts.set(key(kind), count(kind) + 1)
    return fits
  })
}

/** Keeps what has earned. What another server's transaction was first with is left out: a pair's other side, say. */
async function record(trx: Transaction<Database>, candidates: readonly Candidate[]): Promise<Candidate[]> {
  if (candidates.length === 0) return []
  const rows = candidates.map(({ cause, points, once, day }) => ({
    cause_id: cause.causeId,
    customer_id: cause.customerId,
    kind: cause.kind,
    counted_on: day,
    once_for: once,
    amount_minor: 'amountMinor' in cause ? cause.amountMinor : null,
    points,
  }))
  // In one order everywhere, so that two servers wait for each other and never cross.
  const inOrder = rows.toSorted((a, b) => ((a.once_for ?? '') < (b.once_for ?? '') ? -1 : 1))
  const added = await trx
    .insertInto('bank.points_earning')
    .values(inOrder)
    .onConflict((conflict) => conflict.doNothing())
    .returning('cause_id')
    .execute()
  const ids = new Set(added.map((row) => row.cause_id))
  return candidates.filter(({ cause }) => ids.has(cause.causeId))
}

/** Posts the points, less what a refund that came first takes back and what their collector still owes. */
async function give(
  deps: Pick<Deps, 'ledger' | 'clock' | 'events'>,
  trx: Transaction<Database>,
  earned: readonly Candidate[],
  collectors: ReadonlyMap<string, Collector>,
): Promise<void> {
  const refunded = await refundsOf(
    trx,
    earned.map(({ cause }) => cause.causeId),
  )
  const operations: Operation[] = []
  const owing = new Set<Collector>()
  for (const { cause, points } of earned) {
    const collector = collectors.get(cause.customerId)
    if (!collector) continue
    const refundedMinor = refunded.get(cause.causeId) ?? 0
    const kept = 'amountMinor' in cause ? pointsKept(points, cause.amountMinor, refundedMinor) : points
    if (kept < points) await noteTakenBack(trx, cause.causeId, points - kept)
    const paid = Math.min(collector.owed, kept)
    if (paid > 0) {
      collector.owed -= paid
      owing.add(collector)
    }
    if (kept > paid) operations.push(earningOperation(cause, collector, kept - paid))
  }
  const friends = earned.filter(({ cause }) => cause.kind === 'refer_friend')
  const joined = friends.map(({ cause: { customerId } }) => ({
    customerId,
    kind: 'friend_joined' as const,
    params: {},
  }))
  if (joined.length > 0) await notifyAll(deps, trx, joined)
  for (const { customerId, owed } of owing) await setOwed(trx, customerId, owed)
  if (operations.length > 0) await deps.ledger.postWithin(runIn(trx), operations)
}

function earningOperation(cause: PointsCause, { accountId }: Collector, points: number): Operation {
  const note = 'name' in cause ? { note: cause.name } : {}
  return {
    ...derived('rewards', cause.causeId, 'points'),
    kind: `rewards.${cause.kind}`,
    fingerprint: fingerprintOf('rewards', accountId, cause.causeId),
    bookedAt: cause.at,
    legs: [givenPoints({ accountId, points, earned: earningsOf(cause), ...note, byCard: cause.kind === 'card' })],
  }
}

/** What has come back of payments, US cents, by payment. */
export async function refundsOf(trx: Transaction<Database>, causeIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('bank.points_refund')
    .select(({ fn }) => ['cause_id', fn.sum<string>('amount_minor').as('sum')])
    .where('cause_id', 'in', causeIds)
    .groupBy('cause_id')
    .execute()
  return new Map(rows.map((row) => [row.cause_id, Number(row.sum)]))
}

export async function noteTakenBack(trx: Transaction<Database>, causeId: string, takenBack: number): Promise<void> {
  await trx.updateTable('bank.points_earning').set({ taken_back: takenBack }).where('cause_id', '=', causeId).execute()
}

export async function setOwed(trx: Transaction<Database>, customerId: string, owed: number): Promise<void> {
  await trx.updateTable('bank.collector').set({ owed }).where('customer_id', '=', customerId).execute()
}

export const earnPointsJob = defineJob({
  name: 'rewards.earn',
  payload: pointsCause,
  work: (deps, cause) => earnPoints(deps, [cause]),
})

/**
 * Has a customer given the points that something earns, a moment after the SQL transaction of its cause commits, and not
 * at all where it rolls back. It takes no lock, so the cause waits for nothing.
 */
export async function earnPointsSoon(trx: Transaction<Database>, cause: PointsCause): Promise<void> {
  if (isEnough(cause)) await enqueue(trx, earnPointsJob, cause)
}
