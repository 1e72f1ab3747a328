import { defineSlice } from '#server/platform/slice.ts'
import { exportedPayments, forgetImports, listImports } from '#server/statements/imports/imports.ts'
import { statementReadyJob } from '#server/statements/monthly.ts'
import { statementsStory } from '#server/statements/story.ts'
import { statementRoutes } from '#server/statements/routes.ts'

/** Statements to keep, and those of other banks (docs/decisions/0117). */
export const statements = defineSlice({
  name: 'statements',
  routes: () => statementRoutes,
  jobs: [statementReadyJob],
  story: statementsStory,
  exportOf: (deps, { customerId }) => ({
    imports: () => listImports(deps, customerId),
    importedPayments: exportedPayments(deps, customerId),
  }),
  closeCustomer: async (trx, customerId) => {
    await forgetImports(trx, customerId)
    await trx.deleteFrom('bank.statement_told').where('customer_id', '=', customerId).execute()
  },
})
