import { dayOf } from '#server/calendar/zone.ts'
import { businessDayAfter } from '#server/calendar/business-days.ts'
import { addDays } from '#server/calendar/days.ts'
import { lastCollectionDay } from '#server/loans/terms/due-days.ts'
import type { Selectable, Transaction } from 'kysely'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { LOAN_TERMS } from '#contract/loan-terms.ts'
import type { LoanInstallment } from '#contract/loans.ts'
import { type Due, scheduleOf, type LoanBalance } from '#server/loans/terms/schedule.ts'

export type LoanRow = Selectable<Database['bank.loan']>

/**
 * An installment that is not fully paid. `shortSince`: the day on which the bank first found too little money for it; null if
 * that has not happened since the last pause.
 */
export type OpenDue = Due & { shortSince: string | null; lateFee: boolean }

/**
 * A loan with its balances and its open installments. After a loan has ended, its balances are zero and it has no installments.
 */
export type Loan = { row: LoanRow; balance: LoanBalance; dues: OpenDue[] }

type Trx = Transaction<Database>

export const isLoanOpen = ({ closed_at }: Pick<LoanRow, 'closed_at'>): boolean => closed_at === null

/**
 * Locks a customer and their loan until the SQL transaction ends. Returns null if the customer has no such loan. While the lock
 * is held, no other process changes the loan's balances.
 */
export async function lockLoan(trx: Trx, customerId: string, loanId: string): Promise<Loan | null> {
  await lockCustomer(trx, customerId)
  const row = await loanQuery(trx, customerId, loanId).forNoKeyUpdate().executeTakeFirst()
  return row ? withStanding(trx, row) : null
}

/** Reads a customer's loan without locking it for changes. The balances and the payments are from the same moment. */
export async function readLoan(trx: Trx, customerId: string, loanId: string): Promise<Loan | null> {
  const row = await loanQuery(trx, customerId, loanId).forShare().executeTakeFirst()
  return row ? withStanding(trx, row) : null
}

const loanQuery = (trx: Trx, customerId: string, loanId: string) =>
  trx.selectFrom('bank.loan').selectAll().where('id', '=', loanId).where('customer_id', '=', customerId)

async function withStanding(trx: Trx, row: LoanRow): Promise<Loan> {
  const dues = await trx
    .selectFrom('bank.loan_instalment')
    .selectAll()
    .where('loan_id', '=', row.id)
    .orderBy('number')
    .execute()
  const accounts = await accountsById(runIn(trx), [
    row.principal_account_id,
    row.interest_account_id,
    row.fees_account_id,
  ])
  const owedOn = (id: number) => 0 - (accounts.find((account) => account.id === id)?.balanceMinor ?? 0)
  return {
    row,
    balance: {
      accruedTo: row.accrued_to,
      remainder: row.remainder_e12,
      principalMinor: owedOn(row.principal_account_id),
      interestMinor: owedOn(row.interest_account_id),
      feesMinor: owedOn(row.fees_account_id),
    },
    dues: dues.map((due) => ({
      number: due.number,
      dueOn: due.due_on,
      paidMinor: due.paid_minor,
      shortSince: due.short_since,
      lateFee: due.late_fee,
    })),
  }
}

/** Returns the remaining installments, provided that each is paid on its day from `today` on. */
export const scheduleOn = ({ row, balance, dues }: Loan, today: string): LoanInstallment[] =>
  scheduleOf(balance, dues, { instalmentMinor: row.instalment_minor, dailyRateE12: row.daily_rate_e12, today })

/** Returns whether the bank tried to collect an installment and found too little money. */
export const hadTooLittleMoney = ({ tried_on }: Pick<LoanRow, 'tried_on'>, { dueOn }: Due): boolean =>
  tried_on !== null && dueOn <= tried_on

/**
 * Returns the next day on which the bank tries to collect an installment. For an upcoming installment it is the due day. For an
 * overdue one it is the business day after the last try. Returns null if no installment is open.
 */
export function nextTry({ row, dues }: Pick<Loan, 'row' | 'dues'>): string | null {
  const days = dues.map((due) =>
    row.tried_on !== null && hadTooLittleMoney(row, due) ? businessDayAfter(row.tried_on) : due.dueOn,
  )
  return days.toSorted()[0] ?? null
}

/**
 * Returns whether an installment is late: more than `lateAfterDays` days have passed since the bank first found too little
 * money for it.
 */
export const isLate = ({ shortSince }: Pick<OpenDue, 'shortSince'>, today: string): boolean =>
  shortSince !== null && addDays(shortSince, LOAN_TERMS.lateAfterDays) < today

/** Returns whether interest and installments of the loan are booked up to now. */
export function isUpToDate(loan: Loan, now: Date): boolean {
  const next = nextTry(loan)
  return loan.row.accrued_to >= dayOf(now) && (next === null || next > lastCollectionDay(now))
}
