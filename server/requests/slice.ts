import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { reportedBy } from '#server/requests/blocks.ts'
import { endRequestsOf, expireRequestsJob } from '#server/requests/end-request.ts'
import { listBlockedRequesters, exportReceived, exportSent } from '#server/requests/read.ts'
import { mailRequestJob } from '#server/requests/request-mail.ts'
import { requestRoutes } from '#server/requests/routes.ts'
import { notifyPayerJob } from '#server/requests/notify-payer.ts'
import { unansweredRequests } from '#server/requests/unanswered.ts'

/** Requests for money from other people. */
export const requests = defineSlice({
  name: 'requests',
  routes: () => requestRoutes,
  jobs: [notifyPayerJob, mailRequestJob, expireRequestsJob],
  liveEvents: ['request'],
  unanswered: unansweredRequests,
  exportOf: (deps, { customerId }) => ({
    requestsSent: everyPage(
      (after: string | null) => exportSent(deps, customerId, { after, limit: PAGE_SIZE }),
      ({ id }) => id,
    ),
    requestsReceived: everyPage(
      (after: string | null) => exportReceived(deps, customerId, { after, limit: PAGE_SIZE }),
      ({ id }) => id,
    ),
    blockedRequesters: () => listBlockedRequesters(deps, customerId),
    reportedRequests: () => reportedBy(deps, customerId),
  }),
  closeCustomer: endRequestsOf,
})
