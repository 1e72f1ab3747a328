import { dayOf } from '#server/calendar/zone.ts'
import type { Selectable, Transaction } from 'kysely'
import { z } from 'zod'
import { accountsById } from '#server/ledger/accounts.ts'
import { findOperations } from '#server/ledger/find-operations.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { executeIn } from '#server/ledger/execute.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { SqlStatement } from '#server/platform/db/statement.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueued } from '#server/platform/jobs/queue.ts'
import { pointsAfterRefund } from '#server/rewards/causes.ts'
import { type Collector, ensureCollectors, lockCollectors } from '#server/rewards/collectors.ts'
import { recordPointsTakenBack, refundsOf, setOwedPoints } from '#server/rewards/earning.ts'

const pointsRefund = z.object({
  /**
   * The id of the refund's operation, a lower-case UUID. The same id counts only once, even if the refund is reported
   * repeatedly.
   */
  refundId: z.uuid().lowercase(),
  /** The id of the cause that earned the points. */
  causeId: z.uuid().lowercase(),
  customerId: z.uuid(),
  /** The refunded amount in US cents. */
  amountMinor: z.int().positive(),
  at: z.coerce.date(),
})
export type PointsRefund = z.infer<typeof pointsRefund>

type Earned = Pick<Selectable<Database['bank.points_earning']>, 'points' | 'taken_back' | 'amount_minor'>

/**
 * Takes back the points for a refunded amount. Points that the customer has already spent become a debt, which their next
 * points repay. The result is the same if a refund is processed before the payment has earned its points.
 */
export async function takePointsBack(deps: Pick<Deps, 'db' | 'ledger'>, refund: PointsRefund): Promise<void> {
  const { refundId, causeId, customerId, amountMinor } = refund
  await ensureCollectors(deps, [customerId])
  await inTransaction(deps.db, async (trx) => {
    const collector = (await lockCollectors(trx, [customerId])).get(customerId)
    if (!collector) return
    const addedRefund = await trx
      .insertInto('bank.points_refund')
      .values({ refund_id: refundId, cause_id: causeId, amount_minor: amountMinor })
      .onConflict((conflict) => conflict.doNothing())
      .returning('refund_id')
      .executeTakeFirst()
    const earned = addedRefund && (await earnedBy(trx, collector, causeId))
    if (!earned) return
    const refundedMinor = (await refundsOf(trx, [causeId])).get(causeId) ?? 0
    const remainingPoints = pointsAfterRefund(
      earned.points,
      earned.amount_minor ?? 0,
      Math.min(refundedMinor, earned.amount_minor ?? 0),
    )
    const pointsDue = earned.points - remainingPoints - earned.taken_back
    if (pointsDue <= 0) return
    await recordPointsTakenBack(trx, causeId, earned.points - remainingPoints)
    await takePoints(deps, trx, { refund, collector, due: pointsDue })
  })
}

/** Returns the points that a payment has earned its customer, or null if there were none. */
async function earnedBy(trx: Transaction<Database>, collector: Collector, causeId: string): Promise<Earned | null> {
  const updated = await trx
    .selectFrom('bank.points_earning')
    .select(['points', 'taken_back', 'amount_minor', 'customer_id'])
    .where('cause_id', '=', causeId)
    .executeTakeFirst()
  if (updated) return updated.customer_id === collector.customerId && updated.amount_minor !== null ? updated : null
  return earnedWithin(trx, collector, causeId)
}

/**
 * Returns the points that were given in the payment's own operation, and stores them. Only payments of the sample history have
 * such points.
 */
async function earnedWithin(trx: Transaction<Database>, collector: Collector, causeId: string): Promise<Earned | null> {
  const booked = (await findOperations(executeIn(runIn(trx)), [causeId])).get(causeId)
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

type PointsTaking = { refund: PointsRefund; collector: Collector; due: number }

async function takePoints(
  deps: Pick<Deps, 'ledger'>,
  trx: Transaction<Database>,
  { refund, collector, due: pointsDue }: PointsTaking,
): Promise<void> {
  const { customerId, accountId } = collector
  const [account] = await accountsById(runIn(trx), [accountId])
  const takenMinor = Math.min(pointsDue, account?.availableMinor ?? 0)
  if (takenMinor < pointsDue) await setOwedPoints(trx, customerId, collector.owed + pointsDue - takenMinor)
  if (takenMinor === 0) return
  await deps.ledger.postWithin(runIn(trx), [
    {
      ...derivedIdentity('rewards', refund.refundId, 'points'),
      kind: 'rewards.take_back',
      fingerprint: fingerprintOf('rewards.take_back', accountId, refund.refundId),
      bookedAt: refund.at,
      legs: [
        {
          kind: 'transfer',
          debit: accountId,
          credit: bankAccount('points_issued', 'POINTS'),
          amountMinor: takenMinor,
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

/** Returns the statement that enqueues the job for a refund. The job runs after the SQL transaction of the refund commits. */
export const enqueuePointsTakeBack = (refund: PointsRefund): SqlStatement => enqueued(takePointsBackJob, refund)
