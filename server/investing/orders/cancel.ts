import { DAY_MS } from '#server/platform/durations.ts'
import { Refusal } from '#contract/errors.ts'
import { lockOrder, type OrderRow, priceOfOrder } from '#server/investing/orders/order.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

/** A price that is later than this, in milliseconds, is not waited for: the order can be cancelled again. */
const LATE_MS = 5 * DAY_MS

/**
 * Takes an order back and releases what it had set aside. Only until its price is made, whether or not the bank has it by
 * then: whoever could see where the market goes would choose between two prices. Throws Refusal `not_found`, and
 * `order_over` after that.
 */
export async function cancelOrder(
  deps: Pick<Deps, 'db' | 'ledger' | 'clock' | 'prices'>,
  customerId: string,
  orderId: string,
  { operationId: id, fingerprint }: RequestKey,
): Promise<void> {
  const order = await deps.db
    .selectFrom('bank.fund_order')
    .select(['fund', 'priced_at'])
    .where('id', '=', orderId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!order) throw new Refusal('not_found')
  if (await hasPrice(deps, order)) throw new Refusal('order_over')
  await deps.ledger.postWithRows({
    customerId,
    async operation(trx) {
      const locked = await lockOrder(trx, orderId)
      if (locked?.status !== 'pending') throw new Refusal('order_over')
      // Asked under the lock: it may have been waited for past the hour.
      const bookedAt = deps.clock.businessNow()
      if (isPriceMade(locked, bookedAt)) throw new Refusal('order_over')
      return { id, fingerprint, kind: 'investing.cancel', bookedAt, legs: [{ kind: 'void', holdId: orderId }] }
    },
    async also(trx, { bookedAt }) {
      await trx
        .updateTable('bank.fund_order')
        .set({ status: 'cancelled', cancelled_by: 'customer', ended_at: bookedAt, end_operation_id: id })
        .where('id', '=', orderId)
        .execute()
    },
  })
}

/** Whether an order's price is made by now, as the calendar has it, and not so late that it may never come. */
function isPriceMade({ priced_at: pricedAt }: Pick<OrderRow, 'priced_at'>, now: Date): boolean {
  const lateMs = now.getTime() - pricedAt.getTime()
  return lateMs >= 0 && lateMs <= LATE_MS
}

/** While trading is paused nothing is priced. */
async function hasPrice(deps: Pick<Deps, 'prices'>, order: Pick<OrderRow, 'fund' | 'priced_at'>): Promise<boolean> {
  try {
    return (await priceOfOrder(deps, order)) !== null
  } catch (error) {
    if (error instanceof Refusal && error.code === 'trading_paused') return false
    throw error
  }
}
