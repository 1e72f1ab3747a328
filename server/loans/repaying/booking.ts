import type { Transaction } from 'kysely'
import type { LoanPaymentKind } from '#contract/loan-codes.ts'
import { closeAccount } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Leg, Operation } from '#server/ledger/types.ts'
import { isLate, type Loan, type LoanRow } from '#server/loans/loan/loan.ts'
import { balanceAfterPayment, type PaymentSplit, balanceOn, splitTotal } from '#server/loans/terms/schedule.ts'
import { notify } from '#server/notifications/service.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Trx = Transaction<Database>
export type LoanDeps = Pick<Deps, 'db' | 'ledger' | 'clock' | 'events' | 'policy' | 'log'>

/**
 * Books interest up to a day, not including that day. Whole cents become income of the bank, and the fraction of a cent is
 * carried forward. Returns the loan after the booking.
 */
export async function accrueUpTo(deps: LoanDeps, trx: Trx, loan: Loan, day: string): Promise<Loan> {
  const { row } = loan
  const balance = balanceOn(loan.balance, day, row.daily_rate_e12)
  if (balance === loan.balance) return loan
  const amountMinor = balance.interestMinor - loan.balance.interestMinor
  if (amountMinor > 0) {
    const detail = { label: 'loan.interest', category: 'bills' } as const
    const debit = row.interest_account_id
    await deps.ledger.postWithin(runIn(trx), [
      {
        ...derivedIdentity('loans', row.id, `interest:${day}`),
        kind: 'loan.interest',
        fingerprint: fingerprintOf('loan.interest', row.id, day),
        bookedAt: deps.clock.businessNow(),
        legs: [{ kind: 'transfer', debit, credit: bankAccount('loan_interest'), amountMinor, detail }],
      },
    ])
  }
  const changes = { accrued_to: balance.accruedTo, remainder_e12: balance.remainder }
  await trx.updateTable('bank.loan').set(changes).where('id', '=', row.id).execute()
  return { ...loan, row: { ...row, ...changes }, balance }
}

/** Returns the ledger legs of a payment on a loan: one leg each for interest, fees and principal. */
export function paymentLegs(row: LoanRow, current: AccountId, split: PaymentSplit): Leg[] {
  const leg = (credit: AccountId, amountMinor: number, detail: NonNullable<PaymentDetail>): Leg[] =>
    amountMinor > 0 ? [{ kind: 'transfer', debit: current, credit, amountMinor, detail }] : []
  return [
    ...leg(row.interest_account_id, split.interestMinor, { label: 'loan.interest', category: 'bills' }),
    ...leg(row.fees_account_id, split.feesMinor, { label: 'loan.late_fee', category: 'bills' }),
    ...leg(row.principal_account_id, split.principalMinor, { label: 'loan.principal', category: 'loan' }),
  ]
}

type PaymentDetail = Extract<Leg, { kind: 'transfer' }>['detail']

type Paid = { operation: Pick<Operation, 'id' | 'bookedAt'>; kind: LoanPaymentKind; split: PaymentSplit }

/** Records a payment, and ends the loan if no debt is left. Returns the loan after the payment. */
export async function recordLoanPayment(deps: LoanDeps, trx: Trx, loan: Loan, paid: Paid): Promise<Loan> {
  const { operation, kind, split } = paid
  await trx
    .insertInto('bank.loan_payment')
    .values({
      id: operation.id,
      loan_id: loan.row.id,
      kind,
      paid_on: loan.balance.accruedTo,
      booked_at: operation.bookedAt,
      principal_minor: split.principalMinor,
      interest_minor: split.interestMinor,
      fees_minor: split.feesMinor,
    })
    .execute()
  const after = { ...loan, balance: balanceAfterPayment(loan.balance, split) }
  if (splitTotal(after.balance) > 0) return after
  await endLoan(deps, trx, after, kind === 'withdrawal' ? 'withdrawn' : 'repaid')
  return { ...after, dues: [] }
}

async function endLoan(deps: LoanDeps, trx: Trx, { row }: Loan, status: 'repaid' | 'withdrawn'): Promise<void> {
  for (const account of [row.principal_account_id, row.interest_account_id, row.fees_account_id]) {
    if (!(await closeAccount(runIn(trx), account)))
      throw new Error(`Loan ${row.id} has ended and its accounts have not`)
  }
  await trx.deleteFrom('bank.loan_instalment').where('loan_id', '=', row.id).execute()
  await trx
    .updateTable('bank.loan')
    .set({ status, closed_at: deps.clock.businessNow() })
    .where('id', '=', row.id)
    .execute()
  if (status === 'withdrawn') return
  const params = { amountMinor: row.amount_minor, asset: 'USD' as const }
  await notify(deps, trx, { customerId: row.customer_id, kind: 'loan_repaid', params })
}

/** Marks a loan as late or active, by its installments on the day up to which interest is accrued. */
export async function markStatus(trx: Trx, { row, balance, dues }: Loan): Promise<void> {
  const status = dues.some((due) => isLate(due, balance.accruedTo)) ? 'late' : 'active'
  await trx
    .updateTable('bank.loan')
    .set({ status })
    .where('id', '=', row.id)
    .where('closed_at', 'is', null)
    .where('status', '<>', status)
    .execute()
}
