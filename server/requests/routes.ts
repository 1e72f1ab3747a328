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
import { createRequest, remindPayer } from '#server/requests/ask.ts'
import { blockRequester, unblockRequester } from '#server/requests/blocks.ts'
import { cancelRequest, declineRequest } from '#server/requests/end.ts'
import { PAYING_REFUSALS, payRequest } from '#server/requests/pay.ts'
import { blockedBy, findLinked, findReceived, readLinked, readRequest, requestsOf } from '#server/requests/read.ts'

const tokenParam = z.object({ token: z.string().max(200) })
const blockRoutes = routes('Requests')
  .post(
    '/money-requests/{id}/block',
    {
      summary: 'Block whoever asked',
      description:
        'You see no requests of theirs, and they are not told. A request that is reported is kept for the bank.',
      body: requestBlock,
      response: blockedRequesters,
      responseDescription: 'Whom you block now',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      await blockRequester(deps, customer, c.params.id, c.body, c.key)
      return { blocked: await blockedBy(deps, customer.id) }
    },
  )
  .delete(
    '/request-blocks/{id}',
    { summary: 'See someone’s requests again', response: blockedRequesters, responseDescription: 'Whom you block now' },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      await unblockRequester(deps, customer.id, c.params.id)
      return { blocked: await blockedBy(deps, customer.id) }
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
      summary: 'What a request’s link asks for',
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
      summary: 'Pay what a link asks for, or a part of it',
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

/** What everything that changes a request answers. */
const asItIsNow = { response: requestResponse, responseDescription: 'The request as it is now' } as const

export const requestRoutes = routes('Requests')
  .get(
    '/money-requests',
    {
      summary: 'What you are asked for, and what you ask others for',
      response: requestList,
      responseDescription: 'All that are open, the latest others, and whom you have blocked',
    },
    (c) => requestsOf(c.deps, c.customer.id),
  )
  .post(
    '/money-requests',
    {
      refuses: ['request_to_self', 'amount_too_large'],
      summary: 'Ask someone for money, or make a link that asks anyone',
      description:
        'A customer is told in the app. Anybody else with an email is mailed a link. Which of the two it was is not said. Without a recipient it is a link to share. It may be paid for 14 days.',
      body: newRequest,
      ...asItIsNow,
    },
    async (c) => ({ request: await createRequest(c.deps, c.customer, c.body, c.key) }),
  )
  .get(
    '/money-requests/{id}',
    { summary: 'A request, and what happened to it', response: requestDetail, responseDescription: 'The request' },
    (c) => readRequest(c.deps, c.customer.id, c.params.id),
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
      summary: 'Take back a request',
      ...asItIsNow,
    },
    async (c) => ({ request: await cancelRequest(c.deps, c.customer, c.params.id, c.key) }),
  )
  .post(
    '/money-requests/{id}/reminders',
    {
      refuses: ['request_not_open', 'reminded_today'],
      summary: 'Remind whoever you asked, once a day',
      ...asItIsNow,
    },
    async (c) => ({ request: await remindPayer(c.deps, c.customer, c.params.id, c.key) }),
  )
  .mount(payRoutes)
  .mount(blockRoutes)
