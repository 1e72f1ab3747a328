import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { type Fund, proceedsOf, unitsFor } from '#contract/markets.ts'
import { fundAccounts } from '#server/investing/orders/accounts.ts'
import { lockFundOrder, type FundOrderRow, priceOfOrder } from '#server/investing/orders/order.ts'
import { fundDetail, payoutOf } from '#server/investing/orders/terms.ts'
import { feeOf } from '#server/markets/fee.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
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

/** The result of an order at its price. */
export type Fill = { amountMinor: number; unitsMinor: number; feeMinor: number }

/**
 * Returns the result of a purchase for an amount in US cents. The fee is subtracted from the amount first. Units are rounded
 * down, and the market maker keeps the money for the remaining fraction.
 */
export function purchaseAt(deps: Pick<Deps, 'policy'>, fund: Fund, amountMinor: number, priceMicros: number): Fill {
  const feeMinor = feeOf(deps.policy.investing, amountMinor)
  return { amountMinor, feeMinor, unitsMinor: unitsFor(fund, amountMinor - feeMinor, priceMicros) }
}

/** Returns the result of a sale of units. The proceeds are rounded down to the cent, and the fee is subtracted from them. */
export function saleAt(deps: Pick<Deps, 'policy'>, fund: Fund, unitsMinor: number, priceMicros: number): Fill {
  const { feeMinor, payoutMinor } = payoutOf(deps, proceedsOf(fund, unitsMinor, priceMicros))
  return { amountMinor: payoutMinor, unitsMinor, feeMinor }
}

/** Returns the ledger legs of a filled order, except the leg that posts its hold. */
export function fillLegs(
  { side, fund }: Pick<FundOrderRow, 'side' | 'fund'>,
  { amountMinor, unitsMinor, feeMinor }: Fill,
  { current, units }: { current: AccountId; units: AccountId },
): Leg[] {
  const [cash, detail] = [bankAccount('market_maker'), fundDetail(fund)]
  const movement: Leg =
    side === 'buy'
      ? { kind: 'transfer', debit: bankAccount('market_maker', fund), credit: units, amountMinor: unitsMinor, detail }
      : { kind: 'transfer', debit: cash, credit: current, amountMinor, detail }
  const fee: Leg = { kind: 'transfer', debit: cash, credit: bankAccount('fees'), amountMinor: feeMinor, detail }
  return [movement, fee].filter((leg) => leg.kind !== 'transfer' || leg.amountMinor > 0)
}

/**
 * Fills an order at its price, or cancels an order that cannot be filled. A repeated or concurrent call changes nothing. A late
 * call uses the same price. Returns false if the order must wait because it has no price or trading is paused, and true if it
 * has ended.
 */
export async function fillOrder(deps: FillDeps, order: FundOrderRow): Promise<boolean> {
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

async function priceOf(deps: Pick<Deps, 'prices'>, order: FundOrderRow): Promise<Price | null> {
  try {
    return await priceOfOrder(deps, order)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'trading_paused') return null
    throw error
  }
}

/** Locks a pending order. Throws Refusal `order_over` for an order that has ended. */
async function lockPending(trx: Trx, orderId: string): Promise<void> {
  if ((await lockFundOrder(trx, orderId))?.status !== 'pending') throw new Refusal('order_over')
}

/**
 * Fills an order at a price. The content of an order never changes, so it is read before the lock. Throws Refusal `order_over`,
 * `amount_too_large`, `units_too_few` if the money buys no units, and the ledger's refusals.
 */
async function fillAt(deps: FillDeps, order: FundOrderRow, price: Price): Promise<void> {
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
        ...derivedIdentity('investing', orderId, 'fill'),
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
      // If a sale left nothing to pay out after the fee, the customer gets no notice.
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

/** Cancels an order that cannot be filled, and releases its hold. */
async function takeBack(deps: FillDeps, order: FundOrderRow): Promise<void> {
  const { id: orderId, customer_id: customerId, side, fund } = order
  const booking = deps.ledger.postWithRows({
    customerId,
    async operation(trx) {
      await lockPending(trx, orderId)
      return {
        ...derivedIdentity('investing', orderId, 'take_back'),
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
  await booking.catch((error: unknown) => {
    if (!(error instanceof Refusal && error.code === 'order_over')) throw error
  })
}
