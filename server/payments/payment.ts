import type { SendRequest } from '#contract/payments.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Detail, Operation } from '#server/ledger/types.ts'

/** The permanent id of a payment: a request's key, or an id that the bank derived. */
export type PaymentKey = { operationId: string } & Pick<Operation, 'fingerprint' | 'derivedFrom'>

/** A payment whose recipient is known. `debitName` is the name in the sender's own list. */
export type Payment = { debitName: string; send: SendRequest; sender: Customer; key: PaymentKey }

/** Returns the fields that identify a payment's operation. */
export function operationIdentity({ operationId: id, fingerprint, derivedFrom }: PaymentKey) {
  return { id, fingerprint, ...(derivedFrom && { derivedFrom }) }
}

/** Returns the description of a payment between people, for both sides. */
export function paymentDetail(debitName: string, creditName: string, note: string | null | undefined): Detail {
  return { debitName, creditName, category: 'transfer', method: 'alder_transfer', ...(note ? { note } : {}) }
}
