import { z } from 'zod'
import { amountMinor, asset, instant, pageQuery, signedMinor } from '#contract/common.ts'
import { REWARD_KEYS } from '#contract/rewards.ts'
import { LABEL_CODES } from '#contract/wording.ts'

const reward = z.enum(REWARD_KEYS)
const points = z.int()

/** Premium as its customer has it. Times are business times. */
export const premium = z.object({
  /** none: they have none. renews: it is paid for and goes on. ends: it stops at `until`. short: a month could not be charged. */
  status: z.enum(['none', 'renews', 'ends', 'short']),
  /** The end of what is paid for; null where they have none. */
  until: instant.nullable(),
  /** When the charge is tried again, where it could not be made. */
  triesAt: instant.nullable(),
  /** What a month costs. */
  priceMinor: amountMinor,
  asset,
})
export type Premium = z.infer<typeof premium>

export const redemption = z.object({
  id: z.string(),
  reward,
  points,
  /** What to show the partner; null where the reward was given at once. */
  code: z.string().nullable(),
  /** The code is of a sample bank, and no shop takes it. */
  isSample: z.boolean(),
  /** Business time. */
  redeemedAt: instant,
})
export type Redemption = z.infer<typeof redemption>

export const rewards = z.object({
  points,
  /** Points that refunds took back after they were spent; the next ones pay for them. */
  owedPoints: points,
  /** All points that were collected, spent or not, and how many the next tier takes. */
  tier: z.object({ points, target: points }),
  catalogue: z.array(
    z.object({
      reward,
      points,
      /** Whether the customer has the points, and the bank the reward. */
      available: z.boolean(),
      /** Whether this bank has the reward at all. */
      offered: z.boolean(),
    }),
  ),
  premium,
  limits: z.object({ paymentsPerDay: z.int(), sendsPerDay: z.int(), referralsPerMonth: z.int() }),
  /** What the customer gives to friends, and how many of them have joined. */
  referral: z.object({ code: z.string(), friends: z.int() }),
})
export type Rewards = z.infer<typeof rewards>

/** The latest rewards that came as codes, the newest first. */
export const rewardCodes = z.object({ codes: z.array(redemption) })

export const redeemRequest = z.strictObject({ reward })
export type RedeemRequest = z.infer<typeof redeemRequest>

export const premiumRequest = z.strictObject({
  /** What the customer was shown as the price of a month. */
  priceMinor: amountMinor,
  asset: z.literal('USD'),
})
export type PremiumRequest = z.infer<typeof premiumRequest>

/** A movement of a customer's points. */
export const pointsLine = z.object({
  id: z.string(),
  /** What it was for, in the words of contract/wording.ts. */
  label: z.enum(LABEL_CODES),
  points: signedMinor,
  /** Whom or what it was about. */
  note: z.string().nullable(),
  /** The note names a merchant or a biller. */
  isCompany: z.boolean(),
  bookedAt: instant,
})
export type PointsLine = z.infer<typeof pointsLine>

export const pointsQuery = z.strictObject(pageQuery)
export const pointsPage = z.object({ lines: z.array(pointsLine), nextCursor: z.string().nullable() })
