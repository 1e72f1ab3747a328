import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '#contract/errors.ts'
import type { LoanPauseRequest, LoanPauseTerms } from '#contract/loans.ts'
import { planCollection } from '#server/loans/repaying/jobs.ts'
import { checkPause, plannedPause } from '#server/loans/repaying/pause-terms.ts'
import { openLoan, whileUpToDate } from '#server/loans/repaying/up-to-date.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'
import type { Deps } from '#server/platform/deps.ts'

type Asked = { customerId: string; loanId: string; pause: LoanPauseRequest; key: RequestKey }

/**
 * Puts all instalments off by some months, those that are overdue too. Interest accrues meanwhile, and the last instalment
 * takes it. Throws Refusal `not_found`, `loan_not_open`, `loan_pause_recent`, `loan_pause_late`, and `loan_terms_changed`
 * where the pause would come to something else than what was shown.
 */
export function pauseLoan(
  deps: Deps,
  { customerId, loanId, pause: { months, terms: shown }, key }: Asked,
): Promise<LoanPauseTerms> {
  return whileUpToDate(deps, { customerId, loanId }, async () => {
    const { result } = await once(deps, key, async (trx) => {
      const loan = await openLoan(deps, trx, { customerId, loanId })
      const today = loan.standing.accruedTo
      checkPause(loan, today)
      const { dues, pausedMonths, terms } = plannedPause(loan, months)
      if (!isDeepStrictEqual(terms, { ...shown })) throw new Refusal('loan_terms_changed')
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
