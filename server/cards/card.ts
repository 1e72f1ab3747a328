import { sql } from 'kysely'
import type { CardKind, CardLook, CardSwitch } from '#contract/card-terms.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { AccountId } from '#server/ledger/types.ts'

/** The status of a card. A removed card can no longer pay but is kept for its past payments. */
export type CardStatus = 'active' | 'frozen' | 'removed'

/** The kinds of use that a card allows. */
export type CardSwitches = Record<CardSwitch, boolean>

/** A card's limits for one payment and for one calendar month, in US cents. Null means the bank's own limit. */
export type CardLimits = { paymentLimitMinor: number | null; monthLimitMinor: number | null }

export type CardRecord = CardSwitches &
  CardLimits & {
    id: string
    customerId: string
    /**
     * The account that the card spends from and that receives its refunds. For a removed virtual card it is the current
     * account.
     */
    accountId: AccountId
    /** A virtual card's own account, which stays set after the removal; null for the main card. */
    ownAccountId: AccountId | null
    type: 'debit' | 'credit'
    kind: CardKind
    status: CardStatus
    name: string
    /** The look of a virtual card; null for the main card. */
    look: CardLook | null
    lastFour: string
    /** The last day on which the card works, YYYY-MM-DD. */
    expiresOn: string
    /**
     * The card's expiry date before its last renewal, YYYY-MM-DD; null for a card that was never renewed. Payments that show
     * this date are accepted until that day, and recurring payments also afterwards.
     */
    previousExpiresOn: string | null
    /**
     * The business time at which a single-use card paid. It cannot pay again. Null for a card that has not paid and for all
     * other cards.
     */
    usedAt: Date | null
    removedAt: Date | null
  }

/** Returns a query for cards; `toCard` converts the rows. */
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

export function toCard(row: CardRow): CardRecord {
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

/** Returns a customer's cards without removed ones: the main card first, then oldest first. */
export async function cardsOf(deps: Pick<Deps, 'db'>, customerId: string): Promise<CardRecord[]> {
  const rows = await selectInOrder(deps, customerId).where('status', '<>', 'removed').execute()
  return rows.map(toCard)
}

/** Returns all cards of a customer, including removed ones: the main card first, then oldest first. */
export async function everyCardOf(deps: Pick<Deps, 'db'>, customerId: string): Promise<CardRecord[]> {
  return (await selectInOrder(deps, customerId).execute()).map(toCard)
}

function selectInOrder(deps: Pick<Deps, 'db'>, customerId: string) {
  return selectCards(deps)
    .where('customer_id', '=', customerId)
    .orderBy(sql`kind <> 'main'`)
    .orderBy('created_at')
    .orderBy('id')
}

/** Returns one of a customer's cards, removed or not; null if the customer has no such card. */
export async function findCard(deps: Pick<Deps, 'db'>, customerId: string, cardId: string): Promise<CardRecord | null> {
  const row = await selectCards(deps).where('id', '=', cardId).where('customer_id', '=', customerId).executeTakeFirst()
  return row ? toCard(row) : null
}
