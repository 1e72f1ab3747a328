import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { isOpen, isUpToDate, type Loan, lockLoan } from '#server/loans/loan/loan.ts'
import type { LoanDeps } from '#server/loans/repaying/booking.ts'
import { bringUpToDate } from '#server/loans/repaying/collect.ts'
import type { Database } from '#server/platform/db/schema.ts'

type LoanKey = { customerId: string; loanId: string }

/** How often it is tried again because a day began meanwhile. */
const TRIES = 5

/** A day began, or an instalment fell due, between bringing a loan up to date and locking it. */
class FellBehind extends Error {}

/** Does `work`, which calls `openLoan`, on a loan that is up to date. Throws what `work` throws. */
export async function whileUpToDate<Result>(
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

/** A customer's loan that is not over, locked and up to date. Throws Refusal `not_found` and `loan_not_open`. */
export async function openLoan(
  deps: Pick<LoanDeps, 'clock'>,
  trx: Transaction<Database>,
  { customerId, loanId }: LoanKey,
): Promise<Loan> {
  const loan = await lockLoan(trx, customerId, loanId)
  if (!loan) throw new Refusal('not_found')
  if (!isOpen(loan.row)) throw new Refusal('loan_not_open')
  if (!isUpToDate(loan, deps.clock.businessNow())) throw new FellBehind()
  return loan
}
