import type { SettlementQuote } from '#contract/loans.ts'
import type { LoanDeps } from '#server/loans/repaying/booking.ts'
import { lockOpenLoan, withAccruedLoan } from '#server/loans/repaying/with-accrued-loan.ts'
import { scheduleOn } from '#server/loans/loan/loan.ts'
import { splitTotal } from '#server/loans/terms/schedule.ts'
import { inTransaction } from '#server/platform/db/run.ts'

/**
 * Returns a quote for settling a loan today. Requests on the same day get the same quote while the debt stays the same. Throws
 * Refusal `not_found`, `loan_not_open`, and `unavailable` if the loan cannot be brought up to date.
 */
export function quoteSettlement(deps: LoanDeps, customerId: string, loanId: string): Promise<SettlementQuote> {
  return withAccruedLoan(deps, { customerId, loanId }, () =>
    inTransaction(deps.db, async (trx) => {
      const { row, balance, dues } = await lockOpenLoan(deps, trx, { customerId, loanId })
      // The loan is up to date, so its interest is accrued up to today.
      const { principalMinor, interestMinor, feesMinor, accruedTo: validOn } = balance
      const owedColumns = { principal_minor: principalMinor, interest_minor: interestMinor, fees_minor: feesMinor }
      await trx
        .insertInto('bank.loan_quote')
        .values({ loan_id: loanId, valid_on: validOn, ...owedColumns })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const { id } = await trx
        .selectFrom('bank.loan_quote')
        .select('id')
        .where('loan_id', '=', loanId)
        .where('valid_on', '=', validOn)
        .where('principal_minor', '=', principalMinor)
        .where('interest_minor', '=', interestMinor)
        .where('fees_minor', '=', feesMinor)
        .executeTakeFirstOrThrow()
      const remaining = scheduleOn({ row, balance, dues }, validOn)
      const remainingInterestMinor = remaining.reduce((sum, installment) => sum + installment.interestMinor, 0)
      const amounts = {
        amountMinor: splitTotal(balance),
        asset: 'USD' as const,
        principalMinor,
        interestMinor,
        feesMinor,
      }
      return { id, ...amounts, validOn, savedMinor: remainingInterestMinor - interestMinor }
    }),
  )
}
