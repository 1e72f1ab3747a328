import { firstDayOfMonth } from '#server/calendar/months.ts'
import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'
import { type Card, selectCards, toCard } from '#server/cards/card.ts'
import { numberDigest } from '#server/cards/numbers.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The card with this number, whatever its status; null where the bank has none. */
export async function cardByNumber(deps: Pick<Deps, 'db' | 'config'>, number: string): Promise<Card | null> {
  const row = await selectCards(deps).where('number_digest', '=', numberDigest(deps, number)).executeTakeFirst()
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

/** The same of many, by their numbers, in the one order in which all take these locks. */
export async function lockCardsByNumber(
  deps: Pick<Deps, 'config'>,
  trx: Transaction<Database>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, Card>> {
  const byDigest = new Map(numbers.map((number) => [numberDigest(deps, number), number]))
  if (byDigest.size === 0) return new Map()
  const rows = await selectCards({ db: trx })
    .select('number_digest')
    .where('number_digest', 'in', [...byDigest.keys()])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map((row) => [byDigest.get(row.number_digest ?? '') ?? '', toCard(row)]))
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
const MOST = sql.lit(MAX_AMOUNT_MINOR)

/**
 * Counts a payment to a card's month, or where `amountMinor` is below zero, gives back what was released of one. `at` is
 * when the payment was authorised, also for what is given back later. Answers what the month has come to.
 */
export async function countUse(
  trx: Transaction<Database>,
  { cardId, amountMinor, at }: { cardId: string; amountMinor: number; at: Date },
): Promise<number> {
  const row = await trx
    .insertInto('bank.card_month')
    .values({ card_id: cardId, month: firstDayOfMonth(at), used_minor: Math.max(0, amountMinor) })
    .onConflict((conflict) =>
      conflict
        .columns(['card_id', 'month'])
        .doUpdateSet({ used_minor: sql`least(${MOST}, greatest(0, card_month.used_minor + ${amountMinor}::bigint))` }),
    )
    .returning('used_minor')
    .executeTakeFirstOrThrow()
  return row.used_minor
}

/** Counts payments of many cards to the month of `at`. */
export async function countUses(
  trx: Transaction<Database>,
  uses: readonly { cardId: string; amountMinor: number }[],
  at: Date,
): Promise<void> {
  if (uses.length === 0) return
  await trx
    .insertInto('bank.card_month')
    .values(
      uses.map(({ cardId, amountMinor }) => ({ card_id: cardId, month: firstDayOfMonth(at), used_minor: amountMinor })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['card_id', 'month'])
        .doUpdateSet({ used_minor: sql`least(${MOST}, card_month.used_minor + excluded.used_minor)` }),
    )
    .execute()
}

/** Ends what a single-use card is for. To be called with the card locked, once its payment is approved. */
export async function markUsed(trx: Transaction<Database>, cardId: string, at: Date): Promise<void> {
  await trx.updateTable('bank.card').set({ used_at: at }).where('id', '=', cardId).execute()
}
