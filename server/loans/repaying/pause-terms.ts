import { addDays } from '#server/calendar/days.ts'
import { dueDay } from '#server/loans/terms/due-days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { Refusal } from '#contract/errors.ts'
import type { LoanPauseOptions, LoanPauseTerms } from '#contract/loans.ts'
import { isOpen, type Loan, type LoanRow, readLoan, scheduleOn, wasShort } from '#server/loans/loan/loan.ts'
import { type Due, standingOn } from '#server/loans/terms/schedule.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

/** For how many months a loan can be paused. */
const PAUSES = [1, 2, 3]

/** Who is later than this talks to the bank first. */
const MOST_DAYS_LATE = 30
const MONTHS_BETWEEN = 12

/** The first day on which a loan may be paused again; null where it never was. */
export function pauseAgainOn({ paused_on }: Pick<LoanRow, 'paused_on'>): string | null {
  return paused_on === null ? null : Temporal.PlainDate.from(paused_on).add({ months: MONTHS_BETWEEN }).toString()
}

/** Whether the oldest instalment that is overdue is so late that there is no pause. */
export const isTooLate = (oldestOverdueOn: string | undefined, today: string): boolean =>
  oldestOverdueOn !== undefined && addDays(oldestOverdueOn, MOST_DAYS_LATE) < today

/**
 * By how many months a pause moves the instalments. It counts from the next due day, or from today where one that is overdue
 * comes first: by as many more as it takes for the first to be due no earlier than so many months from today.
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

/** Throws Refusal `loan_pause_recent` and `loan_pause_late` where a loan cannot be paused today. */
export function checkPause({ row, dues }: Loan, today: string): void {
  const againOn = pauseAgainOn(row)
  if (againOn !== null && againOn > today) throw new Refusal('loan_pause_recent')
  if (isTooLate(dues.find((due) => wasShort(row, due))?.dueOn, today)) throw new Refusal('loan_pause_late')
}

/** A pause: when its instalments are due then, by how many months all pauses have moved them, and what it comes to. */
type Pause = { dues: Loan['dues']; pausedMonths: number; terms: LoanPauseTerms }

/** A pause of a loan whose interest is accrued up to today. */
export function plannedPause(loan: Loan, months: number): Pause {
  const { row, standing, dues } = loan
  const today = standing.accruedTo
  const pausedMonths = row.paused_months + monthsToMove(row, dues, { months, today })
  const moved = dues.map((due) => ({ ...due, dueOn: dueDay(row.disbursed_on, due.number + pausedMonths) }))
  const [before, after] = [scheduleOn(loan, today), scheduleOn({ ...loan, dues: moved }, today)]
  const [next, last] = [after[0], after.at(-1)]
  if (!next || !last) throw new Error(`Loan ${row.id} has no instalment`)
  const terms = {
    nextDueOn: next.dueOn,
    lastDueOn: last.dueOn,
    lastAmountMinor: last.amountMinor,
    extraMinor: totalOf(after) - totalOf(before),
  }
  return { dues: moved, pausedMonths, terms }
}

const totalOf = (schedule: readonly { amountMinor: number }[]): number =>
  schedule.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

/**
 * What each pause would come to, were it asked for now. Throws Refusal `not_found`, `loan_not_open`, `loan_pause_recent`
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
    if (!isOpen(loan.row)) throw new Refusal('loan_not_open')
    checkPause(loan, today)
    const asOfToday = { ...loan, standing: standingOn(loan.standing, today, loan.row.daily_rate_e12) }
    return { options: PAUSES.map((months) => ({ months, ...plannedPause(asOfToday, months).terms })) }
  })
}
