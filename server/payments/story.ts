import { randomUUIDv7 } from 'node:crypto'
import type { Customer } from '#server/identity/customers/customers.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { alertNotices } from '#server/notifications/notices.ts'
import { notifyAll } from '#server/notifications/service.ts'
import { addContacts } from '#server/payments/contacts.ts'
import { directDebitOperation, incomingOperation } from '#server/payments/incoming.ts'
import { paymentOperation } from '#server/payments/service.ts'
import { type StoryCast, type StoryPart, utc } from '#server/story/part.ts'

export const SALARY_MINOR = 3_500_00
export const EMPLOYER = 'Northwind Studio'
const BROADBAND_MINOR = 65_00
/** What the household's bills come to in each month, January to August, cents; broadband is part of it. */
const BILLS_MINOR = [215_00, 215_00, 213_00, 211_00, 210_00, 210_00, 210_00, 210_00]

/** A salary, bills, and friends who are paid now and then. */
export const paymentsStory: StoryPart = async (deps, trx, { customer, friends, dated }) => {
  const people = friends.map(({ fullName, email }, index) => ({
    name: fullName,
    address: email,
    usedAt: dated(utc(7, 28 - index, 19)),
  }))
  await addContacts(trx, customer, people)
  const salary = { amountMinor: SALARY_MINOR, asset: 'USD', name: EMPLOYER } as const
  await notifyAll(deps, trx, [
    { customerId: customer.id, createdAt: dated(utc(8, 25, 7, 30)), ...alertNotices.received, params: salary },
  ])
  const accountId = customer.currentAccountId
  return [...income(accountId), ...bills(accountId), ...friendship(customer, friends)]
}

function income(accountId: AccountId): Operation[] {
  const salary = { accountId, payerName: EMPLOYER, amountMinor: SALARY_MINOR, note: 'Salary' }
  return [
    ...BILLS_MINOR.map((_, index) => incomingOperation({ ...salary, bookedAt: utc(index + 1, 25, 7, 30) })),
    incomingOperation({
      accountId,
      payerName: 'Tax Office',
      amountMinor: 212_00,
      note: 'Refund',
      bookedAt: utc(3, 17, 6),
    }),
    incomingOperation({
      accountId,
      payerName: 'Marlow & Finch',
      amountMinor: 340_00,
      note: 'Illustration',
      bookedAt: utc(8, 14, 11, 20),
    }),
  ]
}

function bills(accountId: AccountId): Operation[] {
  return BILLS_MINOR.flatMap((totalMinor, index) => [
    directDebitOperation({
      accountId,
      payeeName: 'Brightwater Energy',
      category: 'bills',
      amountMinor: totalMinor - BROADBAND_MINOR,
      bookedAt: utc(index + 1, 5, 6),
    }),
    directDebitOperation({
      accountId,
      payeeName: 'Fernline Broadband',
      category: 'bills',
      amountMinor: BROADBAND_MINOR,
      bookedAt: utc(index + 1, 12, 6),
    }),
  ])
}

function friendship(customer: Customer, friends: StoryCast['friends']): Operation[] {
  const send = (friend: number, amountMinor: number, note: string, bookedAt: Date): Operation[] => {
    const recipient = friends[friend]
    if (!recipient) return []
    const operationId = randomUUIDv7()
    const payment = {
      debitName: recipient.fullName,
      sender: customer,
      send: { recipient: recipient.email, amountMinor, asset: 'USD' as const, note },
      key: { operationId, fingerprint: fingerprintOf('story', operationId) },
    }
    return [paymentOperation(payment, recipient, bookedAt)]
  }
  return [
    ...send(2, 18_00, 'Birthday cake', utc(2, 20, 16, 45)),
    ...send(0, 45_00, 'Dinner on Friday', utc(4, 18, 10, 5)),
    ...send(1, 32_50, 'Concert tickets', utc(7, 9, 20, 30)),
  ]
}
