import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import {
  claim,
  claimResponse,
  contactAddress,
  contactList,
  contactMark,
  CONTACTS_MOST,
  contactSearch,
  contactsFound,
  type SendRequest,
  sendRequest,
  sendResponse,
} from '#contract/payments.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { defineRoute, type FoundCustomer, router } from '#server/identity/access/route.ts'
import { visitorIn } from '#server/identity/access/session.ts'
import { cancelTransfer, claimPayment, readClaim } from '#server/payments/claims.ts'
import { markContact, recentContacts, removeContact, searchContacts } from '#server/payments/contacts.ts'
import { findParties, type Parties } from '#server/payments/parties.ts'
import { sendMoney } from '#server/payments/service.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { isUuid } from '#server/platform/uuid.ts'

const tags = ['Payments']
const tokenParam = z.object({ token: z.string().max(200) })

declare module '#server/platform/http/context.ts' {
  interface ApiVariables {
    /** Who takes part in a payment, on the route that sends one. */
    parties: Parties
  }
}

async function findSender(c: Context<ApiEnv>): Promise<FoundCustomer | null> {
  const deps = c.get('deps')
  const { recipient } = c.req.valid('json' as never) as SendRequest
  const parties = await findParties(deps, c.get('session'), recipient)
  if (!parties) return null
  c.set('parties', parties)
  return { customer: parties.sender, asksForProof: deps.policy.stepUp === 'always' || parties.senderHasTwoFactor }
}

const send = defineRoute({
  method: 'post',
  path: '/transfers',
  needs: { money: true, proof: true, findCustomer: findSender },
  summary: 'Send money',
  description:
    'To a customer the money goes right away. For anyone else it is set aside for seven days: the transaction is pending, and an email recipient is mailed a link to claim it.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: sendRequest } } } },
  responses: {
    200: { description: 'The sender’s transaction', content: { 'application/json': { schema: sendResponse } } },
  },
})

const cancel = defineRoute({
  method: 'post',
  path: '/transfers/{operationId}/cancel',
  needs: { money: true },
  summary: 'Take back money that nobody has claimed',
  tags,
  request: { params: z.object({ operationId: z.string().max(100) }) },
  responses: {
    200: { description: 'The transaction, returned', content: { 'application/json': { schema: sendResponse } } },
  },
})

const contacts = defineRoute({
  method: 'get',
  path: '/contacts',
  summary: 'Whom you sent money to, favourites first, then the latest',
  tags,
  responses: { 200: { description: 'At most 20', content: { 'application/json': { schema: contactList } } } },
})

const findContacts = defineRoute({
  method: 'get',
  path: '/contacts/search',
  summary: 'All whom you sent money to, or those whose name or address has a text in it',
  tags,
  request: { query: contactSearch },
  responses: {
    200: {
      description: `At most ${CONTACTS_MOST}`,
      content: { 'application/json': { schema: contactsFound } },
    },
  },
})

const mark = defineRoute({
  method: 'post',
  path: '/contacts/mark',
  needs: { key: 'none' },
  summary: 'Make a contact a favourite, or no longer one',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: contactMark } } } },
  responses: { 204: { description: 'Done' } },
})

const remove = defineRoute({
  method: 'post',
  path: '/contacts/remove',
  needs: { key: 'none' },
  summary: 'Take a contact off your list',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: contactAddress } } } },
  responses: { 204: { description: 'Done' } },
})

const readLink = defineRoute({
  method: 'get',
  path: '/claims/{token}',
  needs: { caller: 'anybody' },
  summary: 'What a claim link is worth',
  tags,
  request: { params: tokenParam },
  responses: { 200: { description: 'The payment', content: { 'application/json': { schema: claim } } } },
})

const takeLink = defineRoute({
  method: 'post',
  path: '/claims/{token}',
  needs: { money: true },
  summary: 'Take the money of a claim link',
  tags,
  request: { params: tokenParam },
  responses: { 200: { description: 'Your transaction', content: { 'application/json': { schema: claimResponse } } } },
})

export const paymentRoutes = router()
  .openapi(send, async (c) => {
    const deps = c.get('deps')
    const body = c.req.valid('json')
    const parties = c.get('parties')
    const transaction = await moveMoney(
      c,
      (key) => sendMoney(deps, parties, body, key),
      (booked) => transactionOfBooked(booked, parties.sender.currentAccountId),
    )
    return c.json({ transaction }, 200)
  })
  .openapi(cancel, async (c) => {
    const customer = c.get('customer')
    const operationId = c.req.valid('param').operationId.toLowerCase()
    if (!isUuid(operationId)) throw new Refusal('transaction_not_found')
    const transaction = await moveMoney(
      c,
      (key) => cancelTransfer(c.get('deps'), customer, operationId, key),
      (booked) => transactionOfBooked(booked, customer.currentAccountId),
    )
    return c.json({ transaction }, 200)
  })
  .openapi(contacts, async (c) => {
    const deps = c.get('deps')
    const offered = await recentContacts(deps, c.get('customer').id)
    return c.json({ contacts: offered, askAboveMinor: deps.policy.askAboveMinor }, 200)
  })
  .openapi(findContacts, async (c) => {
    return c.json(await searchContacts(c.get('deps'), c.get('customer').id, c.req.valid('query').q), 200)
  })
  .openapi(mark, async (c) => {
    await markContact(c.get('deps'), c.get('customer').id, c.req.valid('json'))
    return c.body(null, 204)
  })
  .openapi(remove, async (c) => {
    await removeContact(c.get('deps'), c.get('customer').id, c.req.valid('json').email)
    return c.body(null, 204)
  })
  .openapi(readLink, async (c) => {
    const reader = await visitorIn(c)
    return c.json(await readClaim(c.get('deps'), c.req.valid('param').token, reader?.customer ?? null), 200)
  })
  .openapi(takeLink, async (c) => {
    const customer = c.get('customer')
    const { token } = c.req.valid('param')
    const transaction = await moveMoney(
      c,
      (key) => claimPayment(c.get('deps'), customer, token, key),
      (booked) => transactionOfBooked(booked, customer.currentAccountId),
    )
    return c.json({ transaction }, 200)
  })
