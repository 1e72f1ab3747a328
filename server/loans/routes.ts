import type { Context } from 'hono'
import { LOAN_TERMS } from '#contract/loan-terms.ts'
import {
  earlySettlementRequest,
  acceptedLoan,
  loanApplication,
  loanApplicationRequest,
  loanApplicationResponse,
  loanDetails,
  loanOverview,
  loanPaymentResult,
  type LoanPaymentResult,
  loanPauseOptions,
  loanPauseRequest,
  loanPauseTerms,
  loanPaymentRequest,
  loanWithdrawalRequest,
  preApproval,
  settlementQuote,
} from '#contract/loans.ts'
import { countCustomer } from '#server/identity/access/customer-limit.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { routes } from '#server/identity/access/route.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { preApprovalOf } from '#server/loans/credit/pre-approval.ts'
import { acceptOffer } from '#server/loans/offers/accept.ts'
import { applyForLoan, withdrawApplication } from '#server/loans/offers/apply.ts'
import { loanDetails as loanDetailsOf } from '#server/loans/reading/details.ts'
import { loanOverview as loanOverviewOf, readApplication } from '#server/loans/reading/overview.ts'
import { readAccepted, readPaid } from '#server/loans/reading/paid.ts'
import { pauseLoan } from '#server/loans/repaying/pause.ts'
import { pauseOptions } from '#server/loans/repaying/pause-terms.ts'
import { payExtra, settleEarly, withdrawFromLoan } from '#server/loans/repaying/payments.ts'
import { quoteSettlement } from '#server/loans/repaying/settlement-quote.ts'
import { makeLoanStatement } from '#server/loans/statement/statement.ts'
import type { Deps } from '#server/platform/deps.ts'
import { fromReplica } from '#server/platform/db/replica.ts'
import { recipientOf } from '#server/platform/http/response-recipient.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { readId } from '#server/platform/http/id-param.ts'
import { POSTING_REFUSALS } from '#server/ledger/types.ts'
import { PDF, pdfResponse, sendFile } from '#server/platform/http/route-bodies.ts'

const LATE_FEE = `An installment that is more than ${LOAN_TERMS.lateAfterDays} days late has a late fee of ${LOAN_TERMS.lateFeeBps / 100}% of the unpaid part, $${LOAN_TERMS.lateFeeMostMinor / 100} at most.`

/** Moves money once. A repeated request returns the id of the first payment, even if a new payment would be refused by now. */
const moveOnce = (c: Context<ApiEnv>, move: (key: RequestKey) => Promise<string>): Promise<string> =>
  moveMoney(c, move, (booked) => booked.id)

/** Pays on a loan and returns the payment. */
async function paid(
  c: Context<ApiEnv>,
  pay: (deps: Deps, customer: Customer, key: RequestKey) => Promise<string>,
): Promise<LoanPaymentResult> {
  const [deps, customer] = [c.get('deps'), c.get('customer')]
  return readPaid(deps, customer.id, await moveOnce(c, (key) => pay(deps, customer, key)))
}

/** The number of applications that one customer may make in an hour. Applications are stored permanently. */
const APPLYING = { name: 'loan-apply', points: 20, seconds: 60 * 60 }

// The routes for quotes are not marked as changes: screens reload on changes, and would then request new quotes without end.
const quotes = routes('Loans').post(
  '/loans/{id}/quotes',
  {
    key: 'none',
    refuses: ['loan_not_open'],
    summary: 'Request a quote for settling a loan today',
    description: 'The quote is valid until the end of the day, or until another payment on the loan.',
    response: settlementQuote,
    responseDescription: 'The quote',
  },
  (c) => quoteSettlement(c.deps, c.customer.id, c.id),
)

