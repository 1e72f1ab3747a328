import { detailsOf } from '#server/account-details/details.ts'
import { accountDetailsRoutes } from '#server/account-details/routes.ts'
import { findCustomers } from '#server/identity/customers/customers.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** What others pay a customer by: the numbers of bank and account. */
export const accountDetails = defineSlice({
  name: 'account-details',
  routes: () => accountDetailsRoutes,
  exportOf: (deps, { customerId }) => ({
    accountDetails: async () => {
      const customer = (await findCustomers(deps, [customerId])).get(customerId)
      return customer ? detailsOf(deps.config, customer) : null
    },
  }),
})
