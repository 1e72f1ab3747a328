import { sql, type Transaction } from 'kysely'
import { MIN_EARNING_MINOR } from '#contract/rewards.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Operation } from '#server/ledger/types.ts'
import { notifyAll } from '#server/notifications/service.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import {
  countingDay,
  earningsOf,
  uniqueKeyOf,
  type PointsCause,
  pointsCause,
  pointsFor,
  pointsAfterRefund,
} from '#server/rewards/causes.ts'
import { type Collector, ensureCollectors, lockCollectors } from '#server/rewards/collectors.ts'
import { pointsGrantLeg } from '#server/rewards/points.ts'
import { readDoubling } from '#server/rewards/premium-time.ts'

type EarnDeps = Pick<Deps, 'db' | 'ledger' | 'policy' | 'clock' | 'events'>

/** A cause that may earn, with its points. */
type Candidate = { cause: PointsCause; points: number; once: string | null; day: string }

/** Returns whether a cause is large enough to earn points. Causes without an amount always are. */
export function earnsPoints(cause: PointsCause): boolean {
  return !('amountMinor' in cause) || cause.amountMinor >= MIN_EARNING_MINOR
}

/**
 * Gives customers the points for their causes, by the rules of docs/rewards.md. A cause earns only once, so calls may be
 * repeated. The points and their reason are written in the same SQL transaction.
 */
export async function earnPoints(deps: EarnDeps, causes: readonly PointsCause[]): Promise<void> {
  const enough = causes.filter(earnsPoints)
  if (enough.length === 0) return
  const customerIds = [...new Set(enough.map(({ customerId }) => customerId))]
  await ensureCollectors(deps, customerIds)
  await inTransaction(deps.db, async (trx) => {
    const collectors = await lockCollectors(trx, customerIds)
    // All of these customers have closed.
    if (collectors.size === 0) return
    const candidates = await withinLimits(deps, trx, await candidatesOf(trx, enough, collectors))
    const earned = await record(trx, candidates)
    if (earned.length > 0) await givePoints(deps, trx, earned, collectors)
  })
}

/** Returns the causes that have no points yet, oldest first. Causes from before the `since` of their collector are left out. */
async function candidatesOf(
  trx: Transaction<Database>,
  causes: readonly PointsCause[],
  collectors: ReadonlyMap<string, Collector>,
): Promise<Candidate[]> {
  const stored = await trx
    .selectFrom('bank.points_earning')
    .select(['cause_id', 'once_for'])
    .where(({ eb, or }) => {
      const once = causes.map(uniqueKeyOf).filter((key) => key !== null)
      const causeIds = causes.map(({ causeId }) => causeId)
      return or([eb('cause_id', 'in', causeIds), ...(once.length > 0 ? [eb('once_for', 'in', once)] : [])])
    })
    .execute()
  const earnedCauses = new Set<string | null>(stored.flatMap((row) => [row.cause_id, row.once_for]))
  const isDoubled = await readDoubling(trx, [...collectors.keys()])
  const candidates: Candidate[] = []
  for (const cause of causes.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const { causeId, customerId, at: earnedAt } = cause
    const once = uniqueKeyOf(cause)
    const since = collectors.get(customerId)?.since
    if (!since || earnedAt < since || earnedCauses.has(causeId) || (once !== null && earnedCauses.has(once))) continue
    earnedCauses.add(causeId).add(once)
    const points = pointsFor(cause, { doubled: isDoubled(customerId, earnedAt) })
    candidates.push({ cause, points, once, day: countingDay(cause) })
  }
  return candidates
}

/** Returns the candidates that are still within the limits of their day or month. */
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

/**
 * Stores the causes that earn points, and returns them. A cause is left out if another transaction has already stored it or a
 * cause with the same key, such as a payment in the opposite direction.
 */
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
  // All servers use the same order, so that their locks never form a deadlock.
  const inOrder = rows.toSorted((a, b) => ((a.once_for ?? '') < (b.once_for ?? '') ? -1 : 1))
  const addedRows = await trx
    .insertInto('bank.points_earning')
    .values(inOrder)
    .onConflict((conflict) => conflict.doNothing())
    .returning('cause_id')
    .execute()
  const ids = new Set(addedRows.map((row) => row.cause_id))
  return candidates.filter(({ cause }) => ids.has(cause.causeId))
}

/** Posts the points. Points for an amount that was already refunded, and points that the collector owes, are subtracted. */
async function givePoints(
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
  const owingCollectors = new Set<Collector>()
  for (const { cause, points } of earned) {
    const collector = collectors.get(cause.customerId)
    if (!collector) continue
    const refundedMinor = refunded.get(cause.causeId) ?? 0
    const remainingPoints =
      'amountMinor' in cause ? pointsAfterRefund(points, cause.amountMinor, refundedMinor) : points
    if (remainingPoints < points) await recordPointsTakenBack(trx, cause.causeId, points - remainingPoints)
    const paid = Math.min(collector.owed, remainingPoints)
    if (paid > 0) {
      collector.owed -= paid
      owingCollectors.add(collector)
    }
    if (remainingPoints > paid) operations.push(earningOperation(cause, collector, remainingPoints - paid))
  }
  const friends = earned.filter(({ cause }) => cause.kind === 'refer_friend')
  const notices = friends.map(({ cause: { customerId } }) => ({
    customerId,
    kind: 'friend_joined' as const,
    params: {},
  }))
  if (notices.length > 0) await notifyAll(deps, trx, notices)
  for (const { customerId, owed } of owingCollectors) await setOwedPoints(trx, customerId, owed)
  if (operations.length > 0) await deps.ledger.postWithin(runIn(trx), operations)
}

function earningOperation(cause: PointsCause, { accountId }: Collector, points: number): Operation {
  const note = 'name' in cause ? { note: cause.name } : {}
  return {
    ...derivedIdentity('rewards', cause.causeId, 'points'),
    kind: `rewards.${cause.kind}`,
    fingerprint: fingerprintOf('rewards', accountId, cause.causeId),
    bookedAt: cause.at,
    legs: [pointsGrantLeg({ accountId, points, earned: earningsOf(cause), ...note, byCard: cause.kind === 'card' })],
  }
}

/** Returns the refunded amounts of payments, in US cents, by the id of the payment. */
export async function refundsOf(trx: Transaction<Database>, causeIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('bank.points_refund')
    .select(({ fn }) => ['cause_id', fn.sum<string>('amount_minor').as('sum')])
    .where('cause_id', 'in', causeIds)
    .groupBy('cause_id')
    .execute()
  return new Map(rows.map((row) => [row.cause_id, Number(row.sum)]))
}

export async function recordPointsTakenBack(
  trx: Transaction<Database>,
  causeId: string,
  takenBack: number,
): Promise<void> {
  await trx.updateTable('bank.points_earning').set({ taken_back: takenBack }).where('cause_id', '=', causeId).execute()
}

export async function setOwedPoints(trx: Transaction<Database>, customerId: string, owed: number): Promise<void> {
  await trx.updateTable('bank.collector').set({ owed }).where('customer_id', '=', customerId).execute()
}

export const earnPointsJob = defineJob({
  name: 'rewards.earn',
  payload: pointsCause,
  work: (deps, cause) => earnPoints(deps, [cause]),
})

/**
 * Enqueues a job that gives a customer the points of a cause after the SQL transaction commits. A rollback discards the job.
 * Enqueueing takes no lock, so the transaction never waits for one.
 */
export async function enqueueEarnPoints(trx: Transaction<Database>, cause: PointsCause): Promise<void> {
  if (earnsPoints(cause)) await enqueue(trx, earnPointsJob, cause)
}
