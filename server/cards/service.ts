import { randomUUIDv7 } from 'node:crypto'
import { type Category, MERCHANT_KIND, type MerchantKind } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import { sql } from 'kysely'
import type { Earning } from '#contract/rewards.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { limited } from '#server/limits/service.ts'
import { type AlertDeps, alertCharged } from '#server/notifications/alerts.ts'
import { pointsLeg } from '#server/rewards/points.ts'
import type { AccountId, Booked, Detail, Operation } from '#server/ledger/types.ts'

export type Card = {
  id: string
  accountId: AccountId
  type: 'debit' | 'credit'
  name: string
  lastFour: string
  /** The last day the card works, YYYY-MM-DD. */
  expiresOn: string
  isVirtual: boolean
  isPrimary: boolean
}

export type NewCard = Omit<Card, 'id'> & { customerId: string }

/** Puts cards into customers' hands; the accounts they spend from exist already. Answers their ids, in order. */
export async function issueCards(deps: Pick<Deps, 'db' | 'clock'>, cards: NewCard[]): Promise<string[]> {
  const rows = await deps.db
    .insertInto('bank.card')
    .values(
      cards.map((card) => ({
        customer_id: card.customerId,
        account_id: card.accountId,
        type: card.type,
        name: card.name,
        last_four: card.lastFour,
        expires_on: card.expiresOn,
        is_virtual: card.isVirtual,
        is_primary: card.isPrimary,
        created_at: deps.clock.businessNow(),
      })),
    )
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** A customer's cards, the primary one first, then oldest first. */
export async function cardsOf(deps: Pick<Deps, 'db'>, customerId: string): Promise<Card[]> {
  const rows = await selectCards(deps)
    .where('customer_id', '=', customerId)
    .orderBy('is_primary', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toCard)
}

/** How a payment with this card reads in a list. */
function cardMethod(
  { type, lastFour, isVirtual }: Pick<Card, 'type' | 'lastFour' | 'isVirtual'>,
  kind: MerchantKind | undefined,
): Detail {
  const params = { lastFour, ...(kind ? { [MERCHANT_KIND]: kind } : {}) }
  return { method: isVirtual ? 'virtual_card' : `${type}_card`, params }
}

type Charge = {
  card: Pick<Card, 'accountId' | 'type' | 'lastFour' | 'isVirtual'>
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

function selectCards(deps: Pick<Deps, 'db'>) {
  return deps.db
    .selectFrom('bank.card')
    .select(['id', 'customer_id', 'account_id', 'type', 'name', 'last_four', 'is_virtual', 'is_primary'])
    .select(sql<string>`to_char(expires_on, 'YYYY-MM-DD')`.as('expires_on'))
}

type CardRow = {
  id: string
  customer_id: string
  account_id: AccountId
  type: 'debit' | 'credit'
  name: string
  last_four: string
  expires_on: string
  is_virtual: boolean
  is_primary: boolean
}

function toCard(row: CardRow): Card {
  return {
    id: row.id,
    accountId: row.account_id,
    type: row.type,
    name: row.name,
    lastFour: row.last_four,
    expiresOn: row.expires_on,
    isVirtual: row.is_virtual,
    isPrimary: row.is_primary,
  }
}
