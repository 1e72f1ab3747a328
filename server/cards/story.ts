import { randomUUIDv7 } from 'node:crypto'
import { kindOfMerchant } from '#server/cards/merchants.ts'
import { firstOfMonth } from '#server/ledger/flows.ts'
import { countUse } from '#server/cards/use.ts'
import { chargeOperation, issueCards, type NewCard } from '#server/cards/service.ts'
import { cardPurchases, LAST_PURCHASE } from '#server/cards/story-purchases.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { type CardMove, cardMoveOperation } from '#server/cards/moves.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { alertNotices } from '#server/notifications/notices.ts'
import { notifyAll } from '#server/notifications/service.ts'
import { runIn } from '#server/platform/db/run.ts'
import { type StoryPart, utc } from '#server/story/part.ts'

const EXPIRE_ON = '2028-12-31'

/** A main card, used some thirty times a month, and a virtual one with 500.00 on an account of its own. */
export const cardStory: StoryPart = async (deps, trx, { customer, pointsAccountId, dated }) => {
  const [virtual = 0] = await openAccounts(runIn(trx), [{ holderId: customer.id, code: 'card', asset: 'USD' }])
  const [main, onItsOwn] = newCards(customer, virtual)
  const [card] = await issueCards({ ...deps, db: trx }, [main, onItsOwn])
  if (!card) throw new Error('No card was issued')
  const { amountMinor, merchant, at } = LAST_PURCHASE
  const params = { amountMinor, asset: 'USD', name: merchant } as const
  await notifyAll(deps, trx, [{ customerId: customer.id, createdAt: dated(at), ...alertNotices.charged, params }])
  const month = firstOfMonth(deps.clock.businessNow(), 0)
  const usedMinor = cardPurchases()
    .filter((purchase) => dated(purchase.at) >= month)
    .reduce((sum, purchase) => sum + purchase.amountMinor, 0)
  await countUse(trx, { cardId: card.id, amountMinor: usedMinor, at: month })
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
    loaded({ from: customer.currentAccountId, to: virtual, name: onItsOwn.name }),
  ]
}

function newCards(customer: Customer, virtual: AccountId): [NewCard, NewCard] {
  const common = { customerId: customer.id, type: 'debit' as const, expiresOn: EXPIRE_ON }
  return [
    { ...common, kind: 'main', accountId: customer.currentAccountId, name: 'Main Card' },
    { ...common, kind: 'multi_use', accountId: virtual, name: 'Virtual Card' },
  ]
}

function loaded(accounts: Pick<CardMove, 'from' | 'to' | 'name'>): Operation {
  const id = randomUUIDv7()
  const bookedAt = utc(6, 2, 12)
  return cardMoveOperation({ id, fingerprint: fingerprintOf('story', id), bookedAt, amountMinor: 500_00, ...accounts })
}
