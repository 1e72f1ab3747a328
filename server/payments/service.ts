import type { Transaction } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import type { SendRequest } from '#contract/payments.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import type { Bank } from '#server/bank.ts'
import type { RequestKey } from '#server/http/idempotency.ts'
import { readContact } from '#server/identity/contact.ts'
import { type Customer, findCustomerByContact } from '#server/identity/customers.ts'
import type { Operation } from '#server/ledger/types.ts'
import { holdForStranger } from '#server/payments/claims.ts'
import { type Payment, paymentDetail } from '#server/payments/payment.ts'
import { findContact, rememberContact } from '#server/payments/contacts.ts'

/**
 * Sends `amountMinor` US cents from a customer's current account to whoever has the email or phone. A customer has it at once; for
 * anyone else it is set aside for seven days, with a link that claims it.
 * Throws Refusal, in this order: `recipient_invalid`, `recipient_is_self`, and what the ledger refuses.
 */
export async function sendMoney(
  bank: Bank,
  sender: Customer,
  send: SendRequest,
  key: RequestKey,
): Promise<Transaction> {
  const address = readContact(send.recipient, sender.phone)
  if (!address) throw new Refusal('recipient_invalid', 'recipient')
  const [recipient, known] = await Promise.all([
    findCustomerByContact(bank, address),
    findContact(bank, { ownerId: sender.id, address: address.value }),
  ])
  if (recipient?.id === sender.id) throw new Refusal('recipient_is_self', 'recipient')
  const payment = { debitName: known?.name ?? send.recipient, send, sender, key }
  const booked = recipient
    ? await bank.ledger.post(paymentOperation(payment, recipient, bank.clock.businessNow()))
    : await holdForStranger(bank, payment, address)
  if (!booked.replayed) {
    const used = { ownerId: sender.id, address: address.value, spelling: send.recipient, name: payment.debitName }
    rememberContact(bank, { ...used, usedAt: booked.bookedAt }, known)
  }
  return transactionOfBooked(booked, sender.currentAccountId)
}

/** The operation by which one customer pays another. */
export function paymentOperation(payment: Payment, recipient: Customer, bookedAt: Date): Operation {
  const { sender, send, key } = payment
  const { amountMinor } = send
  return {
    id: key.operationId,
    kind: 'payment.send',
    fingerprint: key.fingerprint,
    bookedAt,
    detail: paymentDetail(payment.debitName, sender.fullName, send.note),
    legs: [{ kind: 'transfer', debit: sender.currentAccountId, credit: recipient.currentAccountId, amountMinor }],
  }
}
