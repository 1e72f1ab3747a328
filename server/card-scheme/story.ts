import { startOfMonth } from '#server/calendar/months.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { Earning } from '#contract/rewards.ts'
import { type Card, cardsOf } from '#server/cards/card.ts'
import { usesCounted } from '#server/cards/use.ts'
import { paymentDetail } from '#server/card-scheme/payment.ts'
import { shopNamed } from '#server/card-scheme/shops.ts'
import { cardPurchases, lastPurchase } from '#server/card-scheme/story-purchases.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { notifyAll } from '#server/notifications/service.ts'
import { runAll } from '#server/platform/db/run.ts'
import { pointsLeg } from '#server/rewards/points.ts'
import type { StoryPart } from '#server/story/part.ts'

/** A main card that is used some thirty times a month, once in a while abroad. */
export const cardSchemeStory: StoryPart = async (deps, trx, { customer, pointsAccountId, dated }) => {
  const card = (await cardsOf({ db: trx }, customer.id)).find(({ kind }) => kind === 'main')
  if (!card) throw new Error('The story has no main card')
  const purchases = cardPurchases()
  const month = startOfMonth(deps.clock.businessNow())
  const usedMinor = purchases
    .filter((purchase) => dated(purchase.at) >= month)
    .reduce((sum, purchase) => sum + purchase.amountMinor, 0)
  await runAll(trx, usesCounted([{ cardId: card.id, amountMinor: usedMinor, at: month }]))
  const payments = purchases.map(({ at: bookedAt, merchant: name, ...purchase }) => {
    const { mcc } = shopNamed(name)
    return pastPayment({ card, pointsAccountId, bookedAt, merchant: name, mcc, ...purchase })
  })
  const { amountMinor, merchant, at } = lastPurchase()
  // They are in the order of time, so the last one is what the notice tells of.
  const params = { amountMinor, asset: 'USD', name: merchant, transactionId: payments.at(-1)?.id } as const
  await notifyAll(deps, trx, [{ customerId: customer.id, createdAt: dated(at), kind: 'card_payment', params }])
  return payments
}

type PastPayment = {
  card: Pick<Card, 'accountId' | 'type' | 'kind' | 'lastFour'>
  merchant: string
  mcc: string
  amountMinor: number
  bookedAt: Date
  pointsAccountId: AccountId
  abroad?: boolean
}

/** A payment of the past, whose question the bank was never asked: what the shop took, and the points it earned. */
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
        detail: paymentDetail(card, shop),
      },
      pointsLeg({ accountId: pointsAccountId, earned, note: shop.merchant, byCard: true }),
    ],
  }
}
