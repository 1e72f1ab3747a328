import { z } from 'zod'
import { amountMinor, asset, day, instant, signedMinor, typedText } from '#contract/common.ts'
import { GOAL_ICONS, ROUND_UP_TIMES } from '#contract/goals.ts'
import { LABEL_CODES } from '#contract/line-texts.ts'

const roundUpTimes = z.union(ROUND_UP_TIMES.map((times) => z.literal(times)))
const dayOfMonth = z.int().min(1).max(31)

const goalDetails = {
  name: typedText.min(1).max(60),
  icon: z.enum(GOAL_ICONS),
  targetMinor: amountMinor,
  /** The target date of the goal; null if there is none. */
  targetOn: day.nullable(),
}

/** A request for a new goal. `lockedUntil` is the first day on which money can be withdrawn; null if the goal is not locked. */
export const newGoalRequest = z.strictObject({ ...goalDetails, lockedUntil: day.nullable() })
export type NewGoalRequest = z.infer<typeof newGoalRequest>

/** The complete new settings of the goal. */
export const goalRequest = z.strictObject(goalDetails)
export type GoalRequest = z.infer<typeof goalRequest>

export const goalLockRequest = z.strictObject({ lockedUntil: day })

export const goalMoveRequest = z.strictObject({ amountMinor, asset: z.literal('USD') })
export type GoalMoveRequest = z.infer<typeof goalMoveRequest>

/** The amount that was moved. `savedMinor` is the goal's balance after the move. */
export const goalMoveResponse = z.object({ amountMinor, asset, savedMinor: signedMinor })

export const goalMonthlyRequest = z.strictObject({ amountMinor, asset: z.literal('USD'), dayOfMonth })
export type GoalMonthlyRequest = z.infer<typeof goalMonthlyRequest>

/** The goal that receives round-ups, and their multiplier. If `goalId` is null, round-ups are switched off. */
export const roundUpsRequest = z.strictObject({ goalId: z.string().max(100).nullable(), times: roundUpTimes })
export type RoundUpsRequest = z.infer<typeof roundUpsRequest>

/**
 * The response after a goal was closed. `returnedMinor` is the goal's balance with its interest, which went back to the current
 * account.
 */
export const goalClosedResponse = z.object({ returnedMinor: signedMinor, asset })

export const goal = z.object({
  id: z.string(),
  ...goalDetails,
  asset,
  savedMinor: signedMinor,
  /**
   * The monthly amount with which the goal reaches its target by the target date. Null if the goal has no target date or has
   * reached its target.
   */
  monthlyNeedMinor: amountMinor.nullable(),
  /** The first day on which money can be withdrawn; null if the goal is not locked. */
  lockedUntil: day.nullable(),
  /** The time at which the goal is unlocked early; null if the customer did not request this. */
  unlocksAt: instant.nullable(),
  roundUpTimes: roundUpTimes.nullable(),
  monthly: z.object({ amountMinor, dayOfMonth, nextOn: day }).nullable(),
  interest: z.object({
    /** The interest that was paid since the first of January. */
    paidThisYearMinor: signedMinor,
    /** The interest that accrued up to yesterday and is not paid yet, in whole cents. */
    accruedMinor: signedMinor,
  }),
})
export type Goal = z.infer<typeof goal>

export const goalList = z.object({
  /** The annual rate in hundredths of a percent. */
  interestRateBps: z.int().min(0),
  /** The day of the next interest payment. */
  interestPaidOn: day,
  /** The current business day. */
  today: day,
  goals: z.array(goal),
})
export type GoalList = z.infer<typeof goalList>

export const goalCreatedResponse = z.object({ id: z.string() })

/** The deposits and withdrawals of a goal, the newest first. Withdrawals have negative amounts. */
export const goalActivity = z.object({
  entries: z.array(
    z.object({ id: z.string(), label: z.enum(LABEL_CODES), amountMinor: signedMinor, asset, bookedAt: instant }),
  ),
})
