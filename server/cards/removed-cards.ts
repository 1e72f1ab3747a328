import type { PastCard } from '#contract/cards.ts'
import { Refusal } from '#contract/errors.ts'
import { findCard } from '#server/cards/card.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Deps } from '#server/platform/deps.ts'
import { isUuid } from '#server/platform/uuid.ts'

type Holder = Pick<Customer, 'id'>
type Page = { cursor?: string | undefined; limit: number }

/** Selects a customer's removed virtual cards. */
const selectPast = ({ db }: Pick<Deps, 'db'>, customerId: string) =>
  db
    .selectFrom('bank.card')
    .where('customer_id', '=', customerId)
    .where('status', '=', 'removed')
    .where('kind', '<>', 'main')

export async function hasPastCards(deps: Pick<Deps, 'db'>, customerId: string): Promise<boolean> {
  return (await selectPast(deps, customerId).select('id').limit(1).executeTakeFirst()) !== undefined
}

/**
 * Returns a page of removed virtual cards, the last removed first. The cursor is the last card of the previous page. Throws
 * Refusal `cursor_invalid`.
 */
export async function listPastCards(
  deps: Pick<Deps, 'db'>,
  { id: customerId }: Holder,
  { cursor, limit }: Page,
): Promise<{ cards: PastCard[]; nextCursor: string | null }> {
  let query = selectPast(deps, customerId).select(['id', 'name', 'last_four', 'removed_at'])
  if (cursor !== undefined) {
    const { id, removedAt } = await findCursorCard(deps, customerId, cursor)
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('removed_at', 'id'), '<', tuple(removedAt, id)))
  }
  const rows = await query
    .orderBy('removed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const cards = page.flatMap(({ id, name, last_four: lastFour, removed_at: at }) =>
    at ? [{ id, name, lastFour, endedAt: at.toISOString() }] : [],
  )
  return { cards, nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

async function findCursorCard(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  cardId: string,
): Promise<{ id: string; removedAt: Date }> {
  const card = isUuid(cardId) ? await findCard(deps, customerId, cardId) : null
  if (!card?.removedAt) throw new Refusal('cursor_invalid', 'cursor')
  return { id: card.id, removedAt: card.removedAt }
}
