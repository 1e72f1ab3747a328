import { overdueOrdersOf } from '#server/standing-orders/running.ts'
import { endCrypto } from '#server/crypto/close.ts'
import { ordersJob, overdueCryptoOrders } from '#server/crypto/orders/filling.ts'
import { exportCryptoOrders } from '#server/crypto/orders/orders.ts'
import { exportRecurring, recurringBuys } from '#server/crypto/recurring/recurring.ts'
import { cryptoRoutes } from '#server/crypto/routes.ts'
import { cryptoSampleHistory } from '#server/crypto/sample-history.ts'
import { purgeQuotesJob } from '#server/crypto/trading/quotes.ts'
import { tradesAfter } from '#server/crypto/trading/trades.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Coins that customers buy from the bank and sell to it. */
export const crypto = defineSlice({
  name: 'crypto',
  routes: () => cryptoRoutes,
  standingOrders: recurringBuys,
  jobs: [ordersJob, purgeQuotesJob],
  waitingMoney: [overdueCryptoOrders, overdueOrdersOf(recurringBuys)],
  exportOf: (deps, { customerId }) => ({
    cryptoTrades: everyPage(
      (after: number | null) => tradesAfter(deps, customerId, after, PAGE_SIZE),
      ({ number }) => number,
    ),
    cryptoOrders: everyPage(
      (after: string | null) => exportCryptoOrders(deps, customerId, after, PAGE_SIZE),
      ({ id }) => id,
    ),
    cryptoRecurringBuys: exportRecurring(deps, customerId),
  }),
  closeCustomer: endCrypto,
  sampleHistory: cryptoSampleHistory,
})
