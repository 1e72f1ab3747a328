import { orderOf } from '#server/investing/orders/order.ts'
import type { Deps } from '#server/platform/deps.ts'

type Page = { after: string | null; limit: number }

/** Every order that a customer ever placed, by id; `after` is the last one that was read. */
export async function exportedOrders({ db }: Pick<Deps, 'db'>, customerId: string, { after, limit }: Page) {
  let query = db.selectFrom('bank.fund_order').selectAll().where('customer_id', '=', customerId)
  if (after) query = query.where('id', '>', after)
  const rows = await query.orderBy('id').limit(limit).execute()
  return rows.map(orderOf)
}
