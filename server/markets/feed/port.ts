import type { MarketStatus, Priced } from '#contract/markets.ts'

/** A price that the bank believes: millionths of a US dollar for one whole coin or unit, and when it was published. */
export type Price = { asset: Priced; priceMicros: number; at: Date }

/** How a market stands; `price` is the last that was believed, null where there never was one. */
export type Market = { asset: Priced; status: MarketStatus; price: Price | null }

/** Where prices come from. Moments are business time. None of it throws because of whoever publishes them. */
export type PriceFeed = {
  market(asset: Priced): Promise<Market>
  /** Since when a market has been halted, or its prices too old to trade at; null where neither is so. */
  lateSince(): Promise<Date | null>
  /** When the first known price was published; null where there is none. */
  since(asset: Priced): Promise<Date | null>
  /** The first price published after a moment, and by now; null where there is none. */
  after(asset: Priced, moment: Date): Promise<Price | null>
  /** The last price published at or before each of these moments, and by now; null before the first one known. */
  at(asset: Priced, moments: readonly Date[]): Promise<(Price | null)[]>
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    prices: PriceFeed
  }
}
