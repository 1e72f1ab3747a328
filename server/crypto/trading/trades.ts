import type { Trade } from '#contract/crypto.ts'
import { Refusal } from '#contract/errors.ts'
import type { Coin } from '#contract/markets.ts'
import type { Deps } from '#server/platform/deps.ts'
import { isUuid } from '#server/platform/uuid.ts'

const tradesQuery = ({ db }: Pick<Deps, 'db'>, customerId: string) =>
  db.selectFrom('bank.crypto_trade').selectAll().where('customer_id', '=', customerId)

type TradeRow = Awaited<ReturnType<ReturnType<typeof tradesQuery>['executeTakeFirstOrThrow']>>

function tradeOf(row: TradeRow): Trade {
  return {
    id: row.operation_id,
    side: row.side,
    asset: row.asset,
    amountMinor: row.amount_minor,
    dollarsMinor: row.dollars_minor,
    feeMinor: row.fee_minor,
    priceMicros: row.price_micros,
    kind: row.kind,
    bookedAt: row.booked_at.toISOString(),
  }
}

/** Returns one of a customer's trades. Throws Refusal `not_found`. */
export async function readTrade(deps: Pick<Deps, 'db'>, customerId: string, id: string): Promise<Trade> {
  const row = await tradesQuery(deps, customerId).where('operation_id', '=', id).executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return tradeOf(row)
}

/**
 * Returns a page of a customer's trades, of all coins or of one, newest first. The cursor is the last trade of the previous
 * page. Throws Refusal `cursor_invalid`.
 */
export async function listTrades(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { asset, cursor, limit }: { asset?: Coin | undefined; cursor?: string | undefined; limit: number },
): Promise<{ trades: Trade[]; nextCursor: string | null }> {
  let query = tradesQuery(deps, customerId)
  if (asset !== undefined) query = query.where('asset', '=', asset)
  if (cursor !== undefined) {
    const last = isUuid(cursor)
      ? await tradesQuery(deps, customerId).where('operation_id', '=', cursor).executeTakeFirst()
      : undefined
    if (!last) throw new Refusal('cursor_invalid', 'cursor')
    query = query.where('number', '<', last.number)
  }
  const rows = await query
    .orderBy('number', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  return {
    trades: page.map(tradeOf),
    nextCursor: rows.length > limit ? (page.at(-1)?.operation_id ?? null) : null,
  }
}

export type NumberedTrade = Trade & { number: number }

/**
 * Returns a page of a customer's trades in their original order. It begins after a given trade, or with the first one if
 * none is given.
 */
export async function tradesAfter(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  after: number | null,
  limit: number,
): Promise<NumberedTrade[]> {
  const query = tradesQuery(deps, customerId)
  const rows = await (after === null ? query : query.where('number', '>', after))
    .orderBy('number')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...tradeOf(row), number: row.number }))
}
