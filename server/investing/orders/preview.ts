import { Refusal } from '#contract/errors.ts'
import type { InvestmentPreview, InvestmentPreviewQuery } from '#contract/investing.ts'
import { MIN_ORDER_MINOR } from '#contract/investment-terms.ts'
import { proceedsOf, unitsFor } from '#contract/markets.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { fundAccounts } from '#server/investing/orders/accounts.ts'
import { payoutOf } from '#server/investing/orders/terms.ts'
import { feeOf } from '#server/markets/fee.ts'
import { nextPricing } from '#server/markets/feed/pricing-hours.ts'
import { tradingPrice } from '#server/markets/prices.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The codes of the Refusals for the size of an order. */
export const ORDER_REFUSALS = ['investment_too_small', 'amount_too_large', 'units_short', 'units_too_few'] as const

/** Throws Refusal `investment_too_small` and `amount_too_large`. */
export function checkAmount({ policy }: Pick<Deps, 'policy'>, amountMinor: number): void {
  if (amountMinor < MIN_ORDER_MINOR) throw new Refusal('investment_too_small', 'amountMinor')
  if (amountMinor > policy.limits.out.operationMinor) throw new Refusal('amount_too_large', 'amountMinor')
}

/**
 * Returns the number of units to sell. Throws Refusal `units_short` if the customer has fewer units. Throws `units_too_few` if
 * nothing is left to pay out after the fee, unless the customer sells all units.
 */
export function unitsToSell(
  deps: Pick<Deps, 'policy'>,
  unitsMinor: number | 'all',
  {
    availableMinor,
    priceMicros,
    fund,
  }: { availableMinor: number; priceMicros: number; fund: InvestmentPreview['fund'] },
): number {
  const soldMinor = unitsMinor === 'all' ? availableMinor : unitsMinor
  if (soldMinor === 0 || soldMinor > availableMinor) throw new Refusal('units_short', 'unitsMinor')
  const { payoutMinor } = payoutOf(deps, proceedsOf(fund, soldMinor, priceMicros))
  if (payoutMinor === 0 && soldMinor < availableMinor) throw new Refusal('units_too_few', 'unitsMinor')
  return soldMinor
}

/**
 * Returns the result of an order at the last price. Throws Refusal `request_invalid` if the order has no amount,
 * `trading_paused`, and the refusals of an order for its size.
 */
export async function previewOrder(
  deps: Pick<Deps, 'db' | 'policy' | 'clock' | 'prices'>,
  customer: Pick<Customer, 'id'>,
  { side, fund, amountMinor, unitsMinor }: InvestmentPreviewQuery,
): Promise<InvestmentPreview> {
  const { priceMicros, at } = await tradingPrice(deps, fund)
  const common = { side, fund, priceMicros, pricedAt: at.toISOString(), asset: 'USD' as const }
  const fillsAt = nextPricing(deps.clock.businessNow()).toISOString()
  if (side === 'buy') {
    if (amountMinor === undefined) throw new Refusal('request_invalid', 'amountMinor')
    checkAmount(deps, amountMinor)
    const feeMinor = feeOf(deps.policy.investing, amountMinor)
    return {
      ...common,
      amountMinor,
      feeMinor,
      unitsMinor: unitsFor(fund, amountMinor - feeMinor, priceMicros),
      fillsAt,
    }
  }
  if (unitsMinor === undefined) throw new Refusal('request_invalid', 'unitsMinor')
  const availableMinor = (await fundAccounts(runIn(deps.db), customer.id)).get(fund)?.availableMinor ?? 0
  const soldUnits = unitsToSell(deps, unitsMinor, { availableMinor, priceMicros, fund })
  const { feeMinor, payoutMinor } = payoutOf(deps, proceedsOf(fund, soldUnits, priceMicros))
  return { ...common, amountMinor: payoutMinor, feeMinor, unitsMinor: soldUnits, fillsAt }
}
