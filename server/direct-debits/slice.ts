import { debitOverdueSince } from '#server/direct-debits/collections.ts'
import { exportMandates } from '#server/direct-debits/export.ts'
import {
  collectDueJob,
  overdueDebitsJob,
  reportDebitJob,
  reportMandateJob,
  notifyDebitJob,
} from '#server/direct-debits/jobs.ts'
import { endMandatesOf } from '#server/direct-debits/mandates.ts'
import { directDebitEvents } from '#server/direct-debits/provider-events.ts'
import { directDebitRoutes } from '#server/direct-debits/routes.ts'
import { directDebitsSampleHistory } from '#server/direct-debits/sample-history.ts'
import { upcomingDebits } from '#server/direct-debits/upcoming.ts'
import { unansweredMandates } from '#server/direct-debits/unanswered.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Direct debits: mandates of billers, and the collections under them. */
export const directDebits = defineSlice({
  name: 'direct-debits',
  routes: () => directDebitRoutes,
  jobs: [notifyDebitJob, collectDueJob, overdueDebitsJob, reportMandateJob, reportDebitJob],
  outboxes: [
    { name: 'mandates', jobs: [reportMandateJob] },
    { name: 'debits', jobs: [reportDebitJob] },
  ],
  railEvents: directDebitEvents,
  upcoming: upcomingDebits,
  unanswered: unansweredMandates,
  waitingMoney: [{ name: 'direct debits that were not collected in time', overdueSince: debitOverdueSince }],
  exportOf: (deps, { customerId }) => ({ mandates: exportMandates(deps, customerId) }),
  closeCustomer: endMandatesOf,
  sampleHistory: directDebitsSampleHistory,
})
