import { Refusal } from '#contract/errors.ts'
import { type LoanRow, scheduleOn, wasShort } from '#server/loans/loan/loan.ts'
import { planCollection } from '#server/loans/repaying/jobs.ts'
import { openLoan, whileUpToDate } from '#server/loans/repaying/up-to-date.ts'
import { addDays, dueDay } from '#server/loans/terms/calendar.ts'
import type { Due } from '#server/loans/terms/schedule.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'
import type { Deps } from '#server/platform/deps.ts'

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

type Asked = { customerId: string; loanId: string; months: number; key: RequestKey }

/**
 * Puts all instalments off by some months, those that are overdue too. Interest accrues meanwhile, and the last instalment
 * takes it. Throws Refusal `not_found`, `loan_not_open`, `loan_pause_recent` and `loan_pause_late`.
 */
export function pauseLoan(
  deps: Deps,
  { customerId, loanId, months, key }: Asked,
): Promise<{ nextDueOn: string; lastDueOn: string }> {
  return whileUpToDate(deps, { customerId, loanId }, async () => {
    const { result } = await once(deps, key, async (trx) => {
      const { row, standing, dues } = await openLoan(deps, trx, { customerId, loanId })
      const today = standing.accruedTo
      const againOn = pauseAgainOn(row)
      if (againOn !== null && againOn > today) throw new Refusal('loan_pause_recent')
      if (isTooLate(dues.find((due) => wasShort(row, due))?.dueOn, today)) throw new Refusal('loan_pause_late')
      const pausedMonths = row.paused_months + monthsToMove(row, dues, { months, today })
      const moved = dues.map((due) => ({ ...due, dueOn: dueDay(row.disbursed_on, due.number + pausedMonths) }))
      for (const { number, dueOn } of moved) {
        await trx
          .updateTable('bank.loan_instalment')
          .set({ due_on: dueOn, short_since: null })
          .where('loan_id', '=', loanId)
          .where('number', '=', number)
          .execute()
      }
      const [nextDueOn, lastDueOn] = [moved[0]?.dueOn, scheduleOn({ row, standing, dues: moved }, today).at(-1)?.dueOn]
      if (nextDueOn === undefined || lastDueOn === undefined) throw new Error(`Loan ${loanId} has no instalment`)
      const changes = { paused_on: today, paused_until: nextDueOn, paused_months: pausedMonths }
      await trx
        .updateTable('bank.loan')
        .set({ ...changes, status: 'active' })
        .where('id', '=', loanId)
        .execute()
      await planCollection(trx, { customerId, loanId })
      return { nextDueOn, lastDueOn }
    })
    return result
  })
}
