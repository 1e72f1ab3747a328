import { endInvesting } from '#server/investing/closing.ts'
import { exportedOrders, exportedPlans } from '#server/investing/export.ts'
import { orderNotices } from '#server/investing/orders/notices.ts'
import { upcomingInvestments } from '#server/investing/plans/upcoming.ts'
import { investingRoutes } from '#server/investing/routes.ts'
import { overdueOrders, overduePlans, runJob, sweepJob } from '#server/investing/runs.ts'
import { investingStory } from '#server/investing/story.ts'
import { exportedSuitability } from '#server/investing/orders/suitability.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Funds that customers buy and sell, once or again and again. */
export const investing = defineSlice({
  name: 'investing',
  routes: investingRoutes,
  jobs: [runJob, sweepJob],
  notices: orderNotices,
  waitingMoney: [overdueOrders, overduePlans],
  upcoming: upcomingInvestments,
  exportOf: (deps, { customerId }) => ({
    investmentOrders: everyPage(
      (after: string | null) => exportedOrders(deps, customerId, { after, limit: PAGE_SIZE }),
      ({ id }) => id,
    ),
    recurringInvestments: everyPage(
      (after: string | null) => exportedPlans(deps, customerId, { after, limit: PAGE_SIZE }),
      ({ id }) => id,
    ),
    investingSuitability: () => exportedSuitability(deps, customerId),
  }),
  closeCustomer: endInvesting,
  story: investingStory,
})
