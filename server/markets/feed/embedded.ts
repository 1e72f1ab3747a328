import { isCoin, type Priced } from '#contract/markets.ts'
import type { Deps } from '#server/platform/deps.ts'
import { lastPricing, nextPricing } from '#server/markets/feed/pricing-hours.ts'
import type { Price, PriceFeed } from '#server/markets/feed/port.ts'
import { GENERATED, generatedPrice, TICK_MS } from '#server/markets/feed/generator.ts'

/** Creates the price feed of a sample bank. Its prices are generated, always fresh, and never ahead of the bank's date. */
export function embeddedFeed({ clock }: Pick<Deps, 'clock'>): PriceFeed {
  const last = (asset: Priced, moment: Date): Price | null => {
    const now = clock.businessNow()
    return priceAt(asset, publishedBy(asset, moment < now ? moment : now))
  }
  return {
    market: async (asset) => {
      const price = last(asset, clock.businessNow())
      return { asset, status: price ? 'open' : 'stale', price }
    },
    lateSince: async () => null,
    since: async () => GENERATED.from,
    after: async (asset, moment) => {
      const publishedAt = publishedAfter(asset, moment)
      return publishedAt <= clock.businessNow() ? priceAt(asset, publishedAt) : null
    },
    at: async (asset, moments) => moments.map((moment) => last(asset, moment)),
  }
}

function priceAt(asset: Priced, at: Date): Price | null {
  if (at < GENERATED.from || at > GENERATED.until) return null
  return { asset, priceMicros: generatedPrice(asset, at), at }
}

/** Returns the publication time of the last price at or before a moment. */
const publishedBy = (asset: Priced, moment: Date): Date =>
  isCoin(asset) ? new Date(Math.floor(moment.getTime() / TICK_MS) * TICK_MS) : lastPricing(moment)

/** Returns the publication time of the first price after a moment. */
const publishedAfter = (asset: Priced, moment: Date): Date =>
  isCoin(asset) ? new Date((Math.floor(moment.getTime() / TICK_MS) + 1) * TICK_MS) : nextPricing(moment)
