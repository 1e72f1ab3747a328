import { z } from 'zod'
import { amountMinor, asset, day, signedMinor } from '#contract/common.ts'

/** What kinds of payments are known in advance. */
export const UPCOMING_KINDS = ['scheduled', 'direct_debit', 'loan', 'investment', 'recurring_buy'] as const

/** A payment that is known in advance. */
export const upcomingPayment = z.object({
  kind: z.enum(UPCOMING_KINDS),
  /** Of what makes it: a schedule, a mandate, a plan. */
  id: z.string(),
  /** Whom it is paid to; '' of a loan, which is paid to the bank; the code of the fund or coin that it buys. */
  name: z.string(),
  amountMinor,
  asset,
  /** The bank's day on which it is due. */
  dueOn: day,
})
export type UpcomingPayment = z.infer<typeof upcomingPayment>

/** What is coming up, and what that leaves. */
export const upcoming = z.object({
  /** The next ones, the nearest first. */
  next: z.array(upcomingPayment),
  /** What is due until the end of the month, in `asset`. */
  dueThisMonthMinor: signedMinor,
  asset,
  /** What is left to spend once that is paid; below zero where it does not suffice. */
  leftMinor: signedMinor,
})
export type Upcoming = z.infer<typeof upcoming>
