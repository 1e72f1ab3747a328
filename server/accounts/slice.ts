import { exportedAccounts } from '#server/accounts/export.ts'
import { accountRoutes } from '#server/accounts/routes.ts'
import { runOn } from '#server/platform/db/run.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** The current account: dashboard, transactions, receipts, adding money. */
export const accounts = defineSlice({
  name: 'accounts',
  routes: () => accountRoutes,
  exportOf: (deps, { customerId }) => ({ accounts: exportedAccounts(runOn(deps.pool), customerId) }),
})
