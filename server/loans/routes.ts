import { z } from '@hono/zod-openapi'
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
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
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
import { recipientOf } from '#server/platform/http/recipient.ts'
import { answers, body, done } from '#server/platform/http/described.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { idParam, readId } from '#server/platform/http/id-param.ts'

const tags = ['Loans']

const LATE_FEE = `An instalment that is more than ${LOAN_TERMS.lateAfterDays} days late costs ${LOAN_TERMS.lateFeeBps / 100}% of what is missing of it, $${LOAN_TERMS.lateFeeMostMinor / 100} at most.`

const getOverview = defineRoute({
  method: 'get',
  path: '/loans',
  summary: 'Your loans, and your latest application',
  tags,
  responses: answers('As of now', loanOverview),
})

const getPreApproval = defineRoute({
  method: 'get',
  path: '/loans/pre-approval',
  summary: 'Your credit score, and how much you can borrow',
  tags,
  responses: answers('As of now', preApproval),
})

const postApplication = defineRoute({
  method: 'post',
  path: '/loans/applications',
  summary: 'Apply for a loan',
  description: 'It is decided within seconds. One application or loan may be open at a time.',
  tags,
  request: { body: body(loanApplicationRequest) },
  responses: answers('Its id', loanApplied),
})

const getApplication = defineRoute({
  method: 'get',
  path: '/loans/applications/{id}',
  summary: 'An application, how it was decided, and what is offered',
  tags,
  request: { params: idParam },
  responses: answers('As of now', loanApplication),
})

const postApplicationWithdrawal = defineRoute({
  method: 'post',
  path: '/loans/applications/{id}/withdraw',
  needs: { key: 'none' },
  summary: 'Withdraw an application, or decline its offer',
  tags,
  request: { params: idParam },
  responses: done,
})

const postAcceptance = defineRoute({
  method: 'post',
  path: '/loans/applications/{id}/accept',
  needs: { money: true, proof: true },
  summary: 'Accept an offer',
  description: `The loan is paid out to your current account right away. ${LATE_FEE}`,
  tags,
  request: { params: idParam },
  responses: answers('The loan that it became', loanAccepted),
})

const getLoan = defineRoute({
  method: 'get',
  path: '/loans/{id}',
  summary: 'A loan, with its schedule and what was paid',
  tags,
  request: { params: idParam },
  responses: answers('As of now', loanDetails),
})

// Money stays in the bank, and with the customer's own debt: no proof is asked for.
const postPayment = defineRoute({
  method: 'post',
  path: '/loans/{id}/payments',
  needs: { money: true },
  summary: 'Pay something extra on a loan',
  description: 'It pays interest up to today first, then fees, then the principal. The instalment stays as it is.',
  tags,
  request: { params: idParam, body: body(loanPaymentRequest) },
  responses: answers('What was paid', loanPaid),
})

const postQuote = defineRoute({
  method: 'post',
  path: '/loans/{id}/quotes',
  needs: { key: 'none' },
  summary: 'What settles a loan today',
  description: 'Good until the day ends, or until something else is paid on the loan.',
  tags,
  request: { params: idParam },
  responses: answers('The quote', settlementQuote),
})

const postSettlement = defineRoute({
  method: 'post',
  path: '/loans/{id}/early-settlement',
  needs: { money: true },
  summary: 'Repay all of a loan early, as quoted',
  tags,
  request: { params: idParam, body: body(earlySettlementRequest) },
  responses: answers('What was paid', loanPaid),
})

const postWithdrawal = defineRoute({
  method: 'post',
  path: '/loans/{id}/withdrawal',
  needs: { money: true },
  summary: 'Withdraw from a loan within 14 days',
  description: 'You pay back the principal, and interest up to today: what `owed` of the loan said.',
  tags,
  request: { params: idParam, body: body(loanWithdrawalRequest) },
  responses: answers('What was paid', loanPaid),
})

const getPause = defineRoute({
  method: 'get',
  path: '/loans/{id}/pause',
  summary: 'What a pause would come to',
  description: 'For one, two and three months: the next and the last instalment, and what it costs in all.',
  tags,
  request: { params: idParam },
  responses: answers('As of now', loanPauseOptions),
})

