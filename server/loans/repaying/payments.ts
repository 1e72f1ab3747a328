import { addDays } from '#server/calendar/days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { LoanPaymentKind } from '#contract/loan-codes.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { type Loan, wasShort } from '#server/loans/loan/loan.ts'
import { type LoanDeps, markStatus, notePayment, paymentLegs } from '#server/loans/repaying/booking.ts'
import { openLoan, whileUpToDate } from '#server/loans/repaying/up-to-date.ts'
import { splitPayment, sumOf } from '#server/loans/terms/schedule.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'

type Trx = Transaction<Database>
type Payer = { id: string; currentAccountId: AccountId }

/** For so many days after it was paid out a loan can be withdrawn from. */
export const WITHDRAWAL_DAYS = 14

/** The smallest extra payment, US cents; less where less is owed. */
const LEAST_EXTRA_MINOR = 1_00

type Asked = { kind: LoanPaymentKind; loanId: string; key: RequestKey }

/** Pays what `amountOf` says on a loan that is up to date, once for the request's key. Answers the payment's id. */
function pay(
  deps: LoanDeps,
  payer: Payer,
  { kind, loanId, key }: Asked,
  amountOf: (trx: Trx, loan: Loan) => number | Promise<number>,
): Promise<string> {
  return whileUpToDate(deps, { customerId: payer.id, loanId }, async () => {
    await once(deps, key, async (trx) => {
      const loan = await openLoan(deps, trx, { customerId: payer.id, loanId })
      const amountMinor = await amountOf(trx, loan)
      const split = splitPayment(amountMinor, loan.standing)
      const operation: Operation = {
        id: key.operationId,
        kind: `loan.${kind}`,
        fingerprint: key.fingerprint,
        bookedAt: deps.clock.businessNow(),
        legs: paymentLegs(loan.row, payer.currentAccountId, split),
      }
      const [booked] = await deps.ledger.postWithin(runIn(trx), [operation])
      // It must not be noted a second time.
      if (booked?.replayed) throw new Refusal('idempotency_key_reused')
      const settled = kind === 'extra' ? await payOverdue(trx, loan, amountMinor) : loan
      const after = await notePayment(deps, trx, settled, { operation, kind, split })
      await markStatus(trx, after)
    })
    return key.operationId
  })
}

/** Counts a payment towards the instalments that are overdue, the oldest first; the last instalment is whatever is owed. */
async function payOverdue(trx: Trx, loan: Loan, amountMinor: number): Promise<Loan> {
  const { row } = loan
  let restMinor = amountMinor
  const dues: Loan['dues'] = []
  for (const [index, due] of loan.dues.entries()) {
    const isLast = index === loan.dues.length - 1
    const missingMinor = row.instalment_minor - due.paidMinor
    const paidMinor = isLast || !wasShort(row, due) ? 0 : Math.min(restMinor, missingMinor)
    restMinor -= paidMinor
    if (paidMinor === 0 || paidMinor < missingMinor) dues.push({ ...due, paidMinor: due.paidMinor + paidMinor })
    if (paidMinor === 0) continue
    const instalment = { loan_id: row.id, number: due.number }
    if (paidMinor === missingMinor)
      await trx
        .deleteFrom('bank.loan_instalment')
        .where('loan_id', '=', instalment.loan_id)
        .where('number', '=', instalment.number)
        .execute()
    else
      await trx
        .updateTable('bank.loan_instalment')
        .set({ paid_minor: due.paidMinor + paidMinor })
        .where('loan_id', '=', instalment.loan_id)
        .where('number', '=', instalment.number)
        .execute()
  }
  return { ...loan, dues }
}

/**
 * Pays something extra: interest up to today first, then fees, then the principal. Throws Refusal `not_found`,
 * `loan_not_open`, `loan_overpaid`, `loan_payment_too_small`, and what the ledger refuses.
 */
export function payExtra(
  deps: LoanDeps,
  payer: Payer,
  loanId: string,
  amountMinor: number,
  key: RequestKey,
): Promise<string> {
  return pay(deps, payer, { kind: 'extra', loanId, key }, (_, { standing }) => {
    const owedMinor = sumOf(standing)
    if (amountMinor > owedMinor) throw new Refusal('loan_overpaid', 'amountMinor')
    if (amountMinor < Math.min(LEAST_EXTRA_MINOR, owedMinor)) throw new Refusal('loan_payment_too_small', 'amountMinor')
    return amountMinor
  })
}

/**
 * Repays all of a loan as quoted. Throws Refusal `not_found`, `loan_not_open`, `loan_quote_expired` where the quote is of
 * another day or something else was paid since, and what the ledger refuses.
 */
export function settleEarly(
  deps: LoanDeps,
  payer: Payer,
  loanId: string,
  quoteId: string,
  key: RequestKey,
): Promise<string> {
  return pay(deps, payer, { kind: 'early_settlement', loanId, key }, async (trx, { standing }) => {
    const quote = await trx
      .selectFrom('bank.loan_quote')
      .selectAll()
      .where('id', '=', quoteId)
      .where('loan_id', '=', loanId)
      .executeTakeFirst()
    if (!quote) throw new Refusal('not_found')
    const holds =
      quote.valid_on === standing.accruedTo &&
      quote.principal_minor === standing.principalMinor &&
      quote.interest_minor === standing.interestMinor &&
      quote.fees_minor === standing.feesMinor
    if (!holds) throw new Refusal('loan_quote_expired')
    return sumOf(standing)
  })
}

/**
 * Pays a loan back within 14 days, with interest up to today. Throws Refusal `not_found`, `loan_not_open`,
 * `loan_withdrawal_over`, `loan_terms_changed` where that is not what was shown, and what the ledger refuses.
 */
export function withdrawFromLoan(
  deps: LoanDeps,
  payer: Payer,
  loanId: string,
  shownMinor: number,
  key: RequestKey,
): Promise<string> {
  return pay(deps, payer, { kind: 'withdrawal', loanId, key }, (_, { row, standing }) => {
    const today = dayOf(deps.clock.businessNow())
    if (today > addDays(row.disbursed_on, WITHDRAWAL_DAYS)) throw new Refusal('loan_withdrawal_over')
    if (sumOf(standing) !== shownMinor) throw new Refusal('loan_terms_changed')
    return shownMinor
  })
}
