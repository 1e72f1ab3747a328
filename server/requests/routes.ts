import { z } from '@hono/zod-openapi'
import { sendResponse } from '#contract/payments.ts'
import {
  blockedRequesters,
  linkedRequest,
  newRequest,
  requestBlock,
  requestDetail,
  requestList,
  requestPayment,
  requestResponse,
} from '#contract/requests.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { routes } from '#server/identity/access/route.ts'
import { createRequest, remindPayer } from '#server/requests/create-request.ts'
import { blockRequester, unblockRequester } from '#server/requests/blocks.ts'
import { cancelRequest, declineRequest } from '#server/requests/end-request.ts'
import { PAYING_REFUSALS, payRequest } from '#server/requests/pay.ts'
import {
  listBlockedRequesters,
  findLinked,
  findReceived,
  readLinked,
  readMoneyRequest,
  requestsOf,
} from '#server/requests/read.ts'

const tokenParam = z.object({ token: z.string().max(200) })
const blockRoutes = routes('Requests')
  .post(
    '/money-requests/{id}/block',
    {
      summary: 'Block the person who made a request',
      description:
        'You no longer see their requests. They do not learn about the block. A reported request is kept for the bank.',
      body: requestBlock,
      response: blockedRequesters,
      responseDescription: 'The people you block now',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      await blockRequester(deps, customer, c.params.id, c.body, c.key)
      return { blocked: await listBlockedRequesters(deps, customer.id) }
    },
  )
  .delete(
    '/request-blocks/{id}',
    {
      summary: 'See someone’s requests again',
      response: blockedRequesters,
      responseDescription: 'The people you block now',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      await unblockRequester(deps, customer.id, c.params.id)
      return { blocked: await listBlockedRequesters(deps, customer.id) }
    },
  )

const payRoutes = routes('Requests')
  .post(
    '/money-requests/{id}/payments',
    {
      money: true,
      proof: true,
      refuses: [...PAYING_REFUSALS],
      summary: 'Pay a request, or a part of it',
      body: requestPayment,
      response: sendResponse,
      responseDescription: 'The payer’s transaction',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      const transaction = await moveMoney(
        c.http,
        async (key) => {
          const request = await findReceived(deps.db, customer.id, c.params.id)
          return payRequest(deps, customer, request, c.body.amountMinor, key)
        },
        (booked) => transactionOfBooked(booked, customer.currentAccountId),
      )
      return { transaction }
    },
  )
  .get(
    '/request-links/{token}',
    {
      refuses: ['request_link_not_found'],
      summary: 'The request behind a link',
      params: tokenParam,
      response: linkedRequest,
      responseDescription: 'The request',
    },
    (c) => readLinked(c.deps, c.customer.id, c.params.token),
  )
  .post(
    '/request-links/{token}/payments',
    {
      money: true,
      proof: true,
      refuses: ['request_link_not_found', ...PAYING_REFUSALS],
      summary: 'Pay the request behind a link, or a part of it',
      params: tokenParam,
      body: requestPayment,
      response: sendResponse,
      responseDescription: 'The payer’s transaction',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      const transaction = await moveMoney(
        c.http,
        async (key) => {
          const request = await findLinked(deps, customer.id, c.params.token)
          return payRequest(deps, customer, request, c.body.amountMinor, key)
        },
        (booked) => transactionOfBooked(booked, customer.currentAccountId),
      )
      return { transaction }
    },
  )

/** The response of every route that changes a request. */
const asItIsNow = { response: requestResponse, responseDescription: 'The request as it is now' } as const

export const requestRoutes = routes('Requests')
  .get(
    '/money-requests',
    {
      summary: 'The requests you received, and those you sent',
      response: requestList,
      responseDescription: 'All open requests, the latest others, and the people you have blocked',
    },
    (c) => requestsOf(c.deps, c.customer.id),
  )
  .post(
    '/money-requests',
    {
      refuses: ['request_to_self', 'amount_too_large'],
      summary: 'Request money from someone, or create a link that anyone can pay',
      description:
        'A customer is notified in the app. A person with an email address who is not a customer gets a mail with a link. The response does not reveal which of the two happened. Without a recipient, the request is a link to share. It can be paid for 14 days.',
      body: newRequest,
      ...asItIsNow,
    },
    async (c) => ({ request: await createRequest(c.deps, c.customer, c.body, c.key) }),
  )
  .get(
    '/money-requests/{id}',
    { summary: 'A request with its history', response: requestDetail, responseDescription: 'The request' },
    (c) => readMoneyRequest(c.deps, c.customer.id, c.params.id),
  )
  .post(
    '/money-requests/{id}/decline',
    {
      refuses: ['request_not_open'],
      summary: 'Decline a request',
      ...asItIsNow,
    },
    async (c) => ({ request: await declineRequest(c.deps, c.customer, c.params.id, c.key) }),
  )
  .post(
    '/money-requests/{id}/cancel',
    {
      refuses: ['request_not_open'],
      summary: 'Cancel a request',
      ...asItIsNow,
    },
    async (c) => ({ request: await cancelRequest(c.deps, c.customer, c.params.id, c.key) }),
  )
  .post(
    '/money-requests/{id}/reminders',
    {
      refuses: ['request_not_open', 'reminded_today'],
      summary: 'Remind the person you requested money from, once a day',
      ...asItIsNow,
    },
    async (c) => ({ request: await remindPayer(c.deps, c.customer, c.params.id, c.key) }),
  )
  .mount(payRoutes)
  .mount(blockRoutes)