const postPause = defineRoute({
  method: 'post',
  path: '/loans/{id}/pause',
  summary: 'Pause the instalments of a loan',
  description:
    'For one to three months, once in 12 months. Interest accrues meanwhile. Send the terms that were shown: where they have changed, nothing is paused.',
  tags,
  request: { params: idParam, body: body(loanPauseRequest) },
  responses: answers('What it comes to', loanPauseTerms),
})

const getStatement = defineRoute({
  method: 'get',
  path: '/loans/{id}/statement',
  needs: { load: 'slow' },
  summary: 'A statement of a loan to keep',
  description: 'A PDF in your language: the terms, what was paid, and what is still to be paid.',
  tags,
  request: { params: idParam },
  responses: {
    200: {
      description: 'A PDF file',
      content: { 'application/pdf': { schema: z.string().openapi({ type: 'string', format: 'binary' }) } },
    },
  },
})

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

export function loanRoutes({ limiters }: Pick<Deps, 'limiters'>) {
  const limitApplying = limitByCustomer({ limiters }, APPLYING)
  // A quote changes nothing that stands on a screen, which would ask for it again.
  const quotes = router().openapi(postQuote, async (c) => {
    return c.json(await quoteSettlement(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id)), 200)
  })
  return router({ live: true })
    .route('/', quotes)
    .openapi(getOverview, async (c) => c.json(await loanOverviewOf(c.get('deps'), c.get('customer')), 200))
    .openapi(getPreApproval, async (c) => c.json(await preApprovalOf(c.get('deps'), c.get('customer')), 200))
    .openapi(postApplication, async (c) => {
      await limitApplying(c, async () => undefined)
      return c.json(await applyForLoan(c.get('deps'), c.get('customer'), c.req.valid('json'), c.get('key')), 200)
    })
    .openapi(getApplication, async (c) => {
      return c.json(await readApplication(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id)), 200)
    })
    .openapi(postApplicationWithdrawal, async (c) => {
      await withdrawApplication(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id))
      return c.body(null, 204)
    })
    .openapi(postAcceptance, async (c) => {
      const applicationId = readId(c.req.valid('param').id)
      const [deps, customer] = [c.get('deps'), c.get('customer')]
      const id = await moveOnce(c, (key) => acceptOffer(deps, customer, applicationId, key))
      return c.json(await readAccepted(deps, customer.id, id), 200)
    })
    .openapi(getLoan, async (c) => {
      return c.json(await loanDetailsOf(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id)), 200)
    })
    .openapi(postPayment, async (c) => {
      const [loanId, { amountMinor }] = [readId(c.req.valid('param').id), c.req.valid('json')]
      return c.json(await paid(c, (deps, customer, key) => payExtra(deps, customer, loanId, amountMinor, key)), 200)
    })
    .openapi(postSettlement, async (c) => {
      const [loanId, quoteId] = [readId(c.req.valid('param').id), readId(c.req.valid('json').quoteId)]
      return c.json(await paid(c, (deps, customer, key) => settleEarly(deps, customer, loanId, quoteId, key)), 200)
    })
    .openapi(postWithdrawal, async (c) => {
      const [loanId, { amountMinor }] = [readId(c.req.valid('param').id), c.req.valid('json')]
      const withdraw = (deps: Deps, customer: Customer, key: RequestKey) =>
        withdrawFromLoan(deps, customer, loanId, amountMinor, key)
      return c.json(await paid(c, withdraw), 200)
    })
    .openapi(getPause, async (c) => {
      return c.json(await pauseOptions(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id)), 200)
    })
    .openapi(postPause, async (c) => {
      const [loanId, pause] = [readId(c.req.valid('param').id), c.req.valid('json')]
      const asked = { customerId: c.get('customer').id, loanId, pause, key: c.get('key') }
      return c.json(await pauseLoan(c.get('deps'), asked), 200)
    })
    .openapi(getStatement, async (c) => {
      const [deps, customer] = [c.get('deps'), c.get('customer')]
      const loan = await loanDetailsOf(deps, customer.id, readId(c.req.valid('param').id))
      const pdf = await makeStatement(deps, customer, loan, recipientOf(c))
      return c.body(pdf, 200, {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="Alder-loan-${loan.disbursedOn}.pdf"`,
        'cache-control': 'no-store',
      })
    })
}
