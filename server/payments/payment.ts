import type { SendRequest } from '#contract/payments.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Detail, Operation } from '#server/ledger/types.ts'

/** What names a payment for ever: a request's key, or an id that the bank derived. */
export type PaymentKey = { operationId: string } & Pick<Operation, 'fingerprint' | 'derivedFrom'>

/** A send whose recipient has been read: `debitName` is what the sender will read in their own list. */
export type Payment = { debitName: string; send: SendRequest; sender: Customer; key: PaymentKey }

/** How a payment's operation is named. */
export function namedBy({ operationId: id, fingerprint, derivedFrom }: PaymentKey) {
  return { id, fingerprint, ...(derivedFrom && { derivedFrom }) }
}

/** What both sides of a payment between people read. */
export function paymentDetail(debitName: string, creditName: string, note: string | null | undefined): Detail {
  return { debitName, creditName, category: 'transfer', method: 'alder_transfer', ...(note ? { note } : {}) }
}
