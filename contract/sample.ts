import { z } from 'zod'
import { SHOP_CATEGORIES } from '#contract/categories.ts'
import { declineReason } from '#contract/card-scheme.ts'
import { transaction } from '#contract/accounts.ts'
import { amountMinor, instant } from '#contract/common.ts'

/** The panel of the sample bank: its date, and the visitor's contact details for incoming payments. */
export const samplePanel = z.object({
  /** The current business time. */
  now: instant,
  /** The people who may move the date forward: every visitor, or only the operator of the bank. */
  dateMovedBy: z.enum(['everybody', 'operator']),
  customer: z.object({ fullName: z.string(), email: z.string(), phone: z.string().nullable() }),
})
export type SamplePanel = z.infer<typeof samplePanel>

/** The maximum number of days by which one request can move the date. */
const MAX_DAYS = 31

/** A request to move the date forward, either by a number of days or by one calendar month. */
export const clockRequest = z
  .strictObject({ days: z.int().min(1).max(MAX_DAYS).optional(), months: z.literal(1).optional() })
  .refine(({ days, months }) => (days === undefined) !== (months === undefined), 'days or months')
export type ClockRequest = z.infer<typeof clockRequest>

/** `movingTo` is the date to which the bank is moving, day by day; null if the move is complete. */
export const clockResponse = z.object({ now: instant, movingTo: instant.nullable() })

/**
 * A card payment to simulate. `where` is a shop at home, a shop abroad, or a payment above the card's limit or the available
 * amount. Missing values are chosen at random.
 */
export const chargeRequest = z.strictObject({
  where: z.enum(['home', 'abroad', 'declined']).default('home'),
  category: z.enum(SHOP_CATEGORIES).optional(),
  amountMinor: amountMinor.optional(),
})
export type ChargeRequest = z.input<typeof chargeRequest>

/** The transaction of the card payment, or the reason why it was declined. */
export const chargeResponse = z.object({
  transaction: transaction.nullable(),
  declined: declineReason.nullable(),
})

/** The body of a request without parameters. */
export const emptyObject = z.strictObject({})

export const sampleTransaction = z.object({ transaction })
