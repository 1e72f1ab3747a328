import { debitOverdueSince } from '#server/direct-debits/collections.ts'
import { exportedMandates } from '#server/direct-debits/export.ts'
import {
  collectDueJob,
  overdueDebitsJob,
  reportDebitJob,
  reportMandateJob,
  tellDebitJob,
} from '#server/direct-debits/jobs.ts'
import { endMandatesOf } from '#server/direct-debits/mandates.ts'
import { directDebitEvents } from '#server/direct-debits/provider-events.ts'
import { directDebitRoutes } from '#server/direct-debits/routes.ts'
import { directDebitsStory } from '#server/direct-debits/story.ts'
import { upcomingDebits } from '#server/direct-debits/upcoming.ts'
import { unansweredMandates } from '#server/direct-debits/unanswered.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** What billers collect from a customer's account, and their right to. */
export const directDebits = defineSlice({
  name: 'direct-debits',
  routes: () => directDebitRoutes,
  jobs: [tellDebitJob, collectDueJob, overdueDebitsJob, reportMandateJob, reportDebitJob],
  outboxes: [
    { name: 'mandates', jobs: [reportMandateJob] },
    { name: 'debits', jobs: [reportDebitJob] },
  ],
  railEvents: directDebitEvents,
  upcoming: upcomingDebits,
  unanswered: unansweredMandates,
  waitingMoney: [{ name: 'direct debits that were not collected in time', overdueSince: debitOverdueSince }],
  exportOf: (deps, { customerId }) => ({ mandates: exportedMandates(deps, customerId) }),
  closeCustomer: endMandatesOf,
  story: directDebitsStory,
})
