import { z } from '@hono/zod-openapi'
import { claimBackResponse, mandateDecision, mandateList, mandateResponse } from '#contract/direct-debits.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import { claimBack } from '#server/direct-debits/collections.ts'
import { cancelMandate, decideMandate, mandatesOf } from '#server/direct-debits/mandates.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'

const tags = ['Direct debits']
const idParam = z.object({ id: z.string().max(100).toLowerCase() })
const mandateAnswer = {
  200: { description: 'The mandate', content: { 'application/json': { schema: mandateResponse } } },
}

const getMandates = defineRoute({
  method: 'get',
  path: '/mandates',
  summary: 'Who collects, or asks to collect, from your account',
  tags,
  responses: { 200: { description: 'Requests first', content: { 'application/json': { schema: mandateList } } } },
})

const postDecision = defineRoute({
  method: 'post',
  path: '/mandates/{id}/decision',
  needs: { proof: true },
  summary: 'Approve or decline what a biller asks for',
  tags,
  request: {
    params: idParam,
    body: { required: true, content: { 'application/json': { schema: mandateDecision } } },
  },
  responses: mandateAnswer,
})

const postCancel = defineRoute({
  method: 'post',
  path: '/mandates/{id}/cancel',
  needs: { key: 'none' },
  summary: 'Stop a biller from collecting',
  description: 'What it has announced is not collected either.',
  tags,
  request: { params: idParam },
  responses: mandateAnswer,
})

const postClaimBack = defineRoute({
  method: 'post',
  path: '/direct-debits/{id}/claim-back',
  needs: { money: true },
  summary: 'Claim a direct debit back',
  description: 'Within eight weeks of the payment, without a reason.',
  tags,
  request: { params: idParam },
  responses: {
    200: { description: 'The money, back', content: { 'application/json': { schema: claimBackResponse } } },
  },
})

export const directDebitRoutes = router({ live: true })
  .openapi(getMandates, async (c) => {
    return c.json({ mandates: await mandatesOf(c.get('deps'), c.get('customer').id) }, 200)
  })
  .openapi(postDecision, async (c) => {
    const decided = { ...c.req.valid('param'), ...c.req.valid('json') }
    return c.json({ mandate: await decideMandate(c.get('deps'), c.get('customer'), decided, c.get('key')) }, 200)
  })
  .openapi(postCancel, async (c) => {
    return c.json({ mandate: await cancelMandate(c.get('deps'), c.get('customer').id, c.req.valid('param').id) }, 200)
  })
  .openapi(postClaimBack, async (c) => {
    const customer = c.get('customer')
    const { id } = c.req.valid('param')
    const transaction = await moveMoney(
      c,
      (key) => claimBack(c.get('deps'), customer, id, key),
      (booked) => transactionOfBooked(booked, customer.currentAccountId),
    )
    return c.json({ transaction }, 200)
  })
