import { sql } from 'kysely'
import type { CardKind, CardLook, CardSwitch } from '#contract/card-terms.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { AccountId } from '#server/ledger/types.ts'

/** Removed cards pay nothing any more; they are kept for what they have paid. */
export type CardStatus = 'active' | 'frozen' | 'removed'

/** What a card may be used for. */
export type CardSwitches = Record<CardSwitch, boolean>

/** What a card may pay at most, in one payment and in one calendar month, US cents; null for no more than the bank's own. */
export type CardLimits = { paymentLimitMinor: number | null; monthLimitMinor: number | null }

export type Card = CardSwitches &
  CardLimits & {
    id: string
    customerId: string
    /** What it spends from, and what its refunds go to: of a removed virtual card, the current account. */
    accountId: AccountId
    /** What only a virtual card moved money of, kept once it is removed; null for the main card. */
    ownAccountId: AccountId | null
    type: 'debit' | 'credit'
    kind: CardKind
    status: CardStatus
    name: string
    /** Null for the main card. */
    look: CardLook | null
    lastFour: string
    /** The last day the card works, YYYY-MM-DD. */
    expiresOn: string
    /** The same before it was renewed; until then the old expiry pays, too. Null of one that never was. */
    previousExpiresOn: string | null
    /** When a single-use card was used, business time; it pays nothing more. */
    usedAt: Date | null
    removedAt: Date | null
  }

/** What a card is queried with; `toCard` reads the rows. */
export function selectCards(deps: Pick<Deps, 'db'>) {
  return deps.db
    .selectFrom('bank.card')
    .select([
      'id',
      'customer_id',
      'account_id',
      'own_account_id',
      'type',
      'kind',
      'status',
      'name',
      'colour',
      'design',
      'last_four',
      'payment_limit_minor',
      'month_limit_minor',
      'online',
      'contactless',
      'abroad',
      'used_at',
      'removed_at',
      'expires_on',
      'previous_expires_on',
    ])
}

type CardRow = Awaited<ReturnType<ReturnType<typeof selectCards>['executeTakeFirstOrThrow']>>

export function toCard(row: CardRow): Card {
  return {
    id: row.id,
    customerId: row.customer_id,
    accountId: row.account_id,
    ownAccountId: row.own_account_id,
    type: row.type,
    kind: row.kind,
    status: row.status,
    name: row.name,
    look: row.colour && row.design ? { colour: row.colour, design: row.design } : null,
    lastFour: row.last_four,
    expiresOn: row.expires_on,
    previousExpiresOn: row.previous_expires_on,
    paymentLimitMinor: row.payment_limit_minor,
    monthLimitMinor: row.month_limit_minor,
    online: row.online,
    contactless: row.contactless,
    abroad: row.abroad,
    usedAt: row.used_at,
    removedAt: row.removed_at,
  }
}

/** A customer's cards but for those removed, the main one first, then oldest first. */
export async function cardsOf(deps: Pick<Deps, 'db'>, customerId: string): Promise<Card[]> {
  const rows = await selectInOrder(deps, customerId).where('status', '<>', 'removed').execute()
  return rows.map(toCard)
}

/** The same with those removed. */
export async function everyCardOf(deps: Pick<Deps, 'db'>, customerId: string): Promise<Card[]> {
  return (await selectInOrder(deps, customerId).execute()).map(toCard)
}

function selectInOrder(deps: Pick<Deps, 'db'>, customerId: string) {
  return selectCards(deps)
    .where('customer_id', '=', customerId)
    .orderBy(sql`kind <> 'main'`)
    .orderBy('created_at')
    .orderBy('id')
}

/** One of a customer's cards, removed or not; null where it is not theirs. */
export async function findCard(deps: Pick<Deps, 'db'>, customerId: string, cardId: string): Promise<Card | null> {
  const row = await selectCards(deps).where('id', '=', cardId).where('customer_id', '=', customerId).executeTakeFirst()
  return row ? toCard(row) : null
}
