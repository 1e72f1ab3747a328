import type { SendRequest } from '#contract/payments.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Detail } from '#server/ledger/types.ts'

/** A send whose recipient has been read: `debitName` is what the sender will read in their own list. */
export type Payment = { debitName: string; send: SendRequest; sender: Customer; key: RequestKey }

/** What both sides of a payment between people read. */
export function paymentDetail(debitName: string, creditName: string, note: string | null | undefined): Detail {
  return { debitName, creditName, category: 'transfer', method: 'alder_transfer', ...(note ? { note } : {}) }
}
