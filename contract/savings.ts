import { z } from 'zod'
import { amountMinor, asset, day, instant, signedMinor, typedText } from '#contract/common.ts'
import { GOAL_ICONS, ROUND_UP_TIMES } from '#contract/goals.ts'
import { LABEL_CODES } from '#contract/wording.ts'

const roundUpTimes = z.union(ROUND_UP_TIMES.map((times) => z.literal(times)))
const dayOfMonth = z.int().min(1).max(31)

const goalDetails = {
  name: typedText.min(1).max(60),
  icon: z.enum(GOAL_ICONS),
  targetMinor: amountMinor,
  /** When it is to be reached. */
  targetOn: day.nullable(),
}

/** `lockedUntil`: nothing is withdrawn before that day. */
export const newGoalRequest = z.strictObject({ ...goalDetails, lockedUntil: day.nullable() })
export type NewGoalRequest = z.infer<typeof newGoalRequest>

/** All of it, as it is to be. */
export const goalRequest = z.strictObject(goalDetails)
export type GoalRequest = z.infer<typeof goalRequest>

export const goalLockRequest = z.strictObject({ lockedUntil: day })

export const goalMoveRequest = z.strictObject({ amountMinor, asset: z.literal('USD') })
export type GoalMoveRequest = z.infer<typeof goalMoveRequest>

/** What moved, and what the goal held after it. */
export const goalMoveResponse = z.object({ amountMinor, asset, savedMinor: signedMinor })

export const goalMonthlyRequest = z.strictObject({ amountMinor, asset: z.literal('USD'), dayOfMonth })
export type GoalMonthlyRequest = z.infer<typeof goalMonthlyRequest>

/** `goalId`: null where card payments are not rounded up. */
export const roundUpsRequest = z.strictObject({ goalId: z.string().max(100).nullable(), times: roundUpTimes })
export type RoundUpsRequest = z.infer<typeof roundUpsRequest>

/** What was in the goal, its interest included, and is back in the current account. */
export const goalClosedResponse = z.object({ returnedMinor: signedMinor, asset })

export const goal = z.object({
  id: z.string(),
  ...goalDetails,
  asset,
  savedMinor: signedMinor,
  /** To be set aside each month so that the target is reached by its date; null without a date or where it is reached. */
  monthlyNeedMinor: amountMinor.nullable(),
  /** Null where it can be withdrawn from. */
  lockedUntil: day.nullable(),
  /** When it will be unlocked early, where that was asked for. */
  unlocksAt: instant.nullable(),
  roundUpTimes: roundUpTimes.nullable(),
  monthly: z.object({ amountMinor, dayOfMonth, nextOn: day }).nullable(),
  interest: z.object({
    /** Paid since the first of January. */
    paidThisYearMinor: signedMinor,
    /** Accrued up to yesterday and not paid yet, whole cents. */
    accruedMinor: signedMinor,
  }),
})
export type Goal = z.infer<typeof goal>

export const goalList = z.object({
  /** Hundredths of a per cent a year. */
  interestRateBps: z.int().min(0),
  /** When interest is paid next. */
  interestPaidOn: day,
  /** The business day it is. */
  today: day,
  goals: z.array(goal),
})
export type GoalList = z.infer<typeof goalList>

export const goalCreated = z.object({ id: z.string() })

/** What moved in and out of a goal, newest first; amounts signed. */
export const goalActivity = z.object({
  entries: z.array(
    z.object({ id: z.string(), label: z.enum(LABEL_CODES), amountMinor: signedMinor, asset, bookedAt: instant }),
  ),
})
