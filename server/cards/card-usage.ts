import { numberDigests } from '#server/cards/numbers.ts'
import { firstDayOfMonth } from '#server/calendar/months.ts'
import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'
import { type CardRecord, selectCards, toCard } from '#server/cards/card.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type SqlStatement, updateRows } from '#server/platform/db/statement.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Returns the card with this number, in any status; null if none exists. */
export async function findCardByNumber(deps: Pick<Deps, 'db' | 'config'>, number: string): Promise<CardRecord | null> {
  const row = await selectCards(deps).where('number_digest', 'in', numberDigests(deps, number)).executeTakeFirst()
  return row ? toCard(row) : null
}

/**
 * Locks a card until the caller's SQL transaction ends, so that no other request freezes, removes or uses it meanwhile. Returns
 * null if no card has the id. The lock must be taken before the ledger locks accounts.
 */
export async function lockCard(trx: Transaction<Database>, cardId: string): Promise<CardRecord | null> {
  const row = await selectCards({ db: trx }).where('id', '=', cardId).forNoKeyUpdate().executeTakeFirst()
  return row ? toCard(row) : null
}

/**
 * Locks many cards in the same order as all other code. The cards are found by their numbers and by the scheme ids of their
 * payments. In the result, `number` is the requested number; null for a card that was only found by a payment.
 */
export async function lockCardsOf(
  deps: Pick<Deps, 'config'>,
  trx: Transaction<Database>,
  { numbers, schemeIds }: { numbers: readonly string[]; schemeIds: readonly string[] },
): Promise<{ card: CardRecord; number: string | null }[]> {
  const byDigest = new Map(
    numbers.flatMap((number) => numberDigests(deps, number).map((digest) => [digest, number] as const)),
  )
  // An array lets PostgreSQL use the index on the cards' ids.
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

/** Returns the sum of a card's payments in the calendar month of `at`, in US cents. */
export async function readMonthUsage(deps: Pick<Deps, 'db'>, cardId: string, at: Date): Promise<number> {
  return (await readMonthUsageOf(deps, [cardId], at)).get(cardId) ?? 0
}

/**
 * Returns the sum of each card's payments in the calendar month of `moment`, in US cents, by the card's id. Unused cards are
 * left out.
 */
export async function readMonthUsageOf(
  deps: Pick<Deps, 'db'>,
  cardIds: string[],
  moment: Date,
): Promise<ReadonlyMap<string, number>> {
  if (cardIds.length === 0) return new Map()
  const rows = await deps.db
    .selectFrom('bank.card_month')
    .select(['card_id', 'used_minor'])
    .where('card_id', 'in', cardIds)
    .where('month', '=', firstDayOfMonth(moment))
    .execute()
  return new Map(rows.map((row) => [row.card_id, row.used_minor]))
}

/**
 * The highest sum stored for a month, in US cents. JavaScript could not read a higher sum exactly, and every limit is far below
 * it.
 */
const MAX_USED_MINOR = MAX_AMOUNT_MINOR

/**
 * An amount in US cents that counts to a card's calendar month: a payment or, if `amountMinor` is below zero, a release. `at`
 * is the time of the payment's authorization, also for a later release.
 */
export type CardUse = { cardId: string; amountMinor: number; at: Date }

const COUNT = `
  WITH used (card_id, month, minor) AS MATERIALIZED (SELECT * FROM unnest($1::uuid[], $2::date[], $3::bigint[]))
  INSERT INTO bank.card_month AS kept (card_id, month, used_minor)
  SELECT card_id, month, greatest(0, minor) FROM used
  ON CONFLICT (card_id, month) DO UPDATE SET used_minor = least(${MAX_USED_MINOR}, greatest(0, kept.used_minor + (
    SELECT minor FROM used WHERE used.card_id = kept.card_id AND used.month = kept.month)))`

/** Returns the statement that adds uses of cards to the cards' months. Returns an empty list if there are no uses. */
export function addUsesToMonths(uses: readonly CardUse[]): SqlStatement[] {
  const months = new Map<string, { cardId: string; month: string; minor: number }>()
  for (const { cardId, amountMinor, at } of uses) {
    const month = firstDayOfMonth(at)
    const key = `${cardId} ${month}`
    months.set(key, { cardId, month, minor: (months.get(key)?.minor ?? 0) + amountMinor })
  }
  const monthUses = [...months.values()]
  if (monthUses.length === 0) return []
  const values = [
    monthUses.map(({ cardId }) => cardId),
    monthUses.map(({ month }) => month),
    monthUses.map(({ minor }) => minor),
  ]
  return [{ text: COUNT, values }]
}

/**
 * Returns the statement that marks single-use cards as used. It must run with the cards locked, after their payments are
 * approved.
 */
export function markCardsUsed(cardIds: readonly string[], usedAt: Date): SqlStatement[] {
  return updateRows(
    'bank.card',
    cardIds.map((id) => ({ id, used_at: usedAt })),
  )
}
