import { z } from 'zod'
import { SHOP_CATEGORIES } from '#contract/categories.ts'
import { declineReason } from '#contract/card-scheme.ts'
import { transaction } from '#contract/accounts.ts'
import { amountMinor, instant } from '#contract/common.ts'

/** The sample bank's own panel: its date, and what the visitor tells somebody who wants to send them money. */
export const samplePanel = z.object({
  /** Business time. */
  now: instant,
  /** Whether any visitor may put the date forward, or whoever runs the bank alone. */
  dateMovedBy: z.enum(['everybody', 'operator']),
  customer: z.object({ fullName: z.string(), email: z.string(), phone: z.string().nullable() }),
})
export type SamplePanel = z.infer<typeof samplePanel>

/** How far the date may be put forward at once. */
const MOST_DAYS = 31

/** Days or a calendar month, one of the two. */
export const clockRequest = z
  .strictObject({ days: z.int().min(1).max(MOST_DAYS).optional(), months: z.literal(1).optional() })
  .refine(({ days, months }) => (days === undefined) !== (months === undefined), 'days or months')
export type ClockRequest = z.infer<typeof clockRequest>

/** `movingTo`: the date that the bank is moving to, day by day; null once it has arrived. */
export const clockResponse = z.object({ now: instant, movingTo: instant.nullable() })

/** Where a shop charges the card: at home, abroad, or for more than the card may pay. What is left out is chosen by chance. */
export const chargeRequest = z.strictObject({
  where: z.enum(['home', 'abroad', 'declined']).default('home'),
  category: z.enum(SHOP_CATEGORIES).optional(),
  amountMinor: amountMinor.optional(),
})
export type ChargeRequest = z.input<typeof chargeRequest>

/** The payment, or why there is none. */
export const chargeResponse = z.object({
  transaction: transaction.nullable(),
  declined: declineReason.nullable(),
})

/** Of a request that says all by being made. */
export const nothing = z.strictObject({})

export const sampleTransaction = z.object({ transaction })
