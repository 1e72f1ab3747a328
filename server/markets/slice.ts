import { embeddedFeed } from '#server/markets/feed/embedded.ts'
import { publishedFeed } from '#server/markets/feed/published.ts'
import { readPricesJob, thinPricesJob, unbelievedPrices } from '#server/markets/jobs.ts'
import { marketRoutes } from '#server/markets/routes.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** What the funds and coins cost that customers buy. */
export const markets = defineSlice({
  name: 'markets',
  routes: () => marketRoutes,
  jobs: [readPricesJob, thinPricesJob],
  waitingMoney: [unbelievedPrices],
  state: (deps) => ({
    prices: deps.policy.prices === 'simulated' ? embeddedFeed(deps) : publishedFeed(deps, deps.config.priceFeed),
  }),
})
