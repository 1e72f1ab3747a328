import type { Context } from 'hono'
import { LOAN_TERMS } from '#contract/loan-terms.ts'
import {
  earlySettlementRequest,
  loanAccepted,
  loanApplication,
  loanApplicationRequest,
  loanApplied,
  loanDetails,
  loanOverview,
  loanPaid,
  type LoanPaid,
  loanPauseOptions,
  loanPauseRequest,
  loanPauseTerms,
  loanPaymentRequest,
  loanWithdrawalRequest,
  preApproval,
  settlementQuote,
} from '#contract/loans.ts'
import { countCustomer } from '#server/identity/access/limit.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { routes } from '#server/identity/access/route.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { preApprovalOf } from '#server/loans/credit/standing.ts'
import { acceptOffer } from '#server/loans/offers/accept.ts'
import { applyForLoan, withdrawApplication } from '#server/loans/offers/apply.ts'
import { loanDetails as loanDetailsOf } from '#server/loans/reading/details.ts'
import { loanOverview as loanOverviewOf, readApplication } from '#server/loans/reading/overview.ts'
import { readAccepted, readPaid } from '#server/loans/reading/paid.ts'
import { pauseLoan } from '#server/loans/repaying/pause.ts'
import { pauseOptions } from '#server/loans/repaying/pause-terms.ts'
import { payExtra, settleEarly, withdrawFromLoan } from '#server/loans/repaying/payments.ts'
import { quoteSettlement } from '#server/loans/repaying/quotes.ts'
import { makeStatement } from '#server/loans/statement/statement.ts'
import type { Deps } from '#server/platform/deps.ts'
import { fromReplica } from '#server/platform/db/replica.ts'
import { recipientOf } from '#server/platform/http/recipient.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { readId } from '#server/platform/http/id-param.ts'
import { POSTING_REFUSALS } from '#server/ledger/types.ts'
import { PDF, pdfFile, sendFile } from '#server/platform/http/described.ts'

const LATE_FEE = `An instalment that is more than ${LOAN_TERMS.lateAfterDays} days late costs ${LOAN_TERMS.lateFeeBps / 100}% of what is missing of it, $${LOAN_TERMS.lateFeeMostMinor / 100} at most.`

/** Moves money once; a repetition is answered with the same id, also where it would be refused by now. */
const moveOnce = (c: Context<ApiEnv>, move: (key: RequestKey) => Promise<string>): Promise<string> =>
  moveMoney(c, move, (booked) => booked.id)

/** Pays on a loan, and answers what was paid. */
async function paid(
  c: Context<ApiEnv>,
  pay: (deps: Deps, customer: Customer, key: RequestKey) => Promise<string>,
): Promise<LoanPaid> {
  const [deps, customer] = [c.get('deps'), c.get('customer')]
  return readPaid(deps, customer.id, await moveOnce(c, (key) => pay(deps, customer, key)))
}

/** An application is kept for good: so many in an hour for one customer. */
const APPLYING = { name: 'loan-apply', points: 20, seconds: 60 * 60 }

// A quote changes nothing that stands on a screen, which would ask for it again.
const quotes = routes('Loans').post(
  '/loans/{id}/quotes',
  {
    key: 'none',
    refuses: ['loan_not_open'],
    summary: 'What settles a loan today',
    description: 'Good until the day ends, or until something else is paid on the loan.',
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
      summary: 'Your credit score, and how much you can borrow',
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
      description: 'It is decided within seconds. One application or loan may be open at a time.',
      body: loanApplicationRequest,
      response: loanApplied,
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
      summary: 'An application, how it was decided, and what is offered',
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
      response: loanAccepted,
      responseDescription: 'The loan that it became',
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
      summary: 'A loan, with its schedule and what was paid',
      response: loanDetails,
      responseDescription: 'As of now',
    },
    (c) => loanDetailsOf(c.deps, c.customer.id, c.id),
  )
  .post(
    // Money stays in the bank, and with the customer's own debt: no proof is asked for.
    '/loans/{id}/payments',
    {
      money: true,
      refuses: ['loan_not_open', 'loan_overpaid', 'loan_payment_too_small', ...POSTING_REFUSALS],
      summary: 'Pay something extra on a loan',
      description: 'It pays interest up to today first, then fees, then the principal. The instalment stays as it is.',
      body: loanPaymentRequest,
      response: loanPaid,
      responseDescription: 'What was paid',
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
      summary: 'Repay all of a loan early, as quoted',
      body: earlySettlementRequest,
      response: loanPaid,
      responseDescription: 'What was paid',
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
      description: 'You pay back the principal, and interest up to today: what `owed` of the loan said.',
      body: loanWithdrawalRequest,
      response: loanPaid,
      responseDescription: 'What was paid',
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
      summary: 'What a pause would come to',
      description: 'For one, two and three months: the next and the last instalment, and what it costs in all.',
      response: loanPauseOptions,
      responseDescription: 'As of now',
    },
    (c) => pauseOptions(c.deps, c.customer.id, c.id),
  )
  .post(
    '/loans/{id}/pause',
    {
      refuses: ['loan_not_open', 'loan_pause_recent', 'loan_pause_late', 'loan_terms_changed'],
      summary: 'Pause the instalments of a loan',
      description:
        'For one to three months, once in 12 months. Interest accrues meanwhile. Send the terms that were shown: where they have changed, nothing is paused.',
      body: loanPauseRequest,
      response: loanPauseTerms,
      responseDescription: 'What it comes to',
    },
    async (c) => {
      const [loanId, pause] = [c.id, c.body]
      const asked = { customerId: c.customer.id, loanId, pause, key: c.key }
      return await pauseLoan(c.deps, asked)
    },
  )
  .get(
    '/loans/{id}/statement',
    {
      load: 'slow',
      summary: 'A statement of a loan to keep',
      description: 'A PDF in your language: the terms, what was paid, and what is still to be paid.',
      responses: pdfFile('A PDF file'),
    },
    async (c) => {
      const [deps, customer] = [await fromReplica(c.deps), c.customer]
      const loan = await loanDetailsOf(deps, customer.id, c.id)
      const content = await makeStatement(deps, customer, loan, recipientOf(c.http))
      return sendFile(c.http, { content, mediaType: PDF, name: `Alder-loan-${loan.disbursedOn}.pdf` })
    },
  )
