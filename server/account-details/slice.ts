import { accountDetailsOf } from '#server/account-details/details.ts'
import { accountDetailsRoutes } from '#server/account-details/routes.ts'
import { findCustomers } from '#server/identity/customers/customers.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** The routing and account numbers with which others pay a customer. */
export const accountDetails = defineSlice({
  name: 'account-details',
  routes: () => accountDetailsRoutes,
  exportOf: (deps, { customerId }) => ({
    accountDetails: async () => {
      const customer = (await findCustomers(deps, [customerId])).get(customerId)
      return customer ? accountDetailsOf(deps.config, customer) : null
    },
  }),
})
