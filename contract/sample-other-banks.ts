import { z } from 'zod'
import { amountMinor, asset, day, instant, printedText } from '#contract/common.ts'
import { DEBIT_STATUSES } from '#contract/direct-debits.ts'
import {
  MAX_ACCOUNT_NUMBER,
  MAX_PAYER_NAME,
  MAX_REFERENCE,
  SENT_BACK_REASONS,
  MAX_TRANSFER_MINOR,
} from '#contract/incoming-transfers.ts'
import { RETURN_REASONS } from '#contract/linked-accounts.ts'

/** The payments from this bank that arrived at a customer's accounts at other banks, the newest first. */
export const otherBanks = z.object({
  arrivals: z.array(
    z.object({
      id: z.string(),
      /** The customer's own name for the account. */
      name: z.string(),
      lastFour: z.string().nullable(),
      kind: z.enum(['deposit', 'withdrawal']),
      amountMinor,
      asset,
      arrivedAt: instant,
    }),
  ),
})

/** A biller's request for a mandate. */
export const billerRequest = z.object({ billerName: z.string() })

/** The result of a direct debit that a biller collected. */
export const billerCollectionResponse = z.object({
  billerName: z.string(),
  amountMinor,
  asset,
  dueOn: day,
  status: z.enum(DEBIT_STATUSES),
})

/** A transfer from another bank. The sender typed the account number, so it may be wrong. */
export const incomingTransferRequest = z.strictObject({
  payerName: printedText(MAX_PAYER_NAME),
  amountMinor: z.int().positive().max(MAX_TRANSFER_MINOR),
  reference: printedText(MAX_REFERENCE).optional(),
  accountNumber: printedText(MAX_ACCOUNT_NUMBER),
})
export type IncomingTransferRequest = z.infer<typeof incomingTransferRequest>

/**
 * The result of a transfer from another bank. `sentBack` is the reason why the bank returned it; null if the bank credited it.
 */
export const incomingTransferResponse = z.object({
  sentBack: z.enum(SENT_BACK_REASONS).nullable(),
})

/** A transfer that the sender's bank recalled. */
export const transferRecallResponse = z.object({ name: z.string(), amountMinor, asset })

/** A withdrawal that another bank returned. */
export const payoutReturnResponse = z.object({ name: z.string(), amountMinor, asset, reason: z.enum(RETURN_REASONS) })
