import type { Transaction as SqlTransaction } from 'kysely'
import type { Transaction } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import type { SendRequest } from '#contract/payments.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { BookedOperation, Operation } from '#server/ledger/types.ts'
import { postLimited } from '#server/limits/service.ts'
import { alertReceived } from '#server/notifications/alerts.ts'
import { holdForNonCustomer } from '#server/payments/claims.ts'
import { operationIdentity, type Payment, paymentDetail, type PaymentKey } from '#server/payments/payment.ts'
import { rememberContact } from '#server/payments/contacts.ts'
import type { Parties, PaymentParties } from '#server/payments/parties.ts'

/** Work in the SQL transaction of a payment after the booking. If it throws, the payment is rolled back. */
export type WithPayment = (trx: SqlTransaction<Database>) => Promise<void>

/**
 * Sends `amountMinor` US cents from a customer's current account to an email or phone. A recipient who is a customer receives
 * the money at once. For any other recipient the money is held for seven days, with a link that claims it. Throws Refusal, in
 * this order: `recipient_invalid`, `recipient_is_self`, `amount_too_large` and `day_limit_reached` for the sender's limits, the
 * ledger's refusals, `limit_reached` for a sender who is not verified, and `too_many_requests` after too many payments to
 * people who are not customers. The recipient's balance does not matter (docs/decisions/0070).
 */
export async function sendMoney(
  deps: Deps,
  parties: Parties,
  send: SendRequest,
  key: PaymentKey,
): Promise<Transaction> {
  return transactionOfBooked(await bookSend(deps, parties, send, key), parties.sender.currentAccountId)
}

/**
 * Sends money as `sendMoney` does, for participants who are known already. `more` is the caller's own work after the booking.
 * It does not run if the payment had been booked before.
 */
export async function bookSend(
  deps: Deps,
  { sender, address, recipient, contact }: PaymentParties,
  send: SendRequest,
  key: PaymentKey,
  more?: WithPayment,
): Promise<BookedOperation> {
  if (!address) throw new Refusal('recipient_invalid', 'recipient')
  if (recipient?.id === sender.id) throw new Refusal('recipient_is_self', 'recipient')
  const payment = { debitName: contact?.name ?? send.recipient, send, sender, key }
  const booked = recipient
    ? await payCustomer(deps, payment, recipient, more)
    : await holdForNonCustomer(deps, payment, address, more)
  if (!booked.replayed) {
    const used = { ownerId: sender.id, address: address.value, displayAddress: send.recipient, name: payment.debitName }
    rememberContact(deps, { ...used, usedAt: booked.bookedAt, paid: true }, contact)
  }
  if (recipient) {
    alertReceived(deps, recipient.id, booked)
    earnForSend(deps, { sender, recipient, booked })
  }
  return booked
}

function earnForSend(
  { paymentPoints }: Pick<Deps, 'paymentPoints'>,
  { sender, recipient, booked }: { sender: Customer; recipient: Customer; booked: BookedOperation },
): void {
  const [leg] = booked.legs
  if (booked.replayed || !leg) return
  const { amountMinor, detail } = leg
  const people = { customerId: sender.id, recipientId: recipient.id }
  const payment = { amountMinor, name: detail.debitName ?? '', at: booked.bookedAt }
  paymentPoints.add({ kind: 'send', causeId: booked.id, ...people, ...payment })
}

function payCustomer(deps: Deps, payment: Payment, recipient: Customer, more?: WithPayment): Promise<BookedOperation> {
  const use = { customer: payment.sender, direction: 'out', amountMinor: payment.send.amountMinor } as const
  const operation = paymentOperation(payment, recipient, deps.clock.businessNow())
  return postLimited(deps, use, operation, { also: more })
}

/** Returns the operation by which one customer pays another. */
export function paymentOperation(payment: Payment, recipient: Customer, bookedAt: Date): Operation {
  const { sender, send } = payment
  const { amountMinor } = send
  const detail = paymentDetail(payment.debitName, sender.fullName, send.note)
  return {
    ...operationIdentity(payment.key),
    kind: 'payment.send',
    bookedAt,
    legs: [
      { kind: 'transfer', debit: sender.currentAccountId, credit: recipient.currentAccountId, amountMinor, detail },
    ],
  }
}
