import { randomUUIDv7 } from 'node:crypto'
import type { Customer } from '#server/identity/customers/customers.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { notifyAll } from '#server/notifications/service.ts'
import { addContacts } from '#server/payments/contacts.ts'
import { incomingOperation } from '#server/payments/incoming.ts'
import { paymentOperation } from '#server/payments/service.ts'
import type { Translator } from '#server/platform/translations.ts'
import { LAST_MONTH, type StoryCast, type StoryPart, storyTime } from '#server/story/part.ts'

export const SALARY_MINOR = 3_500_00
export const EMPLOYER = 'Northwind Studio'

/** A salary, and friends who are paid now and then. */
export const paymentsStory: StoryPart = async (deps, trx, { customer, friends, dated, say }) => {
  const people = friends.map(({ fullName, email }, index) => ({
    name: fullName,
    address: email,
    usedAt: dated(storyTime(7, 28 - index, 19)),
  }))
  await addContacts(trx, customer, people)
  const salary = { amountMinor: SALARY_MINOR, asset: 'USD', name: EMPLOYER } as const
  await notifyAll(deps, trx, [
    { customerId: customer.id, createdAt: dated(storyTime(8, 25, 7, 30)), kind: 'payment_received', params: salary },
  ])
  const accountId = customer.currentAccountId
  return [...income(accountId, say), ...friendship(customer, friends, say)]
}

/** What an employer writes of what it pays. */
export const salaryNote = ({ i18n }: Translator): string => i18n._({ id: 'sample.salary', message: 'Salary' })

function income(accountId: AccountId, say: Translator): Operation[] {
  const { i18n } = say
  const salary = { accountId, payerName: EMPLOYER, amountMinor: SALARY_MINOR, note: salaryNote(say) }
  return [
    ...Array.from({ length: LAST_MONTH }, (_, index) =>
      incomingOperation({ ...salary, bookedAt: storyTime(index + 1, 25, 7, 30) }),
    ),
    incomingOperation({
      accountId,
      payerName: i18n._({ id: 'sample.tax_office', message: 'Tax Office' }),
      amountMinor: 212_00,
      note: i18n._({ id: 'sample.refund', message: 'Refund' }),
      bookedAt: storyTime(3, 17, 6),
    }),
    incomingOperation({
      accountId,
      payerName: 'Marlow & Finch',
      amountMinor: 340_00,
      note: i18n._({ id: 'sample.illustration', message: 'Illustration' }),
      bookedAt: storyTime(8, 14, 11, 20),
    }),
  ]
}

function friendship(customer: Customer, friends: StoryCast['friends'], { i18n }: Translator): Operation[] {
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
    ...send(2, 18_00, i18n._({ id: 'sample.paid.cake', message: 'Birthday cake' }), storyTime(2, 20, 16, 45)),
    ...send(0, 45_00, i18n._({ id: 'sample.paid.dinner', message: 'Dinner on Friday' }), storyTime(4, 18, 10, 5)),
    ...send(1, 32_50, i18n._({ id: 'sample.paid.concert', message: 'Concert tickets' }), storyTime(7, 9, 20, 30)),
  ]
}
