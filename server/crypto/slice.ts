import { overdueOf } from '#server/standing-orders/running.ts'
import { endCrypto } from '#server/crypto/close.ts'
import { ordersJob, overdueOrders } from '#server/crypto/orders/filling.ts'
import { exportedOrders } from '#server/crypto/orders/orders.ts'
import { exportedRecurring, recurringBuys } from '#server/crypto/recurring/recurring.ts'
import { cryptoRoutes } from '#server/crypto/routes.ts'
import { cryptoStory } from '#server/crypto/story.ts'
import { purgeQuotesJob } from '#server/crypto/trading/quotes.ts'
import { tradesAfter } from '#server/crypto/trading/trades.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Coins that are bought from and sold to the bank. */
export const crypto = defineSlice({
  name: 'crypto',
  routes: () => cryptoRoutes,
  standingOrders: recurringBuys,
  jobs: [ordersJob, purgeQuotesJob],
  waitingMoney: [overdueOrders, overdueOf(recurringBuys)],
  exportOf: (deps, { customerId }) => ({
    cryptoTrades: everyPage(
      (after: number | null) => tradesAfter(deps, customerId, after, PAGE_SIZE),
      ({ number }) => number,
    ),
    cryptoOrders: everyPage(
      (after: string | null) => exportedOrders(deps, customerId, after, PAGE_SIZE),
      ({ id }) => id,
    ),
    cryptoRecurringBuys: exportedRecurring(deps, customerId),
  }),
  closeCustomer: endCrypto,
  story: cryptoStory,
})
