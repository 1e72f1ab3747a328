import { endApplications } from '#server/loans/offers/apply.ts'
import { decideJob, expireOfferJob } from '#server/loans/offers/decide.ts'
import { exportLoans } from '#server/loans/reading/export.ts'
import { upcomingInstallments } from '#server/loans/reading/upcoming.ts'
import { collectInstallmentsJob, dailyJob, overdueLoans } from '#server/loans/repaying/jobs.ts'
import { loanRoutes } from '#server/loans/routes.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Personal loans (docs/loans.md). */
export const loans = defineSlice({
  name: 'loans',
  routes: () => loanRoutes,
  jobs: [decideJob, expireOfferJob, collectInstallmentsJob, dailyJob],
  waitingMoney: [overdueLoans],
  upcoming: upcomingInstallments,
  exportOf: (deps, { customerId }) => exportLoans(deps, customerId),
  closeCustomer: endApplications,
})
