import { openWriting, stopWriting } from '#server/advisor/model/writer.ts'
import { advisorRoutes } from '#server/advisor/routes.ts'
import { readConversation } from '#server/advisor/service.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** The chat about a customer's own money. */
export const advisor = defineSlice({
  name: 'advisor',
  routes: advisorRoutes,
  state: () => ({ advisor: openWriting() }),
  flush: stopWriting,
  exportOf: (deps, { customerId }) => ({ advisor: () => readConversation(deps, customerId) }),
  closeCustomer: async (trx, customerId) => {
    await trx.deleteFrom('bank.advisor_exchange').where('customer_id', '=', customerId).execute()
  },
})
