import { z } from 'zod'
import { amountMinor, asset, instant, pageQuery, signedMinor } from '#contract/common.ts'
import { REWARD_KEYS } from '#contract/rewards.ts'
import { LABEL_CODES } from '#contract/line-texts.ts'

const reward = z.enum(REWARD_KEYS)
const points = z.int()

/** A customer's Premium subscription. Times are in business time. */
export const premium = z.object({
  /**
   * `none`: the customer has no subscription. `renews`: the subscription is paid and is renewed automatically. `ends`: the
   * customer has canceled, and the subscription ends at `until`. `short`: a monthly charge failed.
   */
  status: z.enum(['none', 'renews', 'ends', 'short']),
  /** The end of the paid period; null without a subscription. */
  until: instant.nullable(),
  /** The time of the next attempt after a failed charge; null if no charge has failed. */
  triesAt: instant.nullable(),
  /** The monthly price. */
  priceMinor: amountMinor,
  asset,
})
export type Premium = z.infer<typeof premium>

export const redemption = z.object({
  id: z.string(),
  reward,
  points,
  /** The code to show to the partner; null if the bank granted the reward immediately. */
  code: z.string().nullable(),
  /** True if the code is from a sample bank. No shop accepts such a code. */
  isSample: z.boolean(),
  /** The time of the redemption, in business time. */
  redeemedAt: instant,
})
export type Redemption = z.infer<typeof redemption>

export const rewards = z.object({
  points,
  /** The points that refunds took back after the customer had spent them. Newly earned points are used to cover them first. */
  owedPoints: points,
  /**
   * `points` is the number of points that the customer has ever earned, including spent points. `target` is the number that the
   * next tier requires.
   */
  tier: z.object({ points, target: points }),
  catalogue: z.array(
    z.object({
      reward,
      points,
      /** True if the bank offers the reward and the customer has enough points. */
      available: z.boolean(),
      /** True if the bank offers the reward. */
      offered: z.boolean(),
    }),
  ),
  premium,
  limits: z.object({ paymentsPerDay: z.int(), sendsPerDay: z.int(), referralsPerMonth: z.int() }),
  /** The customer's referral code, and the number of friends who have joined with it. */
  referral: z.object({ code: z.string(), friends: z.int() }),
})
export type Rewards = z.infer<typeof rewards>

/** The customer's latest rewards that have a code, the newest first. */
export const rewardCodes = z.object({ codes: z.array(redemption) })

export const redeemRequest = z.strictObject({ reward })
export type RedeemRequest = z.infer<typeof redeemRequest>

export const premiumRequest = z.strictObject({
  /** The monthly price, as the screen showed it. */
  priceMinor: amountMinor,
  asset: z.literal('USD'),
})
export type PremiumRequest = z.infer<typeof premiumRequest>

/** A change of a customer's points. */
export const pointsLine = z.object({
  id: z.string(),
  /** The code of the reason for the change. The texts are in contract/line-texts.ts. */
  label: z.enum(LABEL_CODES),
  points: signedMinor,
  /** The name of the person, the merchant or the biller; null if there is none. */
  note: z.string().nullable(),
  /** True if the note is the name of a merchant or a biller. */
  isCompany: z.boolean(),
  bookedAt: instant,
})
export type PointsLine = z.infer<typeof pointsLine>

export const pointsQuery = z.strictObject(pageQuery)
export const pointsPage = z.object({ lines: z.array(pointsLine), nextCursor: z.string().nullable() })
