import { DAY_MS } from '#server/platform/durations.ts'
import { changeBpsOf, isCoin, PRICED, type Priced, type PriceRange } from '#contract/markets.ts'
import type { MarketView } from '#contract/markets-api.ts'
import type { Deps } from '#server/platform/deps.ts'
import { chartMoments, rangeStart } from '#server/markets/chart-moments.ts'
import { marketOf, type Price, pricesAt } from '#server/markets/prices.ts'

type HistoryDeps = Pick<Deps, 'prices' | 'clock'>

/** Returns the status of all markets, with the changes of their prices. */
export async function listMarkets(deps: Pick<Deps, 'prices'>): Promise<MarketView[]> {
  return Promise.all(PRICED.map((asset) => readMarketView(deps, asset)))
}

async function readMarketView(deps: Pick<Deps, 'prices'>, asset: Priced): Promise<MarketView> {
  const { status, price } = await marketOf(deps, asset)
  if (!price) return { asset, status, price: null, dayChangeBps: null, monthChangeBps: null }
  const last = price.at.getTime()
  // The change of a fund is since its previous price, one business day earlier. A fund has no price on a holiday.
  const dayBefore = isCoin(asset) ? last - DAY_MS : last - 1
  const [before, monthBefore] = await pricesAt(deps, asset, [new Date(dayBefore), new Date(last - 30 * DAY_MS)])
  const change = (earlier: Price | null | undefined): number | null =>
    earlier ? changeBpsOf(earlier.priceMicros, price.priceMicros) : null
  return { asset, status, price: point(price), dayChangeBps: change(before), monthChangeBps: change(monthBefore) }
}

/** Returns the prices for a chart, the oldest first, without repetitions. */
export async function priceHistoryOf(deps: HistoryDeps, asset: Priced, range: PriceRange) {
  const now = deps.clock.businessNow().getTime()
  const since = (await deps.prices.since(asset))?.getTime() ?? now
  const moments = chartMoments(Math.max(since, rangeStart(range, since, now)), now)
  const prices = (await pricesAt(deps, asset, moments)).filter((price) => price !== null)
  return prices.filter(({ at }, place) => at.getTime() !== prices[place - 1]?.at.getTime()).map(point)
}

const point = ({ priceMicros, at }: Price) => ({ priceMicros, at: at.toISOString() })
