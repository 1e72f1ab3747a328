import { endCrypto } from '#server/crypto/close.ts'
import { ordersJob, overdueOrders } from '#server/crypto/orders/filling.ts'
import { orderNotices } from '#server/crypto/orders/notices.ts'
import { exportedOrders } from '#server/crypto/orders/orders.ts'
import { dueBuysJob, overdueBuys, recurringJob } from '#server/crypto/recurring/buying.ts'
import { recurringNotices } from '#server/crypto/recurring/notices.ts'
import { exportedRecurring } from '#server/crypto/recurring/recurring.ts'
import { upcomingBuys } from '#server/crypto/recurring/upcoming.ts'
import { cryptoRoutes } from '#server/crypto/routes.ts'
import { cryptoStory } from '#server/crypto/story.ts'
import { purgeQuotesJob } from '#server/crypto/trading/quotes.ts'
import { tradesAfter } from '#server/crypto/trading/trades.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Coins that are bought from and sold to the bank. */
export const crypto = defineSlice({
  name: 'crypto',
  routes: cryptoRoutes,
  upcoming: upcomingBuys,
  jobs: [ordersJob, dueBuysJob, recurringJob, purgeQuotesJob],
  notices: { ...orderNotices, ...recurringNotices },
  waitingMoney: [overdueOrders, overdueBuys],
  exportOf: (deps, { customerId }) => ({
    cryptoTrades: everyPage(
      (after: number | null) => tradesAfter(deps, customerId, after, PAGE_SIZE),
      ({ number }) => number,
    ),
    cryptoOrders: everyPage(
      (after: string | null) => exportedOrders(deps, customerId, after, PAGE_SIZE),
      ({ id }) => id,
    ),
    cryptoRecurringBuys: everyPage(
      (after: string | null) => exportedRecurring(deps, customerId, after, PAGE_SIZE),
      ({ id }) => id,
    ),
  }),
  closeCustomer: endCrypto,
  story: cryptoStory,
})
