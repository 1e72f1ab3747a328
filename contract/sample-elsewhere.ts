import { z } from 'zod'
import { amountMinor, asset, day, instant } from '#contract/common.ts'
import { DEBIT_STATUSES } from '#contract/direct-debits.ts'
import { RETURN_REASONS } from '#contract/linked-accounts.ts'

/** What a customer's other banks would show them: what arrived from this one, newest first. */
export const otherBanks = z.object({
  arrivals: z.array(
    z.object({
      id: z.string(),
      /** The account's, as the customer called it. */
      name: z.string(),
      lastFour: z.string().nullable(),
      kind: z.enum(['deposit', 'withdrawal']),
      amountMinor,
      asset,
      arrivedAt: instant,
    }),
  ),
})

/** A biller that asks for a mandate. */
export const billerAsked = z.object({ billerName: z.string() })

/** What became of a bill. */
export const billerCollected = z.object({
  billerName: z.string(),
  amountMinor,
  asset,
  dueOn: day,
  status: z.enum(DEBIT_STATUSES),
})

/** A withdrawal that another bank sent back. */
export const payoutReturned = z.object({ name: z.string(), amountMinor, asset, reason: z.enum(RETURN_REASONS) })
