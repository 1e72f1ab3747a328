import { Refusal } from '#contract/errors.ts'
import type { Priced } from '#contract/markets.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Market, Price } from '#server/markets/feed/port.ts'

export type { Market, Price }

type PriceDeps = Pick<Deps, 'prices'>

/** For screens: never throws because of the feed. */
export async function marketOf(deps: PriceDeps, asset: Priced): Promise<Market> {
  return deps.prices.market(asset)
}

/** The price to trade at now. Throws Refusal `trading_paused` unless the market is open. */
export async function tradingPrice(deps: PriceDeps, asset: Priced): Promise<Price> {
  const { status, price } = await deps.prices.market(asset)
  if (status !== 'open' || !price) throw new Refusal('trading_paused')
  return price
}

/**
 * The first price published after a moment, at which an order of that moment is filled; null where there is none yet.
 * Funds have one price each business day. Throws Refusal `trading_paused`.
 */
export async function priceAfter(deps: PriceDeps, asset: Priced, after: Date): Promise<Price | null> {
  await tradingPrice(deps, asset)
  return deps.prices.after(asset, after)
}

/** The last price published at or before each of these moments (in order), null before the first one known. */
export async function pricesAt(deps: PriceDeps, asset: Priced, moments: readonly Date[]): Promise<(Price | null)[]> {
  return deps.prices.at(asset, moments)
}
