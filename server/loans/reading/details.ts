import { addDays } from '#server/calendar/days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Selectable, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { LoanDetails, LoanInstallment, LoanPayment, LoanSummary } from '#contract/loans.ts'
import { isLoanOpen, type Loan, readLoan, scheduleOn, hadTooLittleMoney } from '#server/loans/loan/loan.ts'
import { isTooLate, pauseAgainOn } from '#server/loans/repaying/pause-terms.ts'
import { WITHDRAWAL_DAYS } from '#server/loans/repaying/payments.ts'
import { balanceOn, splitTotal } from '#server/loans/terms/schedule.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Trx = Transaction<Database>

/** Returns a loan with its remaining installments. Interest is counted for all days before `today`. */
export function loanOn(loan: Loan, today: string): { summary: LoanSummary; schedule: LoanInstallment[] } {
  const { row, dues } = loan
  const balance = isLoanOpen(row) ? balanceOn(loan.balance, today, row.daily_rate_e12) : loan.balance
  const schedule = scheduleOn({ row, balance, dues }, today)
  const [next, last] = [schedule[0], schedule.at(-1)]
  const { principalMinor, interestMinor, feesMinor } = balance
  const summary: LoanSummary = {
    id: row.id,
    status: row.status,
    amountMinor: row.amount_minor,
    asset: 'USD',
    months: row.months,
    aprBps: row.apr_bps,
    dailyRateE12: row.daily_rate_e12,
    instalmentMinor: row.instalment_minor,
    disbursedOn: row.disbursed_on,
    owed: { principalMinor, interestMinor, feesMinor, totalMinor: splitTotal(balance) },
    overdueMinor: schedule.reduce((sum, installment) => sum + (installment.overdue ? installment.amountMinor : 0), 0),
    next: next ? { dueOn: next.dueOn, amountMinor: next.amountMinor } : null,
    lastDueOn: last?.dueOn ?? null,
    lastAmountMinor: last?.amountMinor ?? null,
    closedOn: row.closed_at && dayOf(row.closed_at),
  }
  return { summary, schedule }
}

/** Returns a customer's loan. Throws Refusal `not_found`. */
export function loanDetails(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  loanId: string,
): Promise<LoanDetails> {
  const today = dayOf(deps.clock.businessNow())
  return inTransaction(deps.db, async (trx) => {
    const loan = await readLoan(trx, customerId, loanId)
    if (!loan) throw new Refusal('not_found')
    const { summary, schedule } = loanOn(loan, today)
    const withdrawUntil = addDays(loan.row.disbursed_on, WITHDRAWAL_DAYS)
    return {
      ...summary,
      withdrawUntil: isLoanOpen(loan.row) && today <= withdrawUntil ? withdrawUntil : null,
      pause: pauseOf(loan, today),
      schedule,
      payments: await paymentsOf(trx, loanId),
    }
  })
}

function pauseOf({ row, dues }: Loan, today: string): LoanDetails['pause'] {
  const againOn = pauseAgainOn(row)
  const possibleOn = againOn !== null && againOn > today ? againOn : null
  const tooLate = isTooLate(dues.find((due) => hadTooLittleMoney(row, due))?.dueOn, today)
  return {
    until: isLoanOpen(row) && row.paused_until !== null && row.paused_until > today ? row.paused_until : null,
    possible: isLoanOpen(row) && possibleOn === null && !tooLate,
    possibleOn: isLoanOpen(row) ? possibleOn : null,
  }
}

async function paymentsOf(trx: Trx, loanId: string): Promise<LoanPayment[]> {
  const rows = await trx
    .selectFrom('bank.loan_payment')
    .selectAll()
    .where('loan_id', '=', loanId)
    .orderBy('place', 'desc')
    .execute()
  return rows.map(paymentOf)
}

function paymentOf(row: Selectable<Database['bank.loan_payment']>): LoanPayment {
  const { principal_minor: principalMinor, interest_minor: interestMinor, fees_minor: feesMinor } = row
  const amountMinor = principalMinor + interestMinor + feesMinor
  return { id: row.id, kind: row.kind, paidOn: row.paid_on, amountMinor, principalMinor, interestMinor, feesMinor }
}
