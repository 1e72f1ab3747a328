import { startOfMonth } from '#server/calendar/months.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { Earning } from '#contract/rewards.ts'
import { type CardRecord, cardsOf } from '#server/cards/card.ts'
import { addUsesToMonths } from '#server/cards/card-usage.ts'
import { cardPaymentDetail } from '#server/card-scheme/payment.ts'
import { shopByName } from '#server/card-scheme/sample-shops.ts'
import { cardPurchases, lastPurchase } from '#server/card-scheme/sample-purchases.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { notifyAll } from '#server/notifications/service.ts'
import { runAll } from '#server/platform/db/run.ts'
import { pointsLeg } from '#server/rewards/points.ts'
import type { SampleHistoryPart } from '#server/sample-history/part.ts'

/** Makes the history of a main card with about thirty payments a month, a few of them abroad. */
export const cardSchemeSampleHistory: SampleHistoryPart = async (deps, trx, { customer, pointsAccountId, dated }) => {
  const card = (await cardsOf({ db: trx }, customer.id)).find(({ kind }) => kind === 'main')
  if (!card) throw new Error('The sample history has no main card')
  const purchases = cardPurchases()
  const month = startOfMonth(deps.clock.businessNow())
  const usedMinor = purchases
    .filter((purchase) => dated(purchase.at) >= month)
    .reduce((sum, purchase) => sum + purchase.amountMinor, 0)
  await runAll(trx, addUsesToMonths([{ cardId: card.id, amountMinor: usedMinor, at: month }]))
  const payments = purchases.map(({ at: bookedAt, merchant: name, ...purchase }) => {
    const { mcc } = shopByName(name)
    return pastPayment({ card, pointsAccountId, bookedAt, merchant: name, mcc, ...purchase })
  })
  const { amountMinor, merchant, at } = lastPurchase()
  // Payments are in order of time, so the notice is about the last one.
  const params = { amountMinor, asset: 'USD', name: merchant, transactionId: payments.at(-1)?.id } as const
  await notifyAll(deps, trx, [{ customerId: customer.id, createdAt: dated(at), kind: 'card_payment', params }])
  return payments
}

type PastPayment = {
  card: Pick<CardRecord, 'accountId' | 'type' | 'kind' | 'lastFour'>
  merchant: string
  mcc: string
  amountMinor: number
  bookedAt: Date
  pointsAccountId: AccountId
  abroad?: boolean
}

/** Returns a past payment without an authorization request: the capture and the points that it earned. */
function pastPayment({ card, pointsAccountId, bookedAt, amountMinor, abroad, ...shop }: PastPayment): Operation {
  const earned: Earning[] = abroad ? ['payment', 'card_abroad'] : ['payment']
  const id = randomUUIDv7()
  return {
    id,
    kind: 'card.capture',
    fingerprint: fingerprintOf('story', id),
    bookedAt,
    legs: [
      {
        kind: 'transfer',
        debit: card.accountId,
        credit: bankAccount('card_scheme'),
        amountMinor,
        detail: cardPaymentDetail(card, shop),
      },
      pointsLeg({ accountId: pointsAccountId, earned, note: shop.merchant, byCard: true }),
    ],
  }
}
