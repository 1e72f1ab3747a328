import { fillOrder } from '#server/investing/orders/fill.ts'
import type { FundOrderRow } from '#server/investing/orders/order.ts'
import type { Deps } from '#server/platform/deps.ts'

/**
 * Fills a customer's orders whose pricing time is before a moment, the oldest first. Skips orders whose price the bank does not
 * have.
 */
export async function fillDue(
  deps: Pick<Deps, 'db' | 'ledger' | 'clock' | 'policy' | 'prices' | 'events'>,
  customerId: string,
  before: Date,
): Promise<void> {
  const unpriced = new Set<string>()
  for (;;) {
    const order = await oldestOrder(deps, customerId, before, unpriced)
    if (!order) return
    if (!(await fillOrder(deps, order))) unpriced.add(order.id)
  }
}

function oldestOrder(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  before: Date,
  without: ReadonlySet<string>,
): Promise<FundOrderRow | undefined> {
  let query = db
    .selectFrom('bank.fund_order')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('status', '=', 'pending')
    .where('priced_at', '<', before)
  if (without.size > 0) query = query.where('id', 'not in', [...without])
  return query.orderBy('priced_at').orderBy('placed_at').orderBy('id').limit(1).executeTakeFirst()
}
