import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { type Fund, proceedsOf, unitsFor } from '#contract/markets.ts'
import { fundAccounts } from '#server/investing/orders/accounts.ts'
import { lockOrder, type OrderRow, priceOfOrder } from '#server/investing/orders/order.ts'
import { fundDetail, payoutOf } from '#server/investing/orders/terms.ts'
import { feeOf } from '#server/markets/fee.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Leg } from '#server/ledger/types.ts'
import type { Price } from '#server/markets/prices.ts'
import { notify } from '#server/notifications/service.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { currentAccountOf } from '#server/identity/customers/customers.ts'

type Trx = Transaction<Database>
type FillDeps = Pick<Deps, 'db' | 'ledger' | 'clock' | 'policy' | 'prices' | 'events'>

/** What an order comes to at its price. */
export type Fill = { amountMinor: number; unitsMinor: number; feeMinor: number }

/**
 * What a purchase of so many US cents comes to. The fee comes off first; units are rounded down, so that the remainder of
 * the last one stays with the market maker.
 */
export function purchaseAt(deps: Pick<Deps, 'policy'>, fund: Fund, amountMinor: number, priceMicros: number): Fill {
  const feeMinor = feeOf(deps.policy.investing, amountMinor)
  return { amountMinor, feeMinor, unitsMinor: unitsFor(fund, amountMinor - feeMinor, priceMicros) }
}

/** What a sale of units comes to: what they sell for is rounded down to the cent, and the fee comes off that. */
export function saleAt(deps: Pick<Deps, 'policy'>, fund: Fund, unitsMinor: number, priceMicros: number): Fill {
  const { feeMinor, payoutMinor } = payoutOf(deps, proceedsOf(fund, unitsMinor, priceMicros))
  return { amountMinor: payoutMinor, unitsMinor, feeMinor }
}

/** The legs of an order that is filled but for what it had set aside. */
export function fillLegs(
  { side, fund }: Pick<OrderRow, 'side' | 'fund'>,
  { amountMinor, unitsMinor, feeMinor }: Fill,
  { current, units }: { current: AccountId; units: AccountId },
): Leg[] {
  const [cash, detail] = [bankAccount('market_maker'), fundDetail(fund)]
  const moved: Leg =
    side === 'buy'
      ? { kind: 'transfer', debit: bankAccount('market_maker', fund), credit: units, amountMinor: unitsMinor, detail }
      : { kind: 'transfer', debit: cash, credit: current, amountMinor, detail }
  const fee: Leg = { kind: 'transfer', debit: cash, credit: bankAccount('fees'), amountMinor: feeMinor, detail }
  return [moved, fee].filter((leg) => leg.kind !== 'transfer' || leg.amountMinor > 0)
}

/**
 * Fills an order at its price, or takes it back where that cannot be. Done again, or twice at
 * once, it does nothing more; however late it comes, the price is the same. Answers whether the order is over: not where
 * there is no price yet, or trading is paused.
 */
export async function fillOrder(deps: FillDeps, order: OrderRow): Promise<boolean> {
  const price = await priceOf(deps, order)
  if (!price) return false
  try {
    await fillAt(deps, order, price)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
    if (error.code !== 'order_over') await takeBack(deps, order)
  }
  return true
}

async function priceOf(deps: Pick<Deps, 'prices'>, order: OrderRow): Promise<Price | null> {
  try {
    return await priceOfOrder(deps, order)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'trading_paused') return null
    throw error
  }
}

/** Locks an order that waits for its price. Throws Refusal `order_over` for one that has ended. */
async function lockPending(trx: Trx, orderId: string): Promise<void> {
  if ((await lockOrder(trx, orderId))?.status !== 'pending') throw new Refusal('order_over')
}

/**
 * Throws Refusal `order_over`, `amount_too_large`, `units_too_few` where the money buys none, and what the ledger refuses.
 * What an order is of never changes.
 */
async function fillAt(deps: FillDeps, order: OrderRow, price: Price): Promise<void> {
  const { id: orderId, fund, side, customer_id: customerId } = order
  const fill =
    side === 'buy'
      ? purchaseAt(deps, fund, order.amount_minor ?? 0, price.priceMicros)
      : saleAt(deps, fund, order.units_minor ?? 0, price.priceMicros)
  if (fill.unitsMinor === 0) throw new Refusal('units_too_few')
  const { amountMinor, unitsMinor, feeMinor } = fill
  await deps.ledger.postWithRows({
    customerId,
    async operation(trx) {
      await lockPending(trx, orderId)
      const legs = fillLegs(order, fill, await accountsOfInvestor(trx, customerId, fund))
      return {
        ...derived('investing', orderId, 'fill'),
        kind: 'investing.fill',
        fingerprint: fingerprintOf('investing.fill', orderId),
        bookedAt: deps.clock.businessNow(),
        legs: [{ kind: 'post', holdId: orderId, detail: fundDetail(fund) }, ...legs],
      }
    },
    async also(trx, { id, bookedAt }) {
      const result = { amount_minor: amountMinor, units_minor: unitsMinor, fee_minor: feeMinor }
      await trx
        .updateTable('bank.fund_order')
        .set({ status: 'filled', ...result, price_micros: price.priceMicros, priced_at: price.at })
        .set({ ended_at: bookedAt, end_operation_id: id })
        .where('id', '=', orderId)
        .execute()
      // Units that sold for less than a cent.
      if (amountMinor === 0) return
      const params = { side, fund, amountMinor, asset: 'USD' as const }
      await notify(deps, trx, { customerId, kind: 'investment_filled', params })
    },
  })
}

async function accountsOfInvestor(trx: Trx, customerId: string, fund: Fund) {
  const current = await currentAccountOf(trx, customerId)
  const units = (await fundAccounts(runIn(trx), customerId)).get(fund)?.id
  if (units === undefined) throw new Error(`Customer ${customerId} has no account for ${fund}`)
  return { current, units }
}

/** Takes an order back that cannot be filled, and releases what it had set aside. */
async function takeBack(deps: FillDeps, order: OrderRow): Promise<void> {
  const { id: orderId, customer_id: customerId, side, fund } = order
  const taken = deps.ledger.postWithRows({
    customerId,
    async operation(trx) {
      await lockPending(trx, orderId)
      return {
        ...derived('investing', orderId, 'take_back'),
        kind: 'investing.cancel',
        fingerprint: fingerprintOf('investing.take_back', orderId),
        bookedAt: deps.clock.businessNow(),
        legs: [{ kind: 'void', holdId: orderId }],
      }
    },
    async also(trx, { id, bookedAt }) {
      await trx
        .updateTable('bank.fund_order')
        .set({ status: 'cancelled', cancelled_by: 'bank', ended_at: bookedAt, end_operation_id: id })
        .where('id', '=', orderId)
        .execute()
      await notify(deps, trx, { customerId, kind: 'investment_cancelled', params: { side, fund } })
    },
  })
  await taken.catch((error: unknown) => {
    if (!(error instanceof Refusal && error.code === 'order_over')) throw error
  })
}
