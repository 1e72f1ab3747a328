import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import {
  claim,
  claimResponse,
  contactAddress,
  contactList,
  contactMark,
  MAX_CONTACTS,
  contactSearch,
  contactSearchResponse,
  type SendRequest,
  sendRequest,
  sendResponse,
} from '#contract/payments.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { type FoundCustomer, routes } from '#server/identity/access/route.ts'
import { visitorIn } from '#server/identity/access/session.ts'
import { cancelTransfer, claimPayment, readClaim } from '#server/payments/claims.ts'
import { markContact, recentContacts, removeContact, searchContacts } from '#server/payments/contacts.ts'
import { findParties, type Parties } from '#server/payments/parties.ts'
import { sendMoney } from '#server/payments/service.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { isUuid } from '#server/platform/uuid.ts'
import { PAYMENT_REFUSALS } from '#server/limits/service.ts'

const tokenParam = z.object({ token: z.string().max(200) })

declare module '#server/platform/http/context.ts' {
  interface ApiVariables {
    /** The participants of a payment, on the route that sends one. */
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

export const paymentRoutes = routes('Payments')
  .post(
    '/transfers',
    {
      money: true,
      proof: true,
      findCustomer: findSender,
      refuses: ['recipient_is_self', ...PAYMENT_REFUSALS],
      summary: 'Send money',
      description:
        'A customer receives the money at once. For other recipients it is held for seven days: the transaction is pending, and an email recipient gets a link to claim it.',
      body: sendRequest,
      response: sendResponse,
      responseDescription: 'The sender’s transaction',
    },
    async (c) => {
      const deps = c.deps
      const body = c.body
      const parties = c.http.get('parties')
      const transaction = await moveMoney(
        c.http,
        (key) => sendMoney(deps, parties, body, key),
        (booked) => transactionOfBooked(booked, parties.sender.currentAccountId),
      )
      return { transaction }
    },
  )
  .post(
    '/transfers/{operationId}/cancel',
    {
      money: true,
      refuses: ['transaction_not_found', 'claim_not_open'],
      summary: 'Cancel a payment that was not claimed',
      params: z.object({ operationId: z.string().max(100) }),
      response: sendResponse,
      responseDescription: 'The transaction, returned',
    },
    async (c) => {
      const customer = c.customer
      const operationId = c.params.operationId.toLowerCase()
      if (!isUuid(operationId)) throw new Refusal('transaction_not_found')
      const transaction = await moveMoney(
        c.http,
        (key) => cancelTransfer(c.deps, customer, operationId, key),
        (booked) => transactionOfBooked(booked, customer.currentAccountId),
      )
      return { transaction }
    },
  )
  .get(
    '/contacts',
    {
      summary: 'The people you sent money to, favorites first, then the latest',
      response: contactList,
      responseDescription: 'At most 20',
    },
    async (c) => {
      const deps = c.deps
      const offered = await recentContacts(deps, c.customer.id)
      return { contacts: offered, reviewAboveMinor: deps.policy.reviewAboveMinor }
    },
  )
  .get(
    '/contacts/search',
    {
      summary: 'All people you sent money to, or those whose name or address contains a text',
      query: contactSearch,
      response: contactSearchResponse,
      responseDescription: `At most ${MAX_CONTACTS}`,
    },
    (c) => searchContacts(c.deps, c.customer.id, c.query.q),
  )
  .post(
    '/contacts/mark',
    { key: 'none', refuses: ['not_found'], summary: 'Mark or unmark a contact as a favorite', body: contactMark },
    async (c) => {
      await markContact(c.deps, c.customer.id, c.body)
    },
  )
  .post(
    '/contacts/remove',
    { key: 'none', refuses: ['not_found'], summary: 'Remove a contact from your list', body: contactAddress },
    async (c) => {
      await removeContact(c.deps, c.customer.id, c.body.email)
    },
  )
  .get(
    '/claims/{token}',
    {
      caller: 'anybody',
      refuses: ['claim_not_found'],
      summary: 'The payment of a claim link',
      params: tokenParam,
      response: claim,
      responseDescription: 'The payment',
    },
    async (c) => {
      const reader = await visitorIn(c.http)
      return await readClaim(c.deps, c.params.token, reader?.customer ?? null)
    },
  )
  .post(
    '/claims/{token}',
    {
      money: true,
      refuses: ['claim_not_found', 'claim_is_own', 'claim_not_open', 'balance_limit_reached', 'account_closed'],
      summary: 'Claim the money of a link',
      params: tokenParam,
      response: claimResponse,
      responseDescription: 'Your transaction',
    },
    async (c) => {
      const customer = c.customer
      const { token } = c.params
      const transaction = await moveMoney(
        c.http,
        (key) => claimPayment(c.deps, customer, token, key),
        (booked) => transactionOfBooked(booked, customer.currentAccountId),
      )
      return { transaction }
    },
  )
