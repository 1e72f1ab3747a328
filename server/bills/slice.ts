import { groupsOf } from '#server/bills/groups.ts'
import { notifyInvitedJob } from '#server/bills/notify-invited.ts'
import { billRoutes } from '#server/bills/routes.ts'
import { everyBill } from '#server/bills/service.ts'
import { findCustomers } from '#server/identity/customers/customers.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Split bills, and groups that share bills and settle up. */
export const bills = defineSlice({
  name: 'bills',
  routes: () => billRoutes,
  jobs: [notifyInvitedJob],
  liveEvents: ['bill'],
  exportOf: (deps, { customerId }) => ({
    bills: everyBill(deps, customerId),
    billGroups: async () => {
      const customer = (await findCustomers(deps, [customerId])).get(customerId)
      return customer ? groupsOf(deps, customer) : []
    },
  }),
  closeCustomer: async (trx, customerId) => {
    await trx
      .updateTable('bank.bill_group_member')
      .set(({ selectFrom }) => ({
        left_at: selectFrom('bank.customer').select('closed_at').where('id', '=', customerId),
      }))
      .where('customer_id', '=', customerId)
      .where('left_at', 'is', null)
      .execute()
  },
})
