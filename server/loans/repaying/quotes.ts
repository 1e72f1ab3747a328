import type { SettlementQuote } from '#contract/loans.ts'
import type { LoanDeps } from '#server/loans/repaying/booking.ts'
import { openLoan, whileUpToDate } from '#server/loans/repaying/up-to-date.ts'
import { scheduleOn } from '#server/loans/loan/loan.ts'
import { sumOf } from '#server/loans/terms/schedule.ts'
import { inTransaction } from '#server/platform/db/run.ts'

/**
 * What settles a loan today: the same quote however often it is asked for, until something is paid.
 * Throws Refusal `not_found` and `loan_not_open`.
 */
export function quoteSettlement(deps: LoanDeps, customerId: string, loanId: string): Promise<SettlementQuote> {
  return whileUpToDate(deps, { customerId, loanId }, () =>
    inTransaction(deps.db, async (trx) => {
      const { row, standing, dues } = await openLoan(deps, trx, { customerId, loanId })
      const { principalMinor, interestMinor, feesMinor, accruedTo: validOn } = standing
      const owed = { principal_minor: principalMinor, interest_minor: interestMinor, fees_minor: feesMinor }
      await trx
        .insertInto('bank.loan_quote')
        .values({ loan_id: loanId, valid_on: validOn, ...owed })
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
      const toCome = scheduleOn({ row, standing, dues }, validOn).reduce((sum, one) => sum + one.interestMinor, 0)
      const amounts = { amountMinor: sumOf(standing), asset: 'USD' as const, principalMinor, interestMinor, feesMinor }
      return { id, ...amounts, validOn, savedMinor: toCome - interestMinor }
    }),
  )
}
