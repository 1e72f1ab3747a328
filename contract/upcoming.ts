import { z } from 'zod'
import { amountMinor, asset, day, signedMinor } from '#contract/common.ts'

/** The kinds of upcoming payments. */
export const UPCOMING_KINDS = ['scheduled', 'direct_debit', 'loan', 'investment', 'recurring_buy'] as const

/** An upcoming payment. */
export const upcomingPayment = z.object({
  kind: z.enum(UPCOMING_KINDS),
  /**
   * The id of the object that causes the payment: the scheduled payment, the mandate, the loan, the investment plan or the
   * recurring buy.
   */
  id: z.string(),
  /**
   * The recipient's name. For a loan, it is '', because the bank is the recipient. For an investment or a recurring buy, it is
   * the code of the fund or the coin.
   */
  name: z.string(),
  amountMinor,
  asset,
  /** The due day, in the bank's time zone. */
  dueOn: day,
})
export type UpcomingPayment = z.infer<typeof upcomingPayment>

/** A summary of a customer's upcoming payments. */
export const upcoming = z.object({
  /** The next payments, the nearest first. */
  next: z.array(upcomingPayment),
  /** The sum of the payments in `asset` that are due by the end of the month. */
  dueThisMonthMinor: signedMinor,
  asset,
  /** The available amount less `dueThisMonthMinor`. It is negative if the available amount does not cover these payments. */
  leftMinor: signedMinor,
})
export type Upcoming = z.infer<typeof upcoming>
