import { z } from 'zod'
import { amountMinor, asset, instant } from '#contract/common.ts'

/** What made the bank pay for a customer. */
export const OWED_CAUSES = ['card_payment', 'top_up_returned', 'dispute', 'cashback', 'transfer_recalled'] as const
export type OwedCause = (typeof OWED_CAUSES)[number]

/** What a customer owes the bank, and why. Business time. */
export const debt = z.object({
  id: z.string(),
  cause: z.enum(OWED_CAUSES),
  /** The shop's name; '' where there is none. */
  name: z.string(),
  amountMinor,
  /** What is still to be paid, which the bank takes from the next money that comes in. */
  leftMinor: z.int().min(0),
  asset,
  createdAt: instant,
})
export type Debt = z.infer<typeof debt>
