import { linkedAccountsOf } from '#server/linked-accounts/accounts.ts'
import { linkedAccountRoutes } from '#server/linked-accounts/routes.ts'
import { removeAccountsOf } from '#server/linked-accounts/service.ts'
import { linkedAccountsSampleHistory } from '#server/linked-accounts/sample-history.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { detailsColumn } from '#server/rails/bank-details.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { type Payout, payoutsOf } from '#server/rails/payouts.ts'

/** A customer's accounts at other banks, for adding money and for paying out. */
export const linkedAccounts = defineSlice({
  name: 'linked-accounts',
  routes: () => linkedAccountRoutes,
  exportOf: (deps, { customerId }) => ({
    linkedAccounts: () => linkedAccountsOf(deps, customerId),
    payouts: everyPage(
      (before: Payout | null) => payoutsOf(deps, customerId, { before, limit: PAGE_SIZE }),
      (payout) => payout,
    ),
  }),
  closeCustomer: removeAccountsOf,
  sealed: [detailsColumn('bank.linked_account', 'id', 'numbers_sealed')],
  sampleHistory: linkedAccountsSampleHistory,
})
