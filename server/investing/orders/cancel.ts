import { Refusal } from '#contract/errors.ts'
import type { Fund } from '#contract/markets.ts'
import { lockOrder } from '#server/investing/orders/order.ts'
import { priceAfter } from '#server/markets/prices.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

/**
 * Takes an order back and releases what it had set aside. Only until its price is known: whoever could wait for the price
 * would choose between two. Throws Refusal `not_found`, and `order_over` after that.
 */
export async function cancelOrder(
  deps: Pick<Deps, 'db' | 'ledger' | 'clock' | 'prices'>,
  customerId: string,
  orderId: string,
  { operationId: id, fingerprint }: RequestKey,
): Promise<void> {
  const order = await deps.db
    .selectFrom('bank.fund_order')
    .select(['fund', 'placed_at'])
    .where('id', '=', orderId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!order) throw new Refusal('not_found')
  if (await hasPrice(deps, order.fund, order.placed_at)) throw new Refusal('order_over')
  await inTransaction(deps.db, async (trx) => {
    const locked = await lockOrder(trx, orderId)
    if (locked?.status !== 'pending') throw new Refusal('order_over')
    const endedAt = deps.clock.businessNow()
    const legs = [{ kind: 'void' as const, holdId: orderId }]
    const operation = { id, fingerprint, kind: 'investing.cancel', bookedAt: endedAt, legs }
    const [booked] = await deps.ledger.postWithin(runIn(trx), [operation])
    if (booked.replayed) return
    await trx
      .updateTable('bank.fund_order')
      .set({ status: 'cancelled', cancelled_by: 'customer', ended_at: endedAt, end_operation_id: id })
      .where('id', '=', orderId)
      .execute()
  })
}

/** While trading is paused nothing is priced. */
async function hasPrice(deps: Pick<Deps, 'prices'>, fund: Fund, placedAt: Date): Promise<boolean> {
  try {
    return (await priceAfter(deps, fund, placedAt)) !== null
  } catch (error) {
    if (error instanceof Refusal && error.code === 'trading_paused') return false
    throw error
  }
}
