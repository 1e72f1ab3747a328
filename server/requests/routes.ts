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
import { defineRoute, router } from '#server/identity/access/route.ts'
import { createRequest, remindPayer } from '#server/requests/ask.ts'
import { blockRequester, unblockRequester } from '#server/requests/blocks.ts'
import { cancelRequest, declineRequest } from '#server/requests/end.ts'
import { payRequest } from '#server/requests/pay.ts'
import { blockedBy, findLinked, findReceived, readLinked, readRequest, requestsOf } from '#server/requests/read.ts'
import { idParam } from '#server/platform/http/id-param.ts'

const tags = ['Requests']
const tokenParam = z.object({ token: z.string().max(200) })
const paymentBody = { body: { required: true, content: { 'application/json': { schema: requestPayment } } } }
const payment = {
  200: { description: 'The payer’s transaction', content: { 'application/json': { schema: sendResponse } } },
}
const asItIsNow = {
  200: { description: 'The request as it is now', content: { 'application/json': { schema: requestResponse } } },
}

const whomYouBlock = {
  200: { description: 'Whom you block now', content: { 'application/json': { schema: blockedRequesters } } },
}

const list = defineRoute({
  method: 'get',
  path: '/money-requests',
  summary: 'What you are asked for, and what you ask others for',
  tags,
  responses: {
    200: {
      description: 'All that are open, the latest others, and whom you have blocked',
      content: { 'application/json': { schema: requestList } },
    },
  },
})

const create = defineRoute({
  method: 'post',
  path: '/money-requests',
  summary: 'Ask someone for money, or make a link that asks anyone',
  description:
    'A customer is told in the app. Anybody else with an email is mailed a link. Which of the two it was is not said. Without a recipient it is a link to share. It may be paid for 14 days.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: newRequest } } } },
  responses: asItIsNow,
})

const read = defineRoute({
  method: 'get',
  path: '/money-requests/{id}',
  summary: 'A request, and what happened to it',
  tags,
  request: { params: idParam },
  responses: { 200: { description: 'The request', content: { 'application/json': { schema: requestDetail } } } },
})

const pay = defineRoute({
  method: 'post',
  path: '/money-requests/{id}/payments',
  needs: { money: true, proof: true },
  summary: 'Pay a request, or a part of it',
  tags,
  request: { params: idParam, ...paymentBody },
  responses: payment,
})

const decline = defineRoute({
  method: 'post',
  path: '/money-requests/{id}/decline',
  summary: 'Decline a request',
  tags,
  request: { params: idParam },
  responses: asItIsNow,
})

const cancel = defineRoute({
  method: 'post',
  path: '/money-requests/{id}/cancel',
  summary: 'Take back a request',
  tags,
  request: { params: idParam },
  responses: asItIsNow,
})

const remind = defineRoute({
  method: 'post',
  path: '/money-requests/{id}/reminders',
  summary: 'Remind whoever you asked, once a day',
  tags,
  request: { params: idParam },
  responses: asItIsNow,
})

const block = defineRoute({
  method: 'post',
  path: '/money-requests/{id}/block',
  summary: 'Block whoever asked',
  description: 'You see no requests of theirs, and they are not told. A request that is reported is kept for the bank.',
  tags,
  request: {
    params: idParam,
    body: { required: true, content: { 'application/json': { schema: requestBlock } } },
  },
  responses: whomYouBlock,
})

const unblock = defineRoute({
  method: 'delete',
  path: '/request-blocks/{id}',
  summary: 'See someone’s requests again',
  tags,
  request: { params: idParam },
  responses: whomYouBlock,
})

const readLink = defineRoute({
  method: 'get',
  path: '/request-links/{token}',
  summary: 'What a request’s link asks for',
  tags,
  request: { params: tokenParam },
  responses: { 200: { description: 'The request', content: { 'application/json': { schema: linkedRequest } } } },
})

const payLink = defineRoute({
  method: 'post',
  path: '/request-links/{token}/payments',
  needs: { money: true, proof: true },
  summary: 'Pay what a link asks for, or a part of it',
  tags,
  request: { params: tokenParam, ...paymentBody },
  responses: payment,
})

const blockRoutes = router()
  .openapi(block, async (c) => {
    const [deps, customer] = [c.get('deps'), c.get('customer')]
    await blockRequester(deps, customer, c.req.valid('param').id, c.req.valid('json'), c.get('key'))
    return c.json({ blocked: await blockedBy(deps, customer.id) }, 200)
  })
  .openapi(unblock, async (c) => {
    const [deps, customer] = [c.get('deps'), c.get('customer')]
    await unblockRequester(deps, customer.id, c.req.valid('param').id)
    return c.json({ blocked: await blockedBy(deps, customer.id) }, 200)
  })

const payRoutes = router()
  .openapi(pay, async (c) => {
    const [deps, customer] = [c.get('deps'), c.get('customer')]
    const transaction = await moveMoney(
      c,
      async (key) => {
        const request = await findReceived(deps.db, customer.id, c.req.valid('param').id)
        return payRequest(deps, customer, request, c.req.valid('json').amountMinor, key)
      },
      (booked) => transactionOfBooked(booked, customer.currentAccountId),
    )
    return c.json({ transaction }, 200)
  })
  .openapi(readLink, async (c) => {
    return c.json(await readLinked(c.get('deps'), c.get('customer').id, c.req.valid('param').token), 200)
  })
  .openapi(payLink, async (c) => {
    const [deps, customer] = [c.get('deps'), c.get('customer')]
    const transaction = await moveMoney(
      c,
      async (key) => {
        const request = await findLinked(deps, customer.id, c.req.valid('param').token)
        return payRequest(deps, customer, request, c.req.valid('json').amountMinor, key)
      },
      (booked) => transactionOfBooked(booked, customer.currentAccountId),
    )
    return c.json({ transaction }, 200)
  })

export const requestRoutes = router()
  .openapi(list, async (c) => c.json(await requestsOf(c.get('deps'), c.get('customer').id), 200))
  .openapi(create, async (c) => {
    const request = await createRequest(c.get('deps'), c.get('customer'), c.req.valid('json'), c.get('key'))
    return c.json({ request }, 200)
  })
  .openapi(read, async (c) => {
    return c.json(await readRequest(c.get('deps'), c.get('customer').id, c.req.valid('param').id), 200)
  })
  .openapi(decline, async (c) => {
    const request = await declineRequest(c.get('deps'), c.get('customer'), c.req.valid('param').id, c.get('key'))
    return c.json({ request }, 200)
  })
  .openapi(cancel, async (c) => {
    const request = await cancelRequest(c.get('deps'), c.get('customer'), c.req.valid('param').id, c.get('key'))
    return c.json({ request }, 200)
  })
  .openapi(remind, async (c) => {
    const request = await remindPayer(c.get('deps'), c.get('customer'), c.req.valid('param').id, c.get('key'))
    return c.json({ request }, 200)
  })
  .route('/', payRoutes)
  .route('/', blockRoutes)
