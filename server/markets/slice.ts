import { embeddedFeed } from '#server/markets/feed/embedded.ts'
import { publishedFeed } from '#server/markets/feed/published.ts'
import { readPricesJob, thinPricesJob, overduePrices } from '#server/markets/jobs.ts'
import { marketRoutes } from '#server/markets/routes.ts'
import type { Core } from '#server/platform/deps.ts'
import { defineSlice } from '#server/platform/slice.ts'

export const openMarkets = (core: Core) => ({
  prices: core.policy.prices === 'simulated' ? embeddedFeed(core) : publishedFeed(core, core.config.priceFeed),
})

/** The prices of the funds and coins that customers buy. */
export const markets = defineSlice({
  name: 'markets',
  routes: () => marketRoutes,
  jobs: [readPricesJob, thinPricesJob],
  waitingMoney: [overduePrices],
})
