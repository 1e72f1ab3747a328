import { defineSlice } from '#server/platform/slice.ts'
import { endOrders } from '#server/standing-orders/orders.ts'
import { runOrdersJob, sweepOrdersJob } from '#server/standing-orders/running.ts'
import { upcomingOrders } from '#server/standing-orders/upcoming.ts'

/** Customers' arrangements for future dates. Each kind of order is a part of its own slice. */
export const standingOrders = defineSlice({
  name: 'standing-orders',
  jobs: [runOrdersJob, sweepOrdersJob],
  upcoming: upcomingOrders,
  closeCustomer: endOrders,
})
