import { addDays } from '#server/calendar/days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { LoanPaymentKind } from '#contract/loan-codes.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { type Loan, hadTooLittleMoney } from '#server/loans/loan/loan.ts'
import { type LoanDeps, markStatus, recordLoanPayment, paymentLegs } from '#server/loans/repaying/booking.ts'
import { lockOpenLoan, withAccruedLoan } from '#server/loans/repaying/with-accrued-loan.ts'
import { splitPayment, splitTotal } from '#server/loans/terms/schedule.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'

type Trx = Transaction<Database>
type Payer = { id: string; currentAccountId: AccountId }

/** The number of days after the payout in which a customer may withdraw from a loan. */
export const WITHDRAWAL_DAYS = 14

/** The smallest extra payment, in US cents. If the debt is smaller, the whole debt may be paid. */
const MIN_EXTRA_MINOR = 1_00

type PaymentRequest = { kind: LoanPaymentKind; loanId: string; key: RequestKey }

/**
 * Pays the amount that `amountOf` returns on a loan that is up to date. A repeated request with the same key pays only once.
 * Returns the payment's id.
 */
function pay(
  deps: LoanDeps,
  payer: Payer,
  { kind, loanId, key }: PaymentRequest,
  amountOf: (trx: Trx, loan: Loan) => number | Promise<number>,
): Promise<string> {
  return withAccruedLoan(deps, { customerId: payer.id, loanId }, async () => {
    await runOnce(deps, key, async (trx) => {
      const loan = await lockOpenLoan(deps, trx, { customerId: payer.id, loanId })
      const amountMinor = await amountOf(trx, loan)
      const split = splitPayment(amountMinor, loan.balance)
      const operation: Operation = {
        id: key.operationId,
        kind: `loan.${kind}`,
        fingerprint: key.fingerprint,
        bookedAt: deps.clock.businessNow(),
        legs: paymentLegs(loan.row, payer.currentAccountId, split),
      }
      const [booked] = await deps.ledger.postWithin(runIn(trx), [operation])
      // A replayed operation must not record the payment again.
      if (booked?.replayed) throw new Refusal('idempotency_key_reused')
      const settled = kind === 'extra' ? await payOverdue(trx, loan, amountMinor) : loan
      const after = await recordLoanPayment(deps, trx, settled, { operation, kind, split })
      await markStatus(trx, after)
    })
    return key.operationId
  })
}

/**
 * Applies a payment to the overdue installments, the oldest first. The last installment is left out, because its amount is
 * always the whole remaining debt.
 */
async function payOverdue(trx: Trx, loan: Loan, amountMinor: number): Promise<Loan> {
  const { row } = loan
  let restMinor = amountMinor
  const dues: Loan['dues'] = []
  for (const [index, due] of loan.dues.entries()) {
    const isLast = index === loan.dues.length - 1
    const missingMinor = row.instalment_minor - due.paidMinor
    const paidMinor = isLast || !hadTooLittleMoney(row, due) ? 0 : Math.min(restMinor, missingMinor)
    restMinor -= paidMinor
    if (paidMinor === 0 || paidMinor < missingMinor) dues.push({ ...due, paidMinor: due.paidMinor + paidMinor })
    if (paidMinor === 0) continue
    const installment = { loan_id: row.id, number: due.number }
    if (paidMinor === missingMinor)
      await trx
        .deleteFrom('bank.loan_instalment')
        .where('loan_id', '=', installment.loan_id)
        .where('number', '=', installment.number)
        .execute()
    else
      await trx
        .updateTable('bank.loan_instalment')
        .set({ paid_minor: due.paidMinor + paidMinor })
        .where('loan_id', '=', installment.loan_id)
        .where('number', '=', installment.number)
        .execute()
  }
  return { ...loan, dues }
}

/**
 * Makes an extra payment: it pays interest up to today first, then fees, then the principal. Throws Refusal `not_found`,
 * `loan_not_open`, `loan_overpaid`, `loan_payment_too_small`, and the ledger's refusals.
 */
export function payExtra(
  deps: LoanDeps,
  payer: Payer,
  loanId: string,
  amountMinor: number,
  key: RequestKey,
): Promise<string> {
  return pay(deps, payer, { kind: 'extra', loanId, key }, (_, { balance }) => {
    const owedMinor = splitTotal(balance)
    if (amountMinor > owedMinor) throw new Refusal('loan_overpaid', 'amountMinor')
    if (amountMinor < Math.min(MIN_EXTRA_MINOR, owedMinor)) throw new Refusal('loan_payment_too_small', 'amountMinor')
    return amountMinor
  })
}

/**
 * Repays the whole loan at the quoted amount. Throws Refusal `not_found`, `loan_not_open`, `loan_quote_expired` if the quote
 * is from another day or the debt has changed since, and the ledger's refusals.
 */
export function settleEarly(
  deps: LoanDeps,
  payer: Payer,
  loanId: string,
  quoteId: string,
  key: RequestKey,
): Promise<string> {
  return pay(deps, payer, { kind: 'early_settlement', loanId, key }, async (trx, { balance }) => {
    const quote = await trx
      .selectFrom('bank.loan_quote')
      .selectAll()
      .where('id', '=', quoteId)
      .where('loan_id', '=', loanId)
      .executeTakeFirst()
    if (!quote) throw new Refusal('not_found')
    const holds =
      quote.valid_on === balance.accruedTo &&
      quote.principal_minor === balance.principalMinor &&
      quote.interest_minor === balance.interestMinor &&
      quote.fees_minor === balance.feesMinor
    if (!holds) throw new Refusal('loan_quote_expired')
    return splitTotal(balance)
  })
}

/**
 * Withdraws from a loan: repays it within 14 days, with interest up to today. Throws Refusal `not_found`, `loan_not_open`,
 * `loan_withdrawal_over`, `loan_terms_changed` if the amount differs from the one shown, and the ledger's refusals.
 */
export function withdrawFromLoan(
  deps: LoanDeps,
  payer: Payer,
  loanId: string,
  shownMinor: number,
  key: RequestKey,
): Promise<string> {
  return pay(deps, payer, { kind: 'withdrawal', loanId, key }, (_, { row, balance }) => {
    const today = dayOf(deps.clock.businessNow())
    if (today > addDays(row.disbursed_on, WITHDRAWAL_DAYS)) throw new Refusal('loan_withdrawal_over')
    if (splitTotal(balance) !== shownMinor) throw new Refusal('loan_terms_changed')
    return shownMinor
  })
}
