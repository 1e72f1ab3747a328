import type { Deps } from '#server/platform/deps.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { thinPrices } from '#server/markets/feed/stored.ts'
import { marketOf } from '#server/markets/prices.ts'

/** Prices are kept while nobody looks at them, too, and their guard knows a recent one. */
export const readPricesJob = defineRecurringJob({
  name: 'markets.read_prices',
  everyMinutes: 1,
  // Those that the bank makes itself are not kept.
  isDue: async ({ config }) => config.priceFeed !== null,
  work: async (deps) => void (await marketOf(deps, 'BTC')),
})

export const thinPricesJob = defineRecurringJob({
  name: 'markets.thin_prices',
  everyMinutes: 60,
  work: async (deps) => void (await thinPrices(deps)),
})

/** No money waits, but customers who want theirs back out of a market that is closed. */
export const unbelievedPrices: WaitingMoney = {
  name: 'prices that are old or cannot be believed',
  overdueSince: (deps: Deps) => deps.prices.lateSince(),
}
