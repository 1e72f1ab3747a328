import { randomUUIDv7 } from 'node:crypto'
import { kindOfMerchant } from '#server/cards/merchants.ts'
import { chargeOperation, issueCard, type NewCard } from '#server/cards/service.ts'
import { cardPurchases, LAST_PURCHASE } from '#server/cards/story-purchases.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Detail, Operation } from '#server/ledger/types.ts'
import { alertNotices } from '#server/notifications/notices.ts'
import { notifyAll } from '#server/notifications/service.ts'
import { runIn } from '#server/platform/db/run.ts'
import { type StoryPart, utc } from '#server/story/part.ts'

const EXPIRE_ON = '2028-12-31'

/** A main card, used some thirty times a month, and a virtual one with 500.00 on an account of its own. */
export const cardStory: StoryPart = async (deps, trx, { customer, pointsAccountId, dated }) => {
  const [virtual = 0] = await openAccounts(runIn(trx), [{ holderId: customer.id, code: 'card', asset: 'USD' }])
  const { main, onItsOwn } = newCards(customer, virtual)
  const card = await issueCard({ ...deps, db: trx }, main)
  await issueCard({ ...deps, db: trx }, onItsOwn)
  const { amountMinor, merchant, at } = LAST_PURCHASE
  const params = { amountMinor, asset: 'USD', name: merchant } as const
  await notifyAll(deps, trx, [{ customerId: customer.id, createdAt: dated(at), ...alertNotices.charged, params }])
  return [
    ...cardPurchases().map(({ at: bookedAt, ...purchase }) =>
      chargeOperation({
        card,
        pointsAccountId,
        bookedAt,
        merchantKind: kindOfMerchant(purchase.merchant),
        ...purchase,
      }),
    ),
    toVirtualCard(customer.currentAccountId, virtual, 500_00, utc(6, 2, 12)),
  ]
}

function newCards(customer: Customer, virtual: AccountId): Record<'main' | 'onItsOwn', NewCard> {
  const common = { customerId: customer.id, type: 'debit' as const, expiresOn: EXPIRE_ON }
  return {
    main: { ...common, kind: 'main', accountId: customer.currentAccountId, name: 'Main Card' },
    onItsOwn: { ...common, kind: 'multi_use', accountId: virtual, name: 'Virtual Card' },
  }
}

function toVirtualCard(from: AccountId, to: AccountId, amountMinor: number, bookedAt: Date): Operation {
  const id = randomUUIDv7()
  const detail: Detail = {
    debitName: 'Virtual Card',
    creditName: 'Main Card',
    category: 'card',
    method: 'own_accounts',
  }
  return {
    id,
    kind: 'card.load',
    fingerprint: fingerprintOf('story', id),
    bookedAt,
    legs: [{ kind: 'transfer', debit: from, credit: to, amountMinor, detail }],
  }
}
