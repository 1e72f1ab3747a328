import { railNotices } from '#server/rails/notices.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { overdueSince, owedSince, refuseReturnDue } from '#server/rails/collections.ts'
import { askProviderJob, overdueTopUpsJob, settleTopUpJob } from '#server/rails/jobs.ts'

/** How money gets in from outside. Its one route is called by another server and stands outside the API (routes.ts). */
export const rails = defineSlice({
  name: 'rails',
  jobs: [askProviderJob, settleTopUpJob, overdueTopUpsJob],
  notices: railNotices,
  closeCustomer: refuseReturnDue,
  waitingMoney: [
    {
      name: 'top-ups that did not arrive in time',
      overdueSince: (deps) => overdueSince(deps, deps.clock.businessNow()),
    },
    { name: 'top-ups of customers who have closed', overdueSince: owedSince },
  ],
})
