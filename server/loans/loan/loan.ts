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
import type { LoanInstalment } from '#contract/loans.ts'
import { type Due, scheduleOf, type Standing } from '#server/loans/terms/schedule.ts'

export type LoanRow = Selectable<Database['bank.loan']>

/** An instalment that is still to be paid. `shortSince`: when the bank first found too little money for it. */
export type OpenDue = Due & { shortSince: string | null; lateFee: boolean }

/** A loan with what is owed and what is still to be paid; nothing of a loan that is over. */
export type Loan = { row: LoanRow; standing: Standing; dues: OpenDue[] }

type Trx = Transaction<Database>

export const isOpen = ({ closed_at }: Pick<LoanRow, 'closed_at'>): boolean => closed_at === null

/**
 * A customer's loan, locked until the SQL transaction ends, and the customer with it; null where they have no such loan.
 * Nothing else moves money on its accounts, so what is owed stays as it was read.
 */
export async function lockLoan(trx: Trx, customerId: string, loanId: string): Promise<Loan | null> {
  await lockCustomer(trx, customerId)
  const row = await loanQuery(trx, customerId, loanId).forNoKeyUpdate().executeTakeFirst()
  return row ? withStanding(trx, row) : null
}

/** The same to be read: what is owed and what was paid are of one moment. */
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
    standing: {
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

/** What is still to be paid and when, if all is paid on its day from `today` on. */
export const scheduleOn = ({ row, standing, dues }: Loan, today: string): LoanInstalment[] =>
  scheduleOf(standing, dues, { instalmentMinor: row.instalment_minor, dailyRateE12: row.daily_rate_e12, today })

/** Whether an instalment was asked for and there was too little money. */
export const wasShort = ({ tried_on }: Pick<LoanRow, 'tried_on'>, { dueOn }: Due): boolean =>
  tried_on !== null && dueOn <= tried_on

/**
 * The next day for which instalments are asked for: that of the next one, or the business day after the last try where one
 * is overdue. Null where nothing is to be paid.
 */
export function nextTry({ row, dues }: Pick<Loan, 'row' | 'dues'>): string | null {
  const days = dues.map((due) =>
    row.tried_on !== null && wasShort(row, due) ? businessDayAfter(row.tried_on) : due.dueOn,
  )
  return days.toSorted()[0] ?? null
}

/** An instalment is late some days after the day on which the bank first found too little money for it. */
export const isLate = ({ shortSince }: Pick<OpenDue, 'shortSince'>, today: string): boolean =>
  shortSince !== null && addDays(shortSince, LOAN_TERMS.lateAfterDays) < today

/** Whether all that was to be done by now has been done. */
export function isUpToDate(loan: Loan, now: Date): boolean {
  const next = nextTry(loan)
  return loan.row.accrued_to >= dayOf(now) && (next === null || next > lastCollectionDay(now))
}
