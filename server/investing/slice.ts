import { overdueOf } from '#server/standing-orders/running.ts'
import { endInvesting } from '#server/investing/closing.ts'
import { exportedOrders } from '#server/investing/export.ts'
import { exportedPlans, fundPlans } from '#server/investing/plans/plan.ts'
import { investingRoutes } from '#server/investing/routes.ts'
import { overdueOrders, runJob, sweepJob } from '#server/investing/runs.ts'
import { investingStory } from '#server/investing/story.ts'
import { exportedSuitability } from '#server/investing/orders/suitability.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Funds that customers buy and sell, once or again and again. */
export const investing = defineSlice({
  name: 'investing',
  routes: () => investingRoutes,
  jobs: [runJob, sweepJob],
  waitingMoney: [overdueOrders, overdueOf(fundPlans)],
  standingOrders: fundPlans,
  exportOf: (deps, { customerId }) => ({
    investmentOrders: everyPage(
      (after: string | null) => exportedOrders(deps, customerId, { after, limit: PAGE_SIZE }),
      ({ id }) => id,
    ),
    recurringInvestments: exportedPlans(deps, customerId),
    investingSuitability: () => exportedSuitability(deps, customerId),
  }),
  closeCustomer: endInvesting,
  story: investingStory,
})
