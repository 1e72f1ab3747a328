import type { Deps } from '#server/platform/deps.ts'
import type { Recipient } from '#server/platform/http/recipient.ts'
import type { Receipt } from '#server/accounts/receipt-words.ts'

/** What is run in a thread of its own: its fonts alone keep a processor busy for a tenth of a second. */
const RENDERER = { filename: import.meta.resolve('#server/accounts/receipt.ts'), name: 'receiptPdf' }

/** The PDF of a customer's receipt. Throws Refusal `too_many_requests` where they ask for many at once. */
export function makeReceipt(
  { shares, workers }: Pick<Deps, 'shares' | 'workers'>,
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
