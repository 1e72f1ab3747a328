import { defineSlice } from '#server/platform/slice.ts'
import { exportImportedPayments, forgetImports, listImports } from '#server/statements/imports/imports.ts'
import { statementReadyJob } from '#server/statements/monthly.ts'
import { statementsSampleHistory } from '#server/statements/sample-history.ts'
import { statementRoutes } from '#server/statements/routes.ts'

/** Statements to download, and imported statements of other banks (docs/decisions/0117). */
export const statements = defineSlice({
  name: 'statements',
  routes: () => statementRoutes,
  jobs: [statementReadyJob],
  sampleHistory: statementsSampleHistory,
  exportOf: (deps, { customerId }) => ({
    imports: () => listImports(deps, customerId),
    importedPayments: exportImportedPayments(deps, customerId),
  }),
  closeCustomer: async (trx, customerId) => {
    await forgetImports(trx, customerId)
    await trx.deleteFrom('bank.statement_told').where('customer_id', '=', customerId).execute()
  },
})
