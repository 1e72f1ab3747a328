import { randomUUIDv7 } from 'node:crypto'
import type { Customer } from '#server/identity/customers/customers.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { notifyAll } from '#server/notifications/service.ts'
import { addContacts } from '#server/payments/contacts.ts'
import { incomingOperation } from '#server/payments/incoming.ts'
import { paymentOperation } from '#server/payments/service.ts'
import type { Translator } from '#server/platform/translations.ts'
import {
  LAST_MONTH,
  type SampleHistoryContext,
  type SampleHistoryPart,
  sampleTime,
} from '#server/sample-history/part.ts'

export const SALARY_MINOR = 3_500_00
export const EMPLOYER = 'Northwind Studio'

/** Makes the history of a salary, of other income, and of occasional payments to friends. */
export const paymentsSampleHistory: SampleHistoryPart = async (deps, trx, { customer, friends, dated, translator }) => {
  const people = friends.map(({ fullName, email }, index) => ({
    name: fullName,
    address: email,
    usedAt: dated(sampleTime(7, 28 - index, 19)),
  }))
  await addContacts(trx, customer, people)
  const salary = { amountMinor: SALARY_MINOR, asset: 'USD', name: EMPLOYER } as const
  await notifyAll(deps, trx, [
    { customerId: customer.id, createdAt: dated(sampleTime(8, 25, 7, 30)), kind: 'payment_received', params: salary },
  ])
  const accountId = customer.currentAccountId
  return [...income(accountId, translator), ...friendship(customer, friends, translator)]
}

/** Returns an employer's note on a salary. */
export const salaryNote = ({ i18n }: Translator): string => i18n._({ id: 'sample.salary', message: 'Salary' })

function income(accountId: AccountId, translator: Translator): Operation[] {
  const { i18n } = translator
  const salary = { accountId, payerName: EMPLOYER, amountMinor: SALARY_MINOR, note: salaryNote(translator) }
  return [
    ...Array.from({ length: LAST_MONTH }, (_, index) =>
      incomingOperation({ ...salary, bookedAt: sampleTime(index + 1, 25, 7, 30) }),
    ),
    incomingOperation({
      accountId,
      payerName: i18n._({ id: 'sample.tax_office', message: 'Tax Office' }),
      amountMinor: 212_00,
      note: i18n._({ id: 'sample.refund', message: 'Refund' }),
      bookedAt: sampleTime(3, 17, 6),
    }),
    incomingOperation({
      accountId,
      payerName: 'Marlow & Finch',
      amountMinor: 340_00,
      note: i18n._({ id: 'sample.illustration', message: 'Illustration' }),
      bookedAt: sampleTime(8, 14, 11, 20),
    }),
  ]
}

function friendship(customer: Customer, friends: SampleHistoryContext['friends'], { i18n }: Translator): Operation[] {
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
    ...send(2, 18_00, i18n._({ id: 'sample.paid.cake', message: 'Birthday cake' }), sampleTime(2, 20, 16, 45)),
    ...send(0, 45_00, i18n._({ id: 'sample.paid.dinner', message: 'Dinner on Friday' }), sampleTime(4, 18, 10, 5)),
    ...send(1, 32_50, i18n._({ id: 'sample.paid.concert', message: 'Concert tickets' }), sampleTime(7, 9, 20, 30)),
  ]
}
