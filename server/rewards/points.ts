import { randomUUIDv7 } from 'node:crypto'
import { EARN, type Earning } from '#contract/rewards.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Leg, Operation } from '#server/ledger/types.ts'

type EarnedPoints = {
  accountId: AccountId
  points: number
  earned: readonly Earning[]
  /** The payee of the payment, or another short text about the reason for the points. */
  note?: string
  byCard?: boolean
}

/** Returns the leg of an operation that gives a customer points. */
export function pointsGrantLeg({ accountId, points, earned, note, byCard }: EarnedPoints): Leg {
  return {
    kind: 'transfer',
    debit: bankAccount('points_issued', 'POINTS'),
    credit: accountId,
    amountMinor: points,
    // The label names the last kind of points, which is the most specific. The first kind may be the payment itself.
    detail: { label: `points.${earned.at(-1) ?? 'payment'}`, ...(note && { note }), ...(byCard && { method: 'card' }) },
  }
}

/**
 * Returns the leg of an operation that gives a customer the normal points for some events. Premium does not double them, and no
 * limit applies.
 */
export function pointsLeg({ earned, ...rest }: Omit<EarnedPoints, 'points'>): Leg {
  return pointsGrantLeg({ ...rest, points: earned.reduce((sum, earning) => sum + EARN[earning], 0), earned })
}

/** Returns the operation that rewards an event other than a payment: a referral or a new direct debit. */
export function rewardOperation(reward: {
  pointsAccountId: AccountId
  earning: Earning
  bookedAt: Date
  id?: string
}): Operation {
  const { pointsAccountId, earning, bookedAt } = reward
  return {
    id: reward.id ?? randomUUIDv7(),
    kind: `rewards.${earning}`,
    fingerprint: fingerprintOf('rewards', pointsAccountId, earning),
    bookedAt,
    legs: [pointsLeg({ accountId: pointsAccountId, earned: [earning] })],
  }
}
