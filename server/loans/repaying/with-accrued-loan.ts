import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { isLoanOpen, isUpToDate, type Loan, lockLoan } from '#server/loans/loan/loan.ts'
import type { LoanDeps } from '#server/loans/repaying/booking.ts'
import { bringUpToDate } from '#server/loans/repaying/collect.ts'
import type { Database } from '#server/platform/db/schema.ts'

type LoanKey = { customerId: string; loanId: string }

/** The largest number of tries. A try that throws `FellBehind` is repeated. */
const TRIES = 5

/** Thrown if a day began, or an installment fell due, between bringing a loan up to date and locking it. */
class FellBehind extends Error {}

/**
 * Runs `work`, which calls `lockOpenLoan`, on a loan that is up to date. Throws the errors of `work`, and Refusal `unavailable`
 * after the last try.
 */
export async function withAccruedLoan<Result>(
  deps: LoanDeps,
  { customerId, loanId }: LoanKey,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    await bringUpToDate(deps, customerId, loanId)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof FellBehind)) throw error
      if (attempt === TRIES) throw new Refusal('unavailable', undefined, { cause: error })
    }
  }
}

/**
 * Locks a customer's open loan, which must be up to date. Throws Refusal `not_found` and `loan_not_open`, and `FellBehind` for
 * a loan that is not up to date.
 */
export async function lockOpenLoan(
  deps: Pick<LoanDeps, 'clock'>,
  trx: Transaction<Database>,
  { customerId, loanId }: LoanKey,
): Promise<Loan> {
  const loan = await lockLoan(trx, customerId, loanId)
  if (!loan) throw new Refusal('not_found')
  if (!isLoanOpen(loan.row)) throw new Refusal('loan_not_open')
  if (!isUpToDate(loan, deps.clock.businessNow())) throw new FellBehind()
  return loan
}
