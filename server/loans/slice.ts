import { endApplications } from '#server/loans/offers/apply.ts'
import { decideJob, expireOfferJob } from '#server/loans/offers/decide.ts'
import { exportedLoans } from '#server/loans/reading/export.ts'
import { upcomingInstalments } from '#server/loans/reading/upcoming.ts'
import { collectJob, dailyJob, overdueLoans } from '#server/loans/repaying/jobs.ts'
import { loanRoutes } from '#server/loans/routes.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Personal loans (docs/loans.md). */
export const loans = defineSlice({
  name: 'loans',
  routes: () => loanRoutes,
  jobs: [decideJob, expireOfferJob, collectJob, dailyJob],
  waitingMoney: [overdueLoans],
  upcoming: upcomingInstalments,
  exportOf: (deps, { customerId }) => exportedLoans(deps, customerId),
  closeCustomer: endApplications,
})
