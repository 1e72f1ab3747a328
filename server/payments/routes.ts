import { createRoute, z } from '@hono/zod-openapi'
import { Refusal } from '#contract/errors.ts'
import { claim, claimResponse, contactList, sendRequest, sendResponse } from '#contract/payments.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import { wholeAmounts } from '#server/platform/http/amounts.ts'
import { idempotent } from '#server/platform/http/idempotency.ts'
import { idempotencyKey } from '#server/platform/http/openapi.ts'
import { router } from '#server/platform/http/router.ts'
import { visitorIn } from '#server/identity/access/session.ts'
import { requireStepUp, stepUpParameter } from '#server/identity/access/step-up.ts'
import { cancelTransfer, claimPayment, readClaim } from '#server/payments/claims.ts'
import { recentContacts } from '#server/payments/contacts.ts'
import { findParties } from '#server/payments/parties.ts'
import { sendMoney } from '#server/payments/service.ts'

const tags = ['Payments']
const tokenParam = z.object({ token: z.string().max(200) })

const send = createRoute({
  method: 'post',
  path: '/transfers',
  summary: 'Send money',
  description:
    'To a customer the money goes at once. For anyone else it is set aside for seven days: the transaction is pending, and an email recipient is mailed a link to claim it.',
  tags,
  parameters: [...idempotencyKey.parameters, stepUpParameter],
  middleware: wholeAmounts,
  request: { body: { required: true, content: { 'application/json': { schema: sendRequest } } } },
  responses: {
    200: { description: 'The sender’s transaction', content: { 'application/json': { schema: sendResponse } } },
  },
})

const cancel = createRoute({
  method: 'post',
  path: '/transfers/{operationId}/cancel',
  summary: 'Take back money that nobody has claimed',
  tags,
  ...idempotencyKey,
  request: { params: z.object({ operationId: z.string().max(100) }) },
  responses: {
    200: { description: 'The transaction, returned', content: { 'application/json': { schema: sendResponse } } },
  },
})

const contacts = createRoute({
  method: 'get',
  path: '/contacts',
  summary: 'Whom you sent money to, latest first',
  tags,
  responses: { 200: { description: 'At most 20', content: { 'application/json': { schema: contactList } } } },
})

const readLink = createRoute({
  method: 'get',
  path: '/claims/{token}',
  summary: 'What a claim link is worth',
  tags,
  security: [],
  request: { params: tokenParam },
  responses: { 200: { description: 'The payment', content: { 'application/json': { schema: claim } } } },
})

const takeLink = createRoute({
  method: 'post',
  path: '/claims/{token}',
  summary: 'Take the money of a claim link',
  tags,
  ...idempotencyKey,
  request: { params: tokenParam },
  responses: { 200: { description: 'Your transaction', content: { 'application/json': { schema: claimResponse } } } },
})

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const paymentRoutes = router()
  .openapi(send, async (c) => {
    const deps = c.get('deps')
    const body = c.req.valid('json')
    const parties = await findParties(deps, c.get('session'), body.recipient)
    if (!parties) throw new Refusal('sign_in_required')
    const { sender, senderHasTwoFactor } = parties
    c.set('customer', sender)
    const transaction = await idempotent(
      c,
      async (key) => {
        await requireStepUp(c, key, deps.policy.stepUp === 'always' || senderHasTwoFactor)
        return sendMoney(deps, parties, body, key)
      },
      async (booked) => transactionOfBooked(booked, sender.currentAccountId),
    )
    return c.json({ transaction }, 200)
  })
  .openapi(cancel, async (c) => {
    const customer = c.get('customer')
    const operationId = c.req.valid('param').operationId.toLowerCase()
    if (!UUID.test(operationId)) throw new Refusal('transaction_not_found')
    const transaction = await idempotent(
      c,
      (key) => cancelTransfer(c.get('deps'), customer, operationId, key),
      async (booked) => transactionOfBooked(booked, customer.currentAccountId),
    )
    return c.json({ transaction }, 200)
  })
  .openapi(contacts, async (c) => {
    return c.json({ contacts: await recentContacts(c.get('deps'), c.get('customer').id) }, 200)
  })
  .openapi(readLink, async (c) => {
    const reader = await visitorIn(c)
    return c.json(await readClaim(c.get('deps'), c.req.valid('param').token, reader?.customer ?? null), 200)
  })
  .openapi(takeLink, async (c) => {
    const customer = c.get('customer')
    const { token } = c.req.valid('param')
    const transaction = await idempotent(
      c,
      (key) => claimPayment(c.get('deps'), customer, token, key),
      async (booked) => transactionOfBooked(booked, customer.currentAccountId),
    )
    return c.json({ transaction }, 200)
  })
