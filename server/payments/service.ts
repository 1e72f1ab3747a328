import type { Transaction as SqlTransaction } from 'kysely'
import type { Transaction } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import type { SendRequest } from '#contract/payments.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Booked, Operation } from '#server/ledger/types.ts'
import { postLimited } from '#server/limits/service.ts'
import { alertReceived } from '#server/notifications/alerts.ts'
import { holdForNonCustomer } from '#server/payments/claims.ts'
import { namedBy, type Payment, paymentDetail, type PaymentKey } from '#server/payments/payment.ts'
import { rememberContact } from '#server/payments/contacts.ts'
import type { Parties, PaymentParties } from '#server/payments/parties.ts'

/** Done in the SQL transaction of a payment once it is booked; where it throws, nothing has happened. */
export type WithPayment = (trx: SqlTransaction<Database>) => Promise<void>

/**
 * Sends `amountMinor` US cents from a customer's current account to whoever has the email or phone. A customer has it at once; for
 * anyone else it is set aside for seven days, with a link that claims it.
 * Throws Refusal, in this order: `recipient_invalid`, `recipient_is_self`, `amount_too_large` and `day_limit_reached` for
 * the sender's limits, what the ledger refuses, `limit_reached` for a sender who is not verified, and
 * `too_many_requests` where too many sends went to people who are not customers. The recipient's balance has no say
 * (docs/decisions/0070).
 */
export async function sendMoney(
  deps: Deps,
  parties: Parties,
  send: SendRequest,
  key: PaymentKey,
): Promise<Transaction> {
  return transactionOfBooked(await bookSend(deps, parties, send, key), parties.sender.currentAccountId)
}

/** The same, with what else the caller does once it is booked, and not where it had been booked before. */
export async function bookSend(
  deps: Deps,
  { sender, address, recipient, known }: PaymentParties,
  send: SendRequest,
  key: PaymentKey,
  more?: WithPayment,
): Promise<Booked> {
  if (!address) throw new Refusal('recipient_invalid', 'recipient')
  if (recipient?.id === sender.id) throw new Refusal('recipient_is_self', 'recipient')
  const payment = { debitName: known?.name ?? send.recipient, send, sender, key }
  const booked = recipient
    ? await payCustomer(deps, payment, recipient, more)
    : await holdForNonCustomer(deps, payment, address, more)
  if (!booked.replayed) {
    const used = { ownerId: sender.id, address: address.value, displayAddress: send.recipient, name: payment.debitName }
    rememberContact(deps, { ...used, usedAt: booked.bookedAt, paid: true }, known)
  }
  if (recipient) {
    alertReceived(deps, recipient.id, booked)
    earnForSend(deps, { sender, recipient, booked })
  }
  return booked
}

function earnForSend(
  { paymentPoints }: Pick<Deps, 'paymentPoints'>,
  { sender, recipient, booked }: { sender: Customer; recipient: Customer; booked: Booked },
): void {
  const [leg] = booked.legs
  if (booked.replayed || !leg) return
  const { amountMinor, detail } = leg
  const people = { customerId: sender.id, recipientId: recipient.id }
  const payment = { amountMinor, name: detail.debitName ?? '', at: booked.bookedAt }
  paymentPoints.add({ kind: 'send', causeId: booked.id, ...people, ...payment })
}

function payCustomer(deps: Deps, payment: Payment, recipient: Customer, more?: WithPayment): Promise<Booked> {
  const use = { customer: payment.sender, direction: 'out', amountMinor: payment.send.amountMinor } as const
  const operation = paymentOperation(payment, recipient, deps.clock.businessNow())
  return postLimited(deps, use, operation, { also: more })
}

/** The operation by which one customer pays another. */
export function paymentOperation(payment: Payment, recipient: Customer, bookedAt: Date): Operation {
  const { sender, send } = payment
  const { amountMinor } = send
  const detail = paymentDetail(payment.debitName, sender.fullName, send.note)
  return {
    ...namedBy(payment.key),
    kind: 'payment.send',
    bookedAt,
    legs: [
      { kind: 'transfer', debit: sender.currentAccountId, credit: recipient.currentAccountId, amountMinor, detail },
    ],
  }
}