export const loanRoutes = routes('Loans', { live: true })
  .mount(quotes)
  .get(
    '/loans',
    { summary: 'Your loans, and your latest application', response: loanOverview, responseDescription: 'As of now' },
    (c) => loanOverviewOf(c.deps, c.customer),
  )
  .get(
    '/loans/pre-approval',
    {
      summary: 'Your credit score, and the amount that you can borrow',
      response: preApproval,
      responseDescription: 'As of now',
    },
    (c) => preApprovalOf(c.deps, c.customer),
  )
  .post(
    '/loan-applications',
    {
      refuses: [
        'loan_amount_too_small',
        'loan_amount_off_step',
        'loan_above_limit',
        'loan_term_invalid',
        'loan_open',
        'verification_required',
      ],
      summary: 'Apply for a loan',
      description: 'The decision takes seconds. Only one application or loan may be open at a time.',
      body: loanApplicationRequest,
      response: loanApplicationResponse,
      responseDescription: 'Its id',
    },
    async (c) => {
      await countCustomer(c.http, APPLYING)
      return await applyForLoan(c.deps, c.customer, c.body, c.key)
    },
  )
  .get(
    '/loan-applications/{id}',
    {
      summary: 'An application, with its decision and its offer',
      response: loanApplication,
      responseDescription: 'As of now',
    },
    (c) => readApplication(c.deps, c.customer.id, c.id),
  )
  .post(
    '/loan-applications/{id}/withdraw',
    { key: 'none', refuses: ['loan_not_offered'], summary: 'Withdraw an application, or decline its offer' },
    async (c) => {
      await withdrawApplication(c.deps, c.customer.id, c.id)
    },
  )
  .post(
    '/loan-applications/{id}/accept',
    {
      money: true,
      proof: true,
      refuses: [
        'loan_not_offered',
        'loan_offer_expired',
        'loan_limit_fell',
        'verification_required',
        ...POSTING_REFUSALS,
      ],
      summary: 'Accept an offer',
      description: `The loan is paid out to your current account right away. ${LATE_FEE}`,
      response: acceptedLoan,
      responseDescription: 'The new loan',
    },
    async (c) => {
      const applicationId = c.id
      const [deps, customer] = [c.deps, c.customer]
      const id = await moveOnce(c.http, (key) => acceptOffer(deps, customer, applicationId, key))
      return await readAccepted(deps, customer.id, id)
    },
  )
  .get(
    '/loans/{id}',
    {
      summary: 'A loan, with its schedule and its payments',
      response: loanDetails,
      responseDescription: 'As of now',
    },
    (c) => loanDetailsOf(c.deps, c.customer.id, c.id),
  )
  .post(
    // The money pays the customer's own debt within the bank, so no confirmation is required.
    '/loans/{id}/payments',
    {
      money: true,
      refuses: ['loan_not_open', 'loan_overpaid', 'loan_payment_too_small', ...POSTING_REFUSALS],
      summary: 'Make an extra payment on a loan',
      description: 'It pays interest up to today first, then fees, then the principal. The installment stays the same.',
      body: loanPaymentRequest,
      response: loanPaymentResult,
      responseDescription: 'The payment',
    },
    async (c) => {
      const [loanId, { amountMinor }] = [c.id, c.body]
      return await paid(c.http, (deps, customer, key) => payExtra(deps, customer, loanId, amountMinor, key))
    },
  )
  .post(
    '/loans/{id}/early-settlement',
    {
      money: true,
      refuses: ['loan_not_open', 'loan_quote_expired', ...POSTING_REFUSALS],
      summary: 'Repay a whole loan early, as quoted',
      body: earlySettlementRequest,
      response: loanPaymentResult,
      responseDescription: 'The payment',
    },
    async (c) => {
      const [loanId, quoteId] = [c.id, readId(c.body.quoteId)]
      return await paid(c.http, (deps, customer, key) => settleEarly(deps, customer, loanId, quoteId, key))
    },
  )
  .post(
    '/loans/{id}/withdrawal',
    {
      money: true,
      refuses: ['loan_not_open', 'loan_terms_changed', 'loan_withdrawal_over', ...POSTING_REFUSALS],
      summary: 'Withdraw from a loan within 14 days',
      description:
        'You pay back the principal, and interest up to today. The amount is `owed` in the response about the loan.',
      body: loanWithdrawalRequest,
      response: loanPaymentResult,
      responseDescription: 'The payment',
    },
    async (c) => {
      const [loanId, { amountMinor }] = [c.id, c.body]
      const withdraw = (deps: Deps, customer: Customer, key: RequestKey) =>
        withdrawFromLoan(deps, customer, loanId, amountMinor, key)
      return await paid(c.http, withdraw)
    },
  )
  .get(
    '/loans/{id}/pause',
    {
      refuses: ['loan_not_open', 'loan_pause_recent', 'loan_pause_late'],
      summary: 'The terms of each possible pause',
      description: 'For one, two and three months: the next and the last installment, and the total cost.',
      response: loanPauseOptions,
      responseDescription: 'As of now',
    },
    (c) => pauseOptions(c.deps, c.customer.id, c.id),
  )
  .post(
    '/loans/{id}/pause',
    {
      refuses: ['loan_not_open', 'loan_pause_recent', 'loan_pause_late', 'loan_terms_changed'],
      summary: 'Pause the installments of a loan',
      description:
        'A pause lasts one to three months and is possible once in 12 months. Interest accrues meanwhile. Send the terms that were shown; if they have changed, the pause is refused.',
      body: loanPauseRequest,
      response: loanPauseTerms,
      responseDescription: 'The terms of the pause',
    },
    async (c) => {
      const [loanId, pause] = [c.id, c.body]
      const request = { customerId: c.customer.id, loanId, pause, key: c.key }
      return await pauseLoan(c.deps, request)
    },
  )
  .get(
    '/loans/{id}/statement',
    {
      load: 'slow',
      summary: 'Download a statement of a loan',
      description: 'A PDF in your language: the terms, the payments, and the remaining installments.',
      responses: pdfResponse('A PDF file'),
    },
    async (c) => {
      const [deps, customer] = [await fromReplica(c.deps), c.customer]
      const loan = await loanDetailsOf(deps, customer.id, c.id)
      const content = await makeLoanStatement(deps, customer, loan, recipientOf(c.http))
      return sendFile(c.http, { content, mediaType: PDF, name: `Alder-loan-${loan.disbursedOn}.pdf` })
    },
  )
