import { exportedAccounts } from '#server/accounts/export.ts'
import { accountRoutes } from '#server/accounts/routes.ts'
import { purgeRefusalsJob } from '#server/accounts/refusals.ts'
import { runOn } from '#server/platform/db/run.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** The current account: dashboard, transactions, receipts, adding money. */
export const accounts = defineSlice({
  name: 'accounts',
  routes: () => accountRoutes,
  jobs: [purgeRefusalsJob],
  liveEvents: ['balance'],
  exportOf: (deps, { customerId }) => ({ accounts: exportedAccounts(runOn(deps.pool), customerId) }),
})
