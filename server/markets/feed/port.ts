import type { MarketStatus, Priced } from '#contract/markets.ts'

/** A price that the bank accepts: millionths of a US dollar for one whole coin or unit, and its publication time. */
export type Price = { asset: Priced; priceMicros: number; at: Date }

/** The status of a market. `price` is the last accepted price, or null if there was none. */
export type Market = { asset: Priced; status: MarketStatus; price: Price | null }

/** A source of prices. All moments are business time. A failure of the publisher never makes a method throw. */
export type PriceFeed = {
  market(asset: Priced): Promise<Market>
  /**
   * Returns the time since which some market has been halted or has had prices too old for trading. Returns null if all markets
   * are in order.
   */
  lateSince(): Promise<Date | null>
  /** Returns the publication time of the first known price, or null without any price. */
  since(asset: Priced): Promise<Date | null>
  /** Returns the first price published after a moment. Returns null if it is not published yet. */
  after(asset: Priced, moment: Date): Promise<Price | null>
  /**
   * Returns, for each of these moments, the last price published at or before it. Prices after now are never returned. The
   * entry is null for a moment before the first known price.
   */
  at(asset: Priced, moments: readonly Date[]): Promise<(Price | null)[]>
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    prices: PriceFeed
  }
}
