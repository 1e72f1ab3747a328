import { finalizeCreditsJob } from '#server/disputes/finalize-credits.ts'
import { refuseCredited, takeDueJob } from '#server/disputes/review.ts'
import { disputeRoutes } from '#server/disputes/routes.ts'
import { disputesOf } from '#server/disputes/service.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Disputes about card payments. */
export const disputes = defineSlice({
  name: 'disputes',
  routes: () => disputeRoutes,
  jobs: [takeDueJob, finalizeCreditsJob],
  closeCustomer: refuseCredited,
  exportOf: (deps, { customerId }) => ({
    disputes: everyPage(
      (after: string | null) => disputesOf(deps, customerId, { after, limit: PAGE_SIZE }),
      ({ id }) => id,
    ),
  }),
})
