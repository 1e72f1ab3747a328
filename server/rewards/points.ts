import { randomUUIDv7 } from 'node:crypto'
import { EARN, type Earning } from '#contract/rewards.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Leg, Operation } from '#server/ledger/types.ts'

type Given = {
  accountId: AccountId
  points: number
  earned: readonly Earning[]
  /** Whom or what the payment was to. */
  note?: string
  byCard?: boolean
}

/** The step of an operation that gives a customer points. */
export function givenPoints({ accountId, points, earned, note, byCard }: Given): Leg {
  return {
    kind: 'transfer',
    debit: bankAccount('points_issued', 'POINTS'),
    credit: accountId,
    amountMinor: points,
    // What is earned beside the payment itself says more.
    detail: { label: `points.${earned.at(-1) ?? 'payment'}`, ...(note && { note }), ...(byCard && { method: 'card' }) },
  }
}

/** The step of an operation that gives a customer the points it earns, outside Premium and all limits. */
export function pointsLeg({ earned, ...given }: Omit<Given, 'points'>): Leg {
  return givenPoints({ ...given, points: earned.reduce((sum, earning) => sum + EARN[earning], 0), earned })
}

/** The operation that rewards something that is no payment itself: a friend referred, a direct debit set up. */
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
