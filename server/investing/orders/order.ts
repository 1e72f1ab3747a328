import type { Kysely, Selectable, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { InvestmentHistory, InvestmentOrder } from '#contract/investing.ts'
import { type Price, priceAfter } from '#server/markets/prices.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { isUuid } from '#server/platform/uuid.ts'

export type FundOrderRow = Selectable<Database['bank.fund_order']>

/** The largest number of pending orders for one customer. Orders that a plan has placed do not count. */
export const MAX_PENDING = 50

export function orderOf(row: FundOrderRow): InvestmentOrder {
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

/** Returns one of a customer's orders. Throws Refusal `not_found`, also for another customer's order. */
export async function readFundOrder(deps: Pick<Deps, 'db'>, customerId: string, id: string): Promise<InvestmentOrder> {
  const row = await ordersOf(deps, customerId).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return orderOf(row)
}

/** Locks an order until the SQL transaction ends. */
export async function lockFundOrder(trx: Transaction<Database>, id: string): Promise<FundOrderRow | undefined> {
  return trx.selectFrom('bank.fund_order').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Returns a customer's pending orders, newest first. */
export async function pendingOrders(deps: Pick<Deps, 'db'>, customerId: string): Promise<InvestmentOrder[]> {
  const rows = await ordersOf(deps, customerId)
    .where('status', '=', 'pending')
    .orderBy('placed_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(orderOf)
}

/** Returns the number of a customer's pending orders. Orders of plans do not count. */
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

type OrderCursor = { placedAt: Date; id: string }

/** Returns the cursor of a page: the time and the id of its last order. */
const writeCursor = ({ placedAt, id }: InvestmentOrder): string => `${Date.parse(placedAt)}.${id}`

/** Throws Refusal `cursor_invalid`. */
function readCursor(cursor: string | undefined): OrderCursor | null {
  if (cursor === undefined) return null
  const [time = '', id = ''] = cursor.split('.', 2)
  const placedAt = new Date(/^\d{1,15}$/.test(time) ? Number(time) : Number.NaN)
  if (Number.isNaN(placedAt.getTime()) || !isUuid(id)) throw new Refusal('cursor_invalid', 'cursor')
  return { placedAt, id }
}

type Page = { cursor?: string | undefined; limit: number }

/** Returns a page of a customer's orders that were filled or canceled, newest first. Throws Refusal `cursor_invalid`. */
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
 * Returns the price at which an order is filled: the first price published at or after its pricing time. The customer may
 * already know an earlier price, so no order is filled at one. Returns null if the price is not published yet. Throws Refusal
 * `trading_paused`.
 */
export const priceOfOrder = (
  deps: Pick<Deps, 'prices'>,
  { fund, priced_at: pricedAt }: Pick<FundOrderRow, 'fund' | 'priced_at'>,
): Promise<Price | null> => priceAfter(deps, fund, new Date(pricedAt.getTime() - 1))
