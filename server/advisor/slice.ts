import { openHelper } from '#server/advisor/model/model-helper.ts'
import { advisorRoutes } from '#server/advisor/routes.ts'
import { readConversation } from '#server/advisor/service.ts'
import { defineSlice } from '#server/platform/slice.ts'

export const openAdvisor = () => ({ advisor: openHelper() })

/** The slice of the chat about a customer's own money. */
export const advisor = defineSlice({
  name: 'advisor',
  routes: () => advisorRoutes,
  flush: async (deps) => deps.advisor.stopping.abort(),
  exportOf: (deps, { customerId }) => ({ advisor: () => readConversation(deps, customerId) }),
  closeCustomer: async (trx, customerId) => {
    await trx.deleteFrom('bank.advisor_exchange').where('customer_id', '=', customerId).execute()
  },
})
