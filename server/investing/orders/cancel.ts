import { DAY_MS } from '#server/platform/durations.ts'
import { Refusal } from '#contract/errors.ts'
import { lockFundOrder, type FundOrderRow, priceOfOrder } from '#server/investing/orders/order.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

/** The time after an order's pricing time, in milliseconds, after which the order can be canceled if it still has no price. */
const LATE_MS = 5 * DAY_MS

/**
 * Cancels an order and releases its hold. A customer can cancel only until the order's pricing time, even if the bank receives
 * the price later. They can cancel again `LATE_MS` after the pricing time if there is still no price. In between, a customer
 * who knows the market could choose between two prices. Throws Refusal `not_found`, and `order_over` if it is too late.
 */
export async function cancelFundOrder(
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
      const locked = await lockFundOrder(trx, orderId)
      if (locked?.status !== 'pending') throw new Refusal('order_over')
      // The time is read after the lock is acquired, because the pricing time may have passed during the wait.
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

/**
 * Returns whether an order's price exists by now according to the calendar. Returns false again `LATE_MS` after the pricing
 * time, because such a late price may never arrive.
 */
function isPriceMade({ priced_at: pricedAt }: Pick<FundOrderRow, 'priced_at'>, now: Date): boolean {
  const lateMs = now.getTime() - pricedAt.getTime()
  return lateMs >= 0 && lateMs <= LATE_MS
}

/** While trading is paused, no order has a price. */
async function hasPrice(deps: Pick<Deps, 'prices'>, order: Pick<FundOrderRow, 'fund' | 'priced_at'>): Promise<boolean> {
  try {
    return (await priceOfOrder(deps, order)) !== null
  } catch (error) {
    if (error instanceof Refusal && error.code === 'trading_paused') return false
    throw error
  }
}
