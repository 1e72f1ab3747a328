import { z } from 'zod'
import { amountMinor, asset, instant } from '#contract/common.ts'

/** The causes of a customer's debt to the bank. */
export const OWED_CAUSES = ['card_payment', 'top_up_returned', 'dispute', 'cashback', 'transfer_recalled'] as const
export type OwedCause = (typeof OWED_CAUSES)[number]

/** A customer's debt to the bank, and its cause. Times are in business time. */
export const debt = z.object({
  id: z.string(),
  cause: z.enum(OWED_CAUSES),
  /** The name of the shop, or of the sender of a recalled transfer; '' if there is no name. */
  name: z.string(),
  amountMinor,
  /** The unpaid part. The bank takes it from the next incoming money. */
  leftMinor: z.int().min(0),
  asset,
  createdAt: instant,
})
export type Debt = z.infer<typeof debt>
