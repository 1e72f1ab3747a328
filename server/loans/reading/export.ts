import type { LoanDetails } from '#contract/loans.ts'
import type { ExportedFields } from '#server/platform/slice.ts'
import { applicationOf } from '#server/loans/reading/overview.ts'
import { loanDetails } from '#server/loans/reading/details.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Returns a customer's applications and loans, with all data that the bank stores about them. */
export const exportLoans = (deps: Pick<Deps, 'db' | 'clock'>, customerId: string): ExportedFields => ({
  loanApplications: async () => {
    const rows = await deps.db
      .selectFrom('bank.loan_application as a')
      .leftJoin('bank.loan as l', 'l.application_id', 'a.id')
      .selectAll('a')
      .select('l.id as loan_id')
      .where('a.customer_id', '=', customerId)
      .orderBy('a.created_at')
      .execute()
    return rows.map((row) => applicationOf(row, row.loan_id, deps.clock.businessNow()))
  },
  loans: async () => {
    const rows = await deps.db
      .selectFrom('bank.loan')
      .select('id')
      .where('customer_id', '=', customerId)
      .orderBy('disbursed_at')
      .execute()
    // The loans are read one after another, because each takes a database connection.
    const loans: LoanDetails[] = []
    for (const { id } of rows) loans.push(await loanDetails(deps, customerId, id))
    return loans
  },
})
