import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { reportedBy } from '#server/requests/blocks.ts'
import { endRequestsOf, expireRequestsJob } from '#server/requests/end.ts'
import { blockedBy, exportedReceived, exportedSent } from '#server/requests/read.ts'
import { mailRequestJob } from '#server/requests/request-mail.ts'
import { requestRoutes } from '#server/requests/routes.ts'
import { tellPayerJob } from '#server/requests/tell.ts'
import { unansweredRequests } from '#server/requests/unanswered.ts'

/** Asking others for money. */
export const requests = defineSlice({
  name: 'requests',
  routes: () => requestRoutes,
  jobs: [tellPayerJob, mailRequestJob, expireRequestsJob],
  liveEvents: ['request'],
  unanswered: unansweredRequests,
  exportOf: (deps, { customerId }) => ({
    requestsSent: everyPage(
      (after: string | null) => exportedSent(deps, customerId, { after, limit: PAGE_SIZE }),
      ({ id }) => id,
    ),
    requestsReceived: everyPage(
      (after: string | null) => exportedReceived(deps, customerId, { after, limit: PAGE_SIZE }),
      ({ id }) => id,
    ),
    blockedRequesters: () => blockedBy(deps, customerId),
    reportedRequests: () => reportedBy(deps, customerId),
  }),
  closeCustomer: endRequestsOf,
})
