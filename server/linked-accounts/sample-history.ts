import { randomInt } from 'node:crypto'
import { type SampleHistoryPart, sampleTime } from '#server/sample-history/part.ts'

/** Another bank's credit card, a wallet and a payment service. No money has moved through them yet. */
export const linkedAccountsSampleHistory: SampleHistoryPart = async (deps, trx, { customer, dated }) => {
  const common = {
    customer_id: customer.id,
    holder_name: customer.fullName,
    status: 'verified',
    requested_at: deps.clock.realNow(),
  } as const
  await trx
    .insertInto('bank.linked_account')
    .values([
      {
        ...common,
        kind: 'card',
        name: 'Harborview Credit Card',
        last_four: String(randomInt(10_000)).padStart(4, '0'),
        expires_on: '2028-12-31',
        created_at: dated(sampleTime(2, 3, 18)),
      },
      {
        ...common,
        kind: 'wallet',
        name: 'Pocket Wallet',
        email: customer.email,
        created_at: dated(sampleTime(2, 3, 18, 5)),
      },
      { ...common, kind: 'payment_service', name: 'Paylane', created_at: dated(sampleTime(4, 11, 20)) },
    ])
    .execute()
  return []
}
