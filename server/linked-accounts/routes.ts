import { z } from '@hono/zod-openapi'
import { topUpResponse } from '#contract/accounts.ts'
import {
  linkedAccountResponse,
  linkedAccounts,
  linkedMoneyRequest,
  linkRequest,
  verifyRequest,
} from '#contract/linked-accounts.ts'
import { topUpAnswer } from '#server/accounts/top-ups.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { linkAccount, verifyAccount } from '#server/linked-accounts/link.ts'
import { moveOut, readLinkedAccounts, removeAccount, topUpFrom } from '#server/linked-accounts/service.ts'

const tags = ['Linked accounts']
const idParam = z.object({ id: z.string().max(100).toLowerCase() })
const accountAnswer = {
  200: { description: 'The account', content: { 'application/json': { schema: linkedAccountResponse } } },
}

const getAccounts = defineRoute({
  method: 'get',
  path: '/linked-accounts',
  summary: 'What you have at other banks and services',
  tags,
  responses: { 200: { description: 'Oldest first', content: { 'application/json': { schema: linkedAccounts } } } },
})

const postAccount = defineRoute({
  method: 'post',
  path: '/linked-accounts',
  summary: 'Link an account at another bank',
  description: 'Two small deposits are sent to it. What they come to verifies it, within ten days and three tries.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: linkRequest } } } },
  responses: accountAnswer,
})

const postVerification = defineRoute({
  method: 'post',
  path: '/linked-accounts/{id}/verification',
  summary: 'Verify an account by what its deposits came to',
  description: 'In either order. The third wrong try is the last.',
  tags,
  request: {
    params: idParam,
    body: { required: true, content: { 'application/json': { schema: verifyRequest } } },
  },
  responses: accountAnswer,
})

const postPayout = defineRoute({
  method: 'post',
  path: '/linked-accounts/{id}/payouts',
  needs: { money: true, proof: true },
  summary: 'Move money out to a verified account',
  description:
    'It is set aside right away and arrives after one to two business days. The other bank may send it back.',
  tags,
  request: {
    params: idParam,
    body: { required: true, content: { 'application/json': { schema: linkedMoneyRequest } } },
  },
  responses: { 200: { description: 'The transaction', content: { 'application/json': { schema: topUpResponse } } } },
})

const postTopUp = defineRoute({
  method: 'post',
  path: '/linked-accounts/{id}/top-ups',
  needs: { money: true },
  summary: 'Add money from a verified account',
  tags,
  request: {
    params: idParam,
    body: { required: true, content: { 'application/json': { schema: linkedMoneyRequest } } },
  },
  responses: { 200: { description: 'The transaction', content: { 'application/json': { schema: topUpResponse } } } },
})

const deleteAccount = defineRoute({
  method: 'delete',
  path: '/linked-accounts/{id}',
  summary: 'Remove an account',
  description: 'What is on its way to it or from it goes on.',
  tags,
  request: { params: idParam },
  responses: { 204: { description: 'Its number is forgotten' } },
})

export const linkedAccountRoutes = router({ live: true })
  .openapi(getAccounts, async (c) => c.json(await readLinkedAccounts(c.get('deps'), c.get('customer').id), 200))
  .openapi(postAccount, async (c) => {
    const account = await linkAccount(c.get('deps'), c.get('customer'), c.req.valid('json'), c.get('key'))
    return c.json({ account }, 200)
  })
  .openapi(postVerification, async (c) => {
    const tried = { id: c.req.valid('param').id, amounts: c.req.valid('json') }
    return c.json({ account: await verifyAccount(c.get('deps'), c.get('customer'), tried, c.get('key')) }, 200)
  })
  .openapi(postPayout, async (c) => {
    const customer = c.get('customer')
    const payout = { ...c.req.valid('param'), ...c.req.valid('json') }
    const answer = await moveMoney(
      c,
      (key) => moveOut(c.get('deps'), customer, payout, key),
      (booked) => topUpAnswer(booked, customer),
    )
    return c.json(answer, 200)
  })
  .openapi(postTopUp, async (c) => {
    const customer = c.get('customer')
    const topUp = { ...c.req.valid('param'), ...c.req.valid('json') }
    const answer = await moveMoney(
      c,
      (key) => topUpFrom(c.get('deps'), customer, topUp, key),
      (booked) => topUpAnswer(booked, customer),
    )
    return c.json(answer, 200)
  })
  .openapi(deleteAccount, async (c) => {
    await removeAccount(c.get('deps'), c.get('customer').id, c.req.valid('param').id)
    return c.body(null, 204)
  })
