import { z } from 'zod'
import { amountMinor, asset, day, instant, printedText } from '#contract/common.ts'
import { DEBIT_STATUSES } from '#contract/direct-debits.ts'
import {
  ACCOUNT_NUMBER_MOST,
  PAYER_NAME_MOST,
  REFERENCE_MOST,
  SENT_BACK_REASONS,
  TRANSFER_MOST_MINOR,
} from '#contract/incoming-transfers.ts'
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

/** Money that somebody sends from another bank, to an account number as they have it. */
export const transferSent = z.strictObject({
  payerName: printedText(PAYER_NAME_MOST),
  amountMinor: z.int().positive().max(TRANSFER_MOST_MINOR),
  reference: printedText(REFERENCE_MOST).optional(),
  accountNumber: printedText(ACCOUNT_NUMBER_MOST),
})
export type TransferSent = z.infer<typeof transferSent>

/** What became of it: credited, or sent back for a reason. */
export const transferArrived = z.object({
  sentBack: z.enum(SENT_BACK_REASONS).nullable(),
})

/** A transfer that the sender's bank took back. */
export const transferRecalled = z.object({ name: z.string(), amountMinor, asset })

/** A withdrawal that another bank sent back. */
export const payoutReturned = z.object({ name: z.string(), amountMinor, asset, reason: z.enum(RETURN_REASONS) })
