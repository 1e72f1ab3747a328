import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '#contract/errors.ts'
import type { LoanPauseRequest, LoanPauseTerms } from '#contract/loans.ts'
import { planCollection } from '#server/loans/repaying/jobs.ts'
import { checkPause, plannedPause } from '#server/loans/repaying/pause-terms.ts'
import { lockOpenLoan, withAccruedLoan } from '#server/loans/repaying/with-accrued-loan.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import type { Deps } from '#server/platform/deps.ts'

type PauseRequest = { customerId: string; loanId: string; pause: LoanPauseRequest; key: RequestKey }

/**
 * Moves the due days of all installments by some months, including overdue installments. Interest accrues during the pause and
 * is added to the last installment. Throws Refusal `not_found`, `loan_not_open`, `loan_pause_recent`, `loan_pause_late`, and
 * `loan_terms_changed` if the terms differ from those shown to the customer.
 */
export function pauseLoan(
  deps: Deps,
  { customerId, loanId, pause: { months, terms: shownTerms }, key }: PauseRequest,
): Promise<LoanPauseTerms> {
  return withAccruedLoan(deps, { customerId, loanId }, async () => {
    const { result } = await runOnce(deps, key, async (trx) => {
      const loan = await lockOpenLoan(deps, trx, { customerId, loanId })
      const today = loan.balance.accruedTo
      checkPause(loan, today)
      const { dues, pausedMonths, terms } = plannedPause(loan, months)
      if (!isDeepStrictEqual(terms, { ...shownTerms })) throw new Refusal('loan_terms_changed')
      for (const { number, dueOn } of dues) {
        await trx
          .updateTable('bank.loan_instalment')
          .set({ due_on: dueOn, short_since: null })
          .where('loan_id', '=', loanId)
          .where('number', '=', number)
          .execute()
      }
      const changes = { paused_on: today, paused_until: terms.nextDueOn, paused_months: pausedMonths }
      await trx
        .updateTable('bank.loan')
        .set({ ...changes, status: 'active' })
        .where('id', '=', loanId)
        .execute()
      await planCollection(trx, { customerId, loanId })
      return terms
    })
    return result
  })
}
