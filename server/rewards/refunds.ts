import { dayOf } from '#server/calendar/zone.ts'
import type { Selectable, Transaction } from 'kysely'
import { z } from 'zod'
import { accountsById } from '#server/ledger/accounts.ts'
import { fetchBooked } from '#server/ledger/booked.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { executeIn } from '#server/ledger/execute.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Statement } from '#server/platform/db/statement.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueued } from '#server/platform/jobs/queue.ts'
import { pointsKept } from '#server/rewards/causes.ts'
import { type Collector, ensureCollectors, lockCollectors } from '#server/rewards/collectors.ts'
import { noteTakenBack, refundsOf, setOwed } from '#server/rewards/earning.ts'

const pointsRefund = z.object({
  /** The operation that gave the money back, a lower-case UUID: it counts once, whoever tells of it how often. */
  refundId: z.uuid().lowercase(),
  /** What the payment earned its points as: the cause's id. */
  causeId: z.uuid().lowercase(),
  customerId: z.uuid(),
  /** What came back, US cents. */
  amountMinor: z.int().positive(),
  at: z.coerce.date(),
})
export type PointsRefund = z.infer<typeof pointsRefund>

type Earned = Pick<Selectable<Database['bank.points_earning']>, 'points' | 'taken_back' | 'amount_minor'>

/**
 * Takes back the points of what came back of a payment. What the customer has spent by now they owe, and pay with the
 * next points they earn. It comes to the same whichever of the earning and the refunds is told of first.
 */
export async function takePointsBack(deps: Pick<Deps, 'db' | 'ledger'>, refund: PointsRefund): Promise<void> {
  const { refundId, causeId, customerId, amountMinor } = refund
  await ensureCollectors(deps, [customerId])
  await inTransaction(deps.db, async (trx) => {
    const collector = (await lockCollectors(trx, [customerId])).get(customerId)
    if (!collector) return
    const added = await trx
      .insertInto('bank.points_refund')
      .values({ refund_id: refundId, cause_id: causeId, amount_minor: amountMinor })
      .onConflict((conflict) => conflict.doNothing())
      .returning('refund_id')
      .executeTakeFirst()
    const earned = added && (await earnedBy(trx, collector, causeId))
    if (!earned) return
    const refundedMinor = (await refundsOf(trx, [causeId])).get(causeId) ?? 0
    const kept = pointsKept(earned.points, earned.amount_minor ?? 0, Math.min(refundedMinor, earned.amount_minor ?? 0))
    const due = earned.points - kept - earned.taken_back
    if (due <= 0) return
    await noteTakenBack(trx, causeId, earned.points - kept)
    await take(deps, trx, { refund, collector, due })
  })
}

/** What the payment has earned its customer, or null where it was nothing. */
async function earnedBy(trx: Transaction<Database>, collector: Collector, causeId: string): Promise<Earned | null> {
  const kept = await trx
    .selectFrom('bank.points_earning')
    .select(['points', 'taken_back', 'amount_minor', 'customer_id'])
    .where('cause_id', '=', causeId)
    .executeTakeFirst()
  if (kept) return kept.customer_id === collector.customerId && kept.amount_minor !== null ? kept : null
  return earnedWithin(trx, collector, causeId)
}

/** Of a payment whose operation gave the points itself: those of the sample story did. */
async function earnedWithin(trx: Transaction<Database>, collector: Collector, causeId: string): Promise<Earned | null> {
  const booked = (await fetchBooked(executeIn(runIn(trx)), [causeId])).get(causeId)
  const points = (booked?.legs ?? [])
    .filter(({ credit }) => credit === collector.accountId)
    .reduce((sum, leg) => sum + leg.amountMinor, 0)
  const [paid] = booked?.legs ?? []
  if (!booked || !paid || points === 0) return null
  await trx
    .insertInto('bank.points_earning')
    .values({
      cause_id: causeId,
      customer_id: collector.customerId,
      kind: 'card',
      counted_on: dayOf(booked.bookedAt),
      amount_minor: paid.amountMinor,
      points,
    })
    .execute()
  return { points, taken_back: 0, amount_minor: paid.amountMinor }
}

type Taking = { refund: PointsRefund; collector: Collector; due: number }

async function take(
  deps: Pick<Deps, 'ledger'>,
  trx: Transaction<Database>,
  { refund, collector, due }: Taking,
): Promise<void> {
  const { customerId, accountId } = collector
  const [account] = await accountsById(runIn(trx), [accountId])
  const taken = Math.min(due, account?.availableMinor ?? 0)
  if (taken < due) await setOwed(trx, customerId, collector.owed + due - taken)
  if (taken === 0) return
  await deps.ledger.postWithin(runIn(trx), [
    {
      ...derived('rewards', refund.refundId, 'points'),
      kind: 'rewards.take_back',
      fingerprint: fingerprintOf('rewards.take_back', accountId, refund.refundId),
      bookedAt: refund.at,
      legs: [
        {
          kind: 'transfer',
          debit: accountId,
          credit: bankAccount('points_issued', 'POINTS'),
          amountMinor: taken,
          detail: { label: 'points.refund' },
        },
      ],
    },
  ])
}

export const takePointsBackJob = defineJob({
  name: 'rewards.take_back',
  payload: pointsRefund,
  work: takePointsBack,
})

/** The statement that has the points of a refund taken back, a moment after the SQL transaction of the refund commits. */
export const pointsTakenBack = (refund: PointsRefund): Statement => enqueued(takePointsBackJob, refund)
