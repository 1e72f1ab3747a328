import type { Kysely, Selectable, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { InvestmentHistory, InvestmentOrder } from '#contract/investing.ts'
import { type Price, priceAfter } from '#server/markets/prices.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { isUuid } from '#server/platform/uuid.ts'

export type OrderRow = Selectable<Database['bank.fund_order']>

/** The most orders that a customer places themselves and has pending at a time. */
export const PENDING_MOST = 50

export function orderOf(row: OrderRow): InvestmentOrder {
  return {
    id: row.id,
    side: row.side,
    fund: row.fund,
    status: row.status,
    amountMinor: row.amount_minor,
    unitsMinor: row.units_minor,
    feeMinor: row.fee_minor,
    priceMicros: row.price_micros,
    asset: 'USD',
    placedAt: row.placed_at.toISOString(),
    pricedAt: row.priced_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    cancelledBy: row.cancelled_by,
    planId: row.plan_id,
  }
}

const ordersOf = ({ db }: Pick<Deps, 'db'>, customerId: string) =>
  db.selectFrom('bank.fund_order').selectAll().where('customer_id', '=', customerId)

/** One of a customer's orders. Throws Refusal `not_found`, for another customer's too. */
export async function readOrder(deps: Pick<Deps, 'db'>, customerId: string, id: string): Promise<InvestmentOrder> {
  const row = await ordersOf(deps, customerId).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return orderOf(row)
}

/** The same, which nobody else changes before the SQL transaction ends. */
export async function lockOrder(trx: Transaction<Database>, id: string): Promise<OrderRow | undefined> {
  return trx.selectFrom('bank.fund_order').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** A customer's pending orders, newest first. */
export async function pendingOrders(deps: Pick<Deps, 'db'>, customerId: string): Promise<InvestmentOrder[]> {
  const rows = await ordersOf(deps, customerId)
    .where('status', '=', 'pending')
    .orderBy('placed_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(orderOf)
}

/** How many of a customer's own orders are pending: those of plans do not count. */
export async function countPending(db: Kysely<Database>, customerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('bank.fund_order')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('status', '=', 'pending')
    .where('plan_id', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

type Place = { placedAt: Date; id: string }

/** The cursor is the time and the id of the last order of the page before. */
const writeCursor = ({ placedAt, id }: InvestmentOrder): string => `${Date.parse(placedAt)}.${id}`

/** Throws Refusal `cursor_invalid`. */
function readCursor(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null
  const [time = '', id = ''] = cursor.split('.', 2)
  const placedAt = new Date(/^\d{1,15}$/.test(time) ? Number(time) : Number.NaN)
  if (Number.isNaN(placedAt.getTime()) || !isUuid(id)) throw new Refusal('cursor_invalid', 'cursor')
  return { placedAt, id }
}

type Page = { cursor?: string | undefined; limit: number }

/** A page of a customer's orders that were filled or cancelled, newest first. Throws Refusal `cursor_invalid`. */
export async function orderHistory(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { cursor, limit }: Page,
): Promise<InvestmentHistory> {
  const before = readCursor(cursor)
  let query = ordersOf(deps, customerId).where('status', '<>', 'pending')
  if (before)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('placed_at', 'id'), '<', tuple(before.placedAt, before.id)),
    )
  const rows = await query
    .orderBy('placed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const orders = rows.slice(0, limit).map(orderOf)
  const last = orders.at(-1)
  return { orders, nextCursor: rows.length > limit && last ? writeCursor(last) : null }
}

/**
 * The price at which an order is filled: the first that is published when its fund is next priced, or later. One that comes
 * before then is nobody's to trade at, for it is known. Null where there is none yet. Throws Refusal `trading_paused`.
 */
export const priceOfOrder = (
  deps: Pick<Deps, 'prices'>,
  { fund, priced_at: pricedAt }: Pick<OrderRow, 'fund' | 'priced_at'>,
): Promise<Price | null> => priceAfter(deps, fund, new Date(pricedAt.getTime() - 1))
