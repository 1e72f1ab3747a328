import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { type Category, MERCHANT_KIND, type MerchantKind } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import type { Earning } from '#contract/rewards.ts'
import { type Card, type CardLimits, selectCards, toCard } from '#server/cards/card.ts'
import { beginCashback } from '#server/cards/cashback.ts'
import { newNumber, sealedNumber } from '#server/cards/numbers.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { limited } from '#server/limits/service.ts'
import { type AlertDeps, alertCharged } from '#server/notifications/alerts.ts'
import { pointsLeg } from '#server/rewards/points.ts'
import type { AccountId, Booked, Detail, Operation } from '#server/ledger/types.ts'

export type NewCard = Pick<Card, 'customerId' | 'accountId' | 'type' | 'kind' | 'name' | 'expiresOn'> &
  Partial<CardLimits> & {
    /** By chance unless told. */
    lastFour?: string
  }

export type IssuedCard = NewCard & Pick<Card, 'id' | 'lastFour'>

type IssueDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** Puts cards into customers' hands; the accounts they spend from exist already. Answers them in order. */
export async function issueCards(deps: IssueDeps, cards: readonly NewCard[]): Promise<IssuedCard[]> {
  const named = cards.map((card) => ({ ...card, id: randomUUID() }))
  const lastFours = new Map<string, string>()
  while (lastFours.size < named.length) {
    const rows = await deps.db
      .insertInto('bank.card')
      .values(named.filter(({ id }) => !lastFours.has(id)).map((card) => newRow(deps, card)))
      // Of a number that another card has, the next is tried.
      .onConflict((conflict) => conflict.column('number_digest').doNothing())
      .returning(['id', 'last_four'])
      .execute()
    for (const row of rows) lastFours.set(row.id, row.last_four)
  }
  await beginCashback(deps, [...new Set(cards.map(({ customerId }) => customerId))])
  return named.map((card) => ({ ...card, lastFour: lastFours.get(card.id) ?? '' }))
}

/** The same for one. */
export async function issueCard(deps: IssueDeps, card: NewCard): Promise<IssuedCard> {
  const [issued] = await issueCards(deps, [card])
  if (!issued) throw new Error('No card was issued')
  return issued
}

function newRow({ config, clock }: IssueDeps, card: NewCard & { id: string }) {
  const number = newNumber(card.lastFour)
  return {
    id: card.id,
    customer_id: card.customerId,
    account_id: card.accountId,
    type: card.type,
    kind: card.kind,
    name: card.name,
    last_four: number.slice(-4),
    expires_on: card.expiresOn,
    payment_limit_minor: card.paymentLimitMinor ?? null,
    month_limit_minor: card.monthLimitMinor ?? null,
    created_at: clock.businessNow(),
    ...sealedNumber({ config }, card.id, number),
  }
}

/** How a payment with this card reads in a list. */
function cardMethod(
  { type, lastFour, kind: cardKind }: Pick<Card, 'type' | 'lastFour' | 'kind'>,
  kind: MerchantKind | undefined,
): Detail {
  const params = { lastFour, ...(kind ? { [MERCHANT_KIND]: kind } : {}) }
  return { method: cardKind === 'main' ? `${type}_card` : 'virtual_card', params }
}

type Charge = {
  card: Pick<Card, 'accountId' | 'type' | 'lastFour' | 'kind'>
  merchant: string
  merchantKind?: MerchantKind | undefined
  category: Category
  amountMinor: number
  bookedAt: Date
  /** Where the payment's points go; null for a customer who collects none. */
  pointsAccountId: AccountId | null
  abroad?: boolean
  /** Names the charge for ever; a new one unless told. */
  id?: string
  /** Of the request behind the charge; of the charge itself unless told. */
  fingerprint?: string
}

/** The operation by which a shop charges a card: from the card's account to the card scheme, and the points it earns. */
export function chargeOperation(charge: Charge): Operation {
  const { card, merchant, category, amountMinor, pointsAccountId } = charge
  const earned: Earning[] = charge.abroad ? ['payment', 'card_abroad'] : ['payment']
  const debit = card.accountId
  const detail: Detail = { debitName: merchant, category, ...cardMethod(card, charge.merchantKind) }
  return {
    id: charge.id ?? randomUUIDv7(),
    kind: 'card.charge',
    fingerprint: charge.fingerprint ?? fingerprintOf('card.charge', debit, merchant, category, amountMinor),
    bookedAt: charge.bookedAt,
    legs: [
      { kind: 'transfer', debit, credit: bankAccount('card_scheme'), amountMinor, detail },
      ...(pointsAccountId === null ? [] : [pointsLeg(pointsAccountId, ...earned)]),
    ],
  }
}

type ChargeCard = Pick<Charge, 'merchant' | 'merchantKind' | 'category' | 'amountMinor' | 'id' | 'fingerprint'> & {
  cardId: string
  at?: Date
}

/**
 * A shop charges a card, as the card scheme would tell the bank. `amountMinor` is US cents; `at` is business time,
 * now unless told. Throws Refusal `not_found` for no such card, `amount_too_large` and `day_limit_reached` for the
 * customer's limits, and what the ledger refuses.
 */
export async function chargeCard(
  deps: AlertDeps & Pick<Deps, 'db' | 'ledger' | 'policy' | 'log'>,
  charge: ChargeCard,
): Promise<Booked> {
  const row = await selectCards(deps).where('id', '=', charge.cardId).executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  const { merchant, merchantKind, category, amountMinor, id, fingerprint } = charge
  const bookedAt = charge.at ?? deps.clock.businessNow()
  const accounts = await accountsOf(runIn(deps.db), row.customer_id)
  const pointsAccountId = accounts.find(({ code }) => code === 'points')?.id ?? null
  const operation = chargeOperation({
    card: toCard(row),
    merchant,
    merchantKind,
    category,
    amountMinor,
    bookedAt,
    pointsAccountId,
    ...(id ? { id } : {}),
    ...(fingerprint ? { fingerprint } : {}),
  })
  const countedOn = accounts.find(({ code }) => code === 'current')?.id
  if (countedOn === undefined) throw new Error('A customer without a current account')
  const booked = await deps.ledger.post(limited(deps, { direction: 'out', amountMinor, countedOn }, operation))
  alertCharged(deps, row.customer_id, booked)
  return booked
}
