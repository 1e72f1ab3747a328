import { addDays } from '#server/calendar/days.ts'
import { dueDay } from '#server/loans/terms/due-days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { Refusal } from '#contract/errors.ts'
import type { LoanPauseOptions, LoanPauseTerms } from '#contract/loans.ts'
import {
  isLoanOpen,
  type Loan,
  type LoanRow,
  readLoan,
  scheduleOn,
  hadTooLittleMoney,
} from '#server/loans/loan/loan.ts'
import { type Due, balanceOn } from '#server/loans/terms/schedule.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The possible lengths of a pause, in months. */
const PAUSES = [1, 2, 3]

/**
 * The largest number of days by which an installment may be overdue for a pause. After that, the customer must contact the
 * bank.
 */
const MAX_DAYS_LATE = 30
const MONTHS_BETWEEN = 12

/** Returns the first day on which a loan may be paused again, or null for a loan that was never paused. */
export function pauseAgainOn({ paused_on }: Pick<LoanRow, 'paused_on'>): string | null {
  return paused_on === null ? null : Temporal.PlainDate.from(paused_on).add({ months: MONTHS_BETWEEN }).toString()
}

/** Returns whether the oldest overdue installment is too old for a pause. */
export const isTooLate = (oldestOverdueOn: string | undefined, today: string): boolean =>
  oldestOverdueOn !== undefined && addDays(oldestOverdueOn, MAX_DAYS_LATE) < today

/**
 * Returns the number of months by which a pause moves the due days of all installments. It is `months` if no installment is
 * overdue. If the first unpaid installment is overdue, it is the smallest number that moves this installment to `months` from
 * today or later. The number is never below `months`.
 */
function monthsToMove(
  row: LoanRow,
  [first]: readonly Due[],
  { months, today }: { months: number; today: string },
): number {
  if (!first || first.dueOn >= today) return months
  const earliest = Temporal.PlainDate.from(today).add({ months }).toString()
  let moved = months
  while (dueDay(row.disbursed_on, first.number + row.paused_months + moved) < earliest) moved += 1
  return moved
}

/**
 * Throws a Refusal if a loan cannot be paused today: `loan_pause_recent` if its last pause began less than a year ago, and
 * `loan_pause_late` if an installment is overdue for too long.
 */
export function checkPause({ row, dues }: Loan, today: string): void {
  const againOn = pauseAgainOn(row)
  if (againOn !== null && againOn > today) throw new Refusal('loan_pause_recent')
  if (isTooLate(dues.find((due) => hadTooLittleMoney(row, due))?.dueOn, today)) throw new Refusal('loan_pause_late')
}

/**
 * A pause. `dues` are the installments with their new due days. `pausedMonths` is the total of this pause and all earlier ones.
 */
type Pause = { dues: Loan['dues']; pausedMonths: number; terms: LoanPauseTerms }

/** Calculates a pause that begins today. The loan's interest must be accrued up to today. */
export function plannedPause(loan: Loan, months: number): Pause {
  const { row, balance, dues } = loan
  const today = balance.accruedTo
  const pausedMonths = row.paused_months + monthsToMove(row, dues, { months, today })
  const movedDues = dues.map((due) => ({ ...due, dueOn: dueDay(row.disbursed_on, due.number + pausedMonths) }))
  const [before, after] = [scheduleOn(loan, today), scheduleOn({ ...loan, dues: movedDues }, today)]
  const [next, last] = [after[0], after.at(-1)]
  if (!next || !last) throw new Error(`Loan ${row.id} has no installment`)
  const terms = {
    nextDueOn: next.dueOn,
    lastDueOn: last.dueOn,
    lastAmountMinor: last.amountMinor,
    extraMinor: totalOf(after) - totalOf(before),
  }
  return { dues: movedDues, pausedMonths, terms }
}

const totalOf = (schedule: readonly { amountMinor: number }[]): number =>
  schedule.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

/**
 * Returns the terms of each possible pause if it begins now. Throws Refusal `not_found`, `loan_not_open`, `loan_pause_recent`
 * and `loan_pause_late`.
 */
export function pauseOptions(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  loanId: string,
): Promise<LoanPauseOptions> {
  const today = dayOf(deps.clock.businessNow())
  return inTransaction(deps.db, async (trx) => {
    const loan = await readLoan(trx, customerId, loanId)
    if (!loan) throw new Refusal('not_found')
    if (!isLoanOpen(loan.row)) throw new Refusal('loan_not_open')
    checkPause(loan, today)
    const asOfToday = { ...loan, balance: balanceOn(loan.balance, today, loan.row.daily_rate_e12) }
    return { options: PAUSES.map((months) => ({ months, ...plannedPause(asOfToday, months).terms })) }
  })
}
