import type { Deps } from '#server/platform/deps.ts'
import type { Recipient } from '#server/platform/http/response-recipient.ts'
import type { Receipt } from '#server/accounts/receipt-words.ts'

/**
 * The function that draws receipts in a worker thread, because loading its fonts alone takes a tenth of a second of processor
 * time.
 */
const RENDERER = { filename: import.meta.resolve('#server/accounts/receipt.ts'), name: 'receiptPdf' }

/**
 * Returns the PDF of a customer's receipt. Throws Refusal `too_many_requests` if the customer requests too many receipts at the
 * same time, and `unavailable` under heavy load.
 */
export function makeReceipt(
  { concurrencyLimits: shares, workers }: Pick<Deps, 'concurrencyLimits' | 'workers'>,
  customerId: string,
  receipt: Receipt,
  { gone }: Recipient,
): Promise<Uint8Array<ArrayBuffer>> {
  return shares.receipts(
    customerId,
    () => workers.run(receipt, RENDERER) as Promise<Uint8Array<ArrayBuffer>>,
    () => !gone.aborted,
  )
}
