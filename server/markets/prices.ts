import { Refusal } from '#contract/errors.ts'
import type { Priced } from '#contract/markets.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Market, Price } from '#server/markets/feed/port.ts'

export type { Market, Price }

type PriceDeps = Pick<Deps, 'prices'>

/** Returns a market for a screen. An error of the feed does not throw. */
export async function marketOf(deps: PriceDeps, asset: Priced): Promise<Market> {
  return deps.prices.market(asset)
}

/** Returns the price for trading now. Throws Refusal `trading_paused` unless the market is open. */
export async function tradingPrice(deps: PriceDeps, asset: Priced): Promise<Price> {
  const { status, price } = await deps.prices.market(asset)
  if (status !== 'open' || !price) throw new Refusal('trading_paused')
  return price
}

/**
 * Returns the price at which an order is filled: the first price published after the order's moment. Returns null if it is not
 * published yet. Funds have one price each business day. Throws Refusal `trading_paused` unless the market is open.
 */
export async function priceAfter(deps: PriceDeps, asset: Priced, after: Date): Promise<Price | null> {
  await tradingPrice(deps, asset)
  return deps.prices.after(asset, after)
}

/**
 * Returns, for each of these moments in their order, the last price published at or before it. The entry is null for a moment
 * before the first known price.
 */
export async function pricesAt(deps: PriceDeps, asset: Priced, moments: readonly Date[]): Promise<(Price | null)[]> {
  return deps.prices.at(asset, moments)
}
