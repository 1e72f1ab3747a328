import { addDays } from '#server/calendar/days.ts'
import { lastCollectionDay } from '#server/loans/terms/due-days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Transaction } from 'kysely'
import { lateFeeOf } from '#contract/loan-terms.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Operation } from '#server/ledger/types.ts'
import { isLate, isLoanOpen, type Loan, lockLoan, nextTry, type OpenDue, scheduleOn } from '#server/loans/loan/loan.ts'
import {
  accrueUpTo,
  type LoanDeps,
  markStatus,
  recordLoanPayment,
  paymentLegs,
} from '#server/loans/repaying/booking.ts'
import { installmentOf, splitPayment, splitTotal } from '#server/loans/terms/schedule.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { currentAccountOf } from '#server/identity/customers/customers.ts'

type Trx = Transaction<Database>

/**
 * Brings a loan up to today: accrues interest and collects due installments. The installments are collected in order, each with
 * the interest up to the day of its collection, so a late run takes the same amounts as a punctual one. A repeated or
 * concurrent run books nothing twice.
 */
export async function bringUpToDate(deps: LoanDeps, customerId: string, loanId: string): Promise<void> {
  while (await inTransaction(deps.db, (trx) => doNext(deps, trx, customerId, loanId)));
}

/** Accrues or collects once, and returns whether there may be more to do. */
async function doNext(deps: LoanDeps, trx: Trx, customerId: string, loanId: string): Promise<boolean> {
  const loan = await lockLoan(trx, customerId, loanId)
  if (!loan || !isLoanOpen(loan.row)) return false
  const now = deps.clock.businessNow()
  const day = nextTry(loan)
  if (day !== null && day <= lastCollectionDay(now)) {
    await takeInstalment(deps, trx, await accrueUpTo(deps, trx, loan, day), day)
    return true
  }
  await chargeLateFees(deps, trx, await accrueUpTo(deps, trx, loan, dayOf(now)))
  return false
}

/**
 * Collects the oldest installment as of a day, in full. If the ledger refuses it, for example because of too little money,
 * records a shortfall.
 */
async function takeInstalment(deps: LoanDeps, trx: Trx, loan: Loan, day: string): Promise<void> {
  const { row, balance, dues } = loan
  const [due] = dues
  if (!due) throw new Error(`Loan ${row.id} has no installment`)
  const amountMinor = installmentOf(splitTotal(balance), due, dues.length === 1, row.instalment_minor)
  const split = splitPayment(amountMinor, balance)
  const currentAccountId = await currentAccountOf(trx, row.customer_id)
  const operation: Operation = {
    ...derivedIdentity('loans', row.id, `instalment:${due.number}:${day}`),
    kind: 'loan.instalment',
    fingerprint: fingerprintOf('loan.instalment', row.id, due.number, day),
    bookedAt: deps.clock.businessNow(),
    legs: paymentLegs(row, currentAccountId, split),
  }
  const [outcome] = await deps.ledger.postAllWithin(runIn(trx), [operation])
  if (!outcome?.ok) return noteShort(deps, trx, loan, { due, amountMinor })
  if (outcome.booked.replayed) throw new Error(`Installment ${due.number} of loan ${row.id} was taken before`)
  await trx.deleteFrom('bank.loan_instalment').where('loan_id', '=', row.id).where('number', '=', due.number).execute()
  const after = await recordLoanPayment(
    deps,
    trx,
    { ...loan, dues: dues.slice(1) },
    { operation, kind: 'instalment', split },
  )
  await markStatus(trx, after)
}

/**
 * Records that the customer has too little money today. The record also covers earlier days on which the bank missed a try, up
 * to the day before the next installment. Those tries would have failed too.
 */
async function noteShort(
  deps: LoanDeps,
  trx: Trx,
  { row, dues }: Loan,
  { due, amountMinor }: { due: OpenDue; amountMinor: number },
): Promise<void> {
  const now = deps.clock.businessNow()
  const lastDay = lastCollectionDay(now)
  const day = nextTry({ row, dues }) ?? lastDay
  const following = dues.find(({ dueOn }) => dueOn > day)?.dueOn
  const triedOn = following !== undefined && following <= lastDay ? addDays(following, -1) : lastDay
  await trx.updateTable('bank.loan').set({ tried_on: triedOn }).where('id', '=', row.id).execute()
  const newlyShort = await trx
    .updateTable('bank.loan_instalment')
    .set({ short_since: dayOf(now) })
    .where('loan_id', '=', row.id)
    .where('due_on', '<=', triedOn)
    .where('short_since', 'is', null)
    .returning(['number', 'due_on'])
    .execute()
  if (newlyShort.length === 0) return
  const dueOn = newlyShort[0]?.due_on ?? due.dueOn
  const params = { amountMinor, asset: 'USD' as const, dueOn }
  await notify(deps, trx, { customerId: row.customer_id, kind: 'loan_instalment_short', params })
}

/**
 * Returns the unpaid part of an installment, in US cents. The last installment normally contains the fees. They are left out
 * here, so that no fee is charged on a fee.
 */
function missingOf({ row, balance, dues }: Loan, number: number): number {
  const schedule = scheduleOn({ row, balance: { ...balance, feesMinor: 0 }, dues }, balance.accruedTo)
  return schedule.find((installment) => installment.number === number)?.amountMinor ?? 0
}

/** Charges a fee once for each late installment. A fee below one cent is not charged, and the customer gets no notice. */
async function chargeLateFees(deps: LoanDeps, trx: Trx, loan: Loan): Promise<void> {
  const { row, balance } = loan
  const lateDues = loan.dues.filter((due) => !due.lateFee && isLate(due, balance.accruedTo))
  for (const { number, dueOn } of lateDues) {
    const amountMinor = lateFeeOf(missingOf(loan, number))
    if (amountMinor === 0) continue
    const detail = { label: 'loan.late_fee', category: 'bills' } as const
    const [debit, credit] = [row.fees_account_id, bankAccount('fees')]
    await deps.ledger.postWithin(runIn(trx), [
      {
        ...derivedIdentity('loans', row.id, `late_fee:${number}:${dueOn}`),
        kind: 'loan.late_fee',
        fingerprint: fingerprintOf('loan.late_fee', row.id, number, dueOn),
        bookedAt: deps.clock.businessNow(),
        legs: [{ kind: 'transfer', debit, credit, amountMinor, detail }],
      },
    ])
    await trx
      .updateTable('bank.loan_instalment')
      .set({ late_fee: true })
      .where('loan_id', '=', row.id)
      .where('number', '=', number)
      .execute()
    const params = { amountMinor, asset: 'USD' as const, dueOn }
    await notify(deps, trx, { customerId: row.customer_id, kind: 'loan_late', params })
  }
  await markStatus(trx, loan)
}
