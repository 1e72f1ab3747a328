import { orderOf } from '#server/investing/orders/order.ts'
import type { Deps } from '#server/platform/deps.ts'

type Page = { after: string | null; limit: number }

/** Reads a page of all orders that a customer ever placed, by id. `after` is the last order of the previous page. */
export async function exportFundOrders({ db }: Pick<Deps, 'db'>, customerId: string, { after, limit }: Page) {
  let query = db.selectFrom('bank.fund_order').selectAll().where('customer_id', '=', customerId)
  if (after) query = query.where('id', '>', after)
  const rows = await query.orderBy('id').limit(limit).execute()
  return rows.map(orderOf)
}
