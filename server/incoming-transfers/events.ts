import { z } from 'zod'
import { printedText } from '#contract/common.ts'
import { MAX_ACCOUNT_NUMBER, MAX_PAYER_NAME, MAX_REFERENCE, MAX_TRANSFER_MINOR } from '#contract/incoming-transfers.ts'
import { recallTransfer } from '#server/incoming-transfers/recalling.ts'
import { receiveTransfer } from '#server/incoming-transfers/receiving.ts'
import { eventFields, railEvents } from '#server/rails/event.ts'

/** `id` is the provider's id of the transfer. */
const moneyFields = {
  ...eventFields,
  amountMinor: z.int().positive().max(MAX_TRANSFER_MINOR),
  asset: z.literal('USD'),
}

const receivedTransfer = z.strictObject({
  type: z.literal('transfer.received'),
  ...moneyFields,
  /** The account number as the sender typed it. The bank checks whether it belongs to an account. */
  accountNumber: printedText(MAX_ACCOUNT_NUMBER),
  payerName: printedText(MAX_PAYER_NAME),
  reference: printedText(MAX_REFERENCE).optional(),
  /** `salary` means that the network marks the transfer as pay for work. */
  purpose: z.enum(['salary', 'other']).default('other'),
})

const recalled = z.strictObject({ type: z.literal('transfer.recalled'), ...moneyFields })

/** The events through which a provider reports transfers from other banks to accounts of this bank. */
export const incomingTransferEvents = [
  railEvents(['transfer.received'], receivedTransfer, (deps, event) =>
    receiveTransfer(deps, { ...event, reference: event.reference ?? null, rail: 'provider', event }),
  ),
  railEvents(['transfer.recalled'], recalled, (deps, event) =>
    recallTransfer(deps, { ...event, rail: 'provider', event }),
  ),
]
