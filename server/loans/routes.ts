import { z } from '@hono/zod-openapi'
import {
  earlySettlementRequest,
  loanAccepted,
  loanApplication,
  loanApplicationRequest,
  loanApplied,
  loanDetails,
  loanOverview,
  loanPaid,
  loanPaused,
  loanPauseRequest,
  loanPaymentRequest,
  preApproval,
  settlementQuote,
} from '#contract/loans.ts'
import { Refusal } from '#contract/errors.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { idParam } from '#server/platform/http/id-param.ts'

const tags = ['Loans']

const json = <Schema extends z.ZodType>(schema: Schema) => ({ content: { 'application/json': { schema } } })
const body = <Schema extends z.ZodType>(schema: Schema) => ({ required: true, ...json(schema) })
const answers = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  200: { description, ...json(schema) },
})
const done = { 204: { description: 'It is so now' } }

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
  description: 'The loan is paid out to your current account at once.',
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
  description: 'You pay back the principal, and interest up to today.',
  tags,
  request: { params: idParam },
  responses: answers('What was paid', loanPaid),
})

const postPause = defineRoute({
  method: 'post',
  path: '/loans/{id}/pause',
  summary: 'Pause the instalments of a loan',
  description: 'For one to three months, once in 12 months. Interest accrues meanwhile.',
  tags,
  request: { params: idParam, body: body(loanPauseRequest) },
  responses: answers('When the next and the last instalment are due', loanPaused),
})

const getStatement = defineRoute({
  method: 'get',
  path: '/loans/{id}/statement',
  summary: 'A statement of a loan to keep',
  description: 'A PDF in your language: the terms, what was paid, and what is still to be paid.',
  tags,
  request: { params: idParam },
  responses: { 200: { description: 'A PDF file', content: { 'application/pdf': { schema: z.string() } } } },
})

function unfinished(): never {
  throw new Refusal('unavailable')
}

export function loanRoutes() {
  return router({ live: true })
    .openapi(getOverview, unfinished)
    .openapi(getPreApproval, unfinished)
    .openapi(postApplication, unfinished)
    .openapi(getApplication, unfinished)
    .openapi(postApplicationWithdrawal, unfinished)
    .openapi(postAcceptance, unfinished)
    .openapi(getLoan, unfinished)
    .openapi(postPayment, unfinished)
    .openapi(postQuote, unfinished)
    .openapi(postSettlement, unfinished)
    .openapi(postWithdrawal, unfinished)
    .openapi(postPause, unfinished)
    .openapi(getStatement, unfinished)
}
