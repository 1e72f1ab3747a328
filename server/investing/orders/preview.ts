import { Refusal } from '#contract/errors.ts'
import type { InvestmentPreview, InvestmentPreviewQuery } from '#contract/investing.ts'
import { ORDER_LEAST_MINOR } from '#contract/investment-terms.ts'
import { proceedsOf, unitsFor } from '#contract/markets.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { fundAccounts } from '#server/investing/orders/accounts.ts'
import { payoutOf } from '#server/investing/orders/terms.ts'
import { feeOf } from '#server/markets/fee.ts'
import { nextPricing } from '#server/markets/feed/pricing-hours.ts'
import { tradingPrice } from '#server/markets/prices.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

/** What is wrong with the size of an order. */
export const ORDER_REFUSALS = ['investment_too_small', 'amount_too_large', 'units_short', 'units_too_few'] as const

/** Throws Refusal `investment_too_small` and `amount_too_large`. */
export function checkAmount({ policy }: Pick<Deps, 'policy'>, amountMinor: number): void {
  if (amountMinor < ORDER_LEAST_MINOR) throw new Refusal('investment_too_small', 'amountMinor')
  if (amountMinor > policy.limits.out.operationMinor) throw new Refusal('amount_too_large', 'amountMinor')
}

/**
 * How many units an order to sell is for. Throws Refusal `units_short` for more than there is, and `units_too_few` for what
 * sells for less than a cent, unless it is all there is.
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
  const wanted = unitsMinor === 'all' ? availableMinor : unitsMinor
  if (wanted === 0 || wanted > availableMinor) throw new Refusal('units_short', 'unitsMinor')
  const { payoutMinor } = payoutOf(deps, proceedsOf(fund, wanted, priceMicros))
  if (payoutMinor === 0 && wanted < availableMinor) throw new Refusal('units_too_few', 'unitsMinor')
  return wanted
}

/**
 * What an order would come to at the last price. Throws Refusal `request_invalid` where it does not say how much,
 * `trading_paused`, and what an order would be refused with for its amount.
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
  const sold = unitsToSell(deps, unitsMinor, { availableMinor, priceMicros, fund })
  const { feeMinor, payoutMinor } = payoutOf(deps, proceedsOf(fund, sold, priceMicros))
  return { ...common, amountMinor: payoutMinor, feeMinor, unitsMinor: sold, fillsAt }
}
