import { overdueOrdersOf } from '#server/standing-orders/running.ts'
import { endInvesting } from '#server/investing/closing.ts'
import { exportFundOrders } from '#server/investing/export.ts'
import { exportPlans, fundPlans } from '#server/investing/plans/plan.ts'
import { investingRoutes } from '#server/investing/routes.ts'
import { overdueFundOrders, runJob, sweepJob } from '#server/investing/runs.ts'
import { investingSampleHistory } from '#server/investing/sample-history.ts'
import { exportSuitability } from '#server/investing/orders/suitability.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Funds that customers buy and sell, once or repeatedly. */
export const investing = defineSlice({
  name: 'investing',
  routes: () => investingRoutes,
  jobs: [runJob, sweepJob],
  waitingMoney: [overdueFundOrders, overdueOrdersOf(fundPlans)],
  standingOrders: fundPlans,
  exportOf: (deps, { customerId }) => ({
    investmentOrders: everyPage(
      (after: string | null) => exportFundOrders(deps, customerId, { after, limit: PAGE_SIZE }),
      ({ id }) => id,
    ),
    recurringInvestments: exportPlans(deps, customerId),
    investingSuitability: () => exportSuitability(deps, customerId),
  }),
  closeCustomer: endInvesting,
  sampleHistory: investingSampleHistory,
})
