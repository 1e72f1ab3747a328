import type { Deps } from '#server/platform/deps.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { thinPrices } from '#server/markets/feed/stored.ts'
import { marketOf } from '#server/markets/prices.ts'

/** Reads prices regularly, so that the history has no gaps and the guard always has a recent price for comparison. */
export const readPricesJob = defineRecurringJob({
  name: 'markets.read_prices',
  everyMinutes: 1,
  // Generated prices are not stored.
  isDue: async ({ config }) => config.priceFeed !== null,
  work: async (deps) => void (await marketOf(deps, 'BTC')),
})

export const thinPricesJob = defineRecurringJob({
  name: 'markets.thin_prices',
  everyMinutes: 60,
  work: async (deps) => void (await thinPrices(deps)),
})

/** No money is stuck here, but customers cannot sell on a closed market. */
export const overduePrices: WaitingMoney = {
  name: 'prices that are old or implausible',
  overdueSince: (deps: Deps) => deps.prices.lateSince(),
}
