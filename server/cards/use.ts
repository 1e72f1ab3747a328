import { numberDigests } from '#server/cards/numbers.ts'
import { firstDayOfMonth } from '#server/calendar/months.ts'
import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'
import { type Card, selectCards, toCard } from '#server/cards/card.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type Statement, updateRows } from '#server/platform/db/statement.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The card with this number, whatever its status; null where the bank has none. */
export async function cardByNumber(deps: Pick<Deps, 'db' | 'config'>, number: string): Promise<Card | null> {
  const row = await selectCards(deps).where('number_digest', 'in', numberDigests(deps, number)).executeTakeFirst()
  return row ? toCard(row) : null
}

/**
 * A card as it is now, locked until the caller's SQL transaction ends: nobody freezes, removes or uses it meanwhile. Null
 * where there is none. To be taken before the ledger locks accounts.
 */
export async function lockCard(trx: Transaction<Database>, cardId: string): Promise<Card | null> {
  const row = await selectCards({ db: trx }).where('id', '=', cardId).forNoKeyUpdate().executeTakeFirst()
  return row ? toCard(row) : null
}

/**
 * The same of many, by their numbers and by what they have paid, as the card scheme calls it; in the one order in which all
 * take these locks. `number` is the one that was asked for, null where the card was not.
 */
export async function lockCardsOf(
  deps: Pick<Deps, 'config'>,
  trx: Transaction<Database>,
  { numbers, schemeIds }: { numbers: readonly string[]; schemeIds: readonly string[] },
): Promise<{ card: Card; number: string | null }[]> {
  const byDigest = new Map(
    numbers.flatMap((number) => numberDigests(deps, number).map((digest) => [digest, number] as const)),
  )
  // An array, so that the cards are found through the index of their ids.
  const ids = sql<string[]>`ARRAY(
    SELECT id FROM bank.card WHERE number_digest = ANY(${[...byDigest.keys()]})
    UNION ALL
    SELECT card_id FROM bank.card_authorisation WHERE scheme_id = ANY(${schemeIds}))`
  const rows = await selectCards({ db: trx })
    .select('number_digest')
    .where('id', '=', sql<string>`ANY(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map((row) => ({ card: toCard(row), number: byDigest.get(row.number_digest ?? '') ?? null }))
}

/** What a card's payments of the calendar month of `at` come to, US cents. */
export async function usedInMonth(deps: Pick<Deps, 'db'>, cardId: string, at: Date): Promise<number> {
  return (await usedInMonthOf(deps, [cardId], at)).get(cardId) ?? 0
}

/** The same of many cards; those that were not used are left out. */
export async function usedInMonthOf(
  deps: Pick<Deps, 'db'>,
  cardIds: string[],
  at: Date,
): Promise<ReadonlyMap<string, number>> {
  if (cardIds.length === 0) return new Map()
  const rows = await deps.db
    .selectFrom('bank.card_month')
    .select(['card_id', 'used_minor'])
    .where('card_id', 'in', cardIds)
    .where('month', '=', firstDayOfMonth(at))
    .execute()
  return new Map(rows.map((row) => [row.card_id, row.used_minor]))
}

/** What a month comes to at most: past it, the sum could not be read any more, and each limit was passed long before. */
const MOST = MAX_AMOUNT_MINOR

/**
 * What counts to a card's month: a payment or, where `amountMinor` is below zero, what was released of one. `at` is when the
 * payment was authorised, also for what is given back later.
 */
export type CardUse = { cardId: string; amountMinor: number; at: Date }

const COUNT = `
  WITH used (card_id, month, minor) AS MATERIALIZED (SELECT * FROM unnest($1::uuid[], $2::date[], $3::bigint[]))
  INSERT INTO bank.card_month AS kept (card_id, month, used_minor)
  SELECT card_id, month, greatest(0, minor) FROM used
  ON CONFLICT (card_id, month) DO UPDATE SET used_minor = least(${MOST}, greatest(0, kept.used_minor + (
    SELECT minor FROM used WHERE used.card_id = kept.card_id AND used.month = kept.month)))`

/** The statement that counts uses of cards to their months, none where there are none. */
export function usesCounted(uses: readonly CardUse[]): Statement[] {
  const months = new Map<string, { cardId: string; month: string; minor: number }>()
  for (const { cardId, amountMinor, at } of uses) {
    const month = firstDayOfMonth(at)
    const key = `${cardId} ${month}`
    months.set(key, { cardId, month, minor: (months.get(key)?.minor ?? 0) + amountMinor })
  }
  const counted = [...months.values()]
  if (counted.length === 0) return []
  const values = [
    counted.map(({ cardId }) => cardId),
    counted.map(({ month }) => month),
    counted.map(({ minor }) => minor),
  ]
  return [{ text: COUNT, values }]
}

/** The statement that ends what single-use cards are for. To be sent with the cards locked, once their payments are approved. */
export function cardsUsed(cardIds: readonly string[], at: Date): Statement[] {
  return updateRows(
    'bank.card',
    cardIds.map((id) => ({ id, used_at: at })),
  )
}
