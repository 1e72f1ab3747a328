import { z } from '@hono/zod-openapi'
import {
  dashboard,
  topUpMethods,
  topUpRequest,
  topUpResponse,
  transactionCount,
  transactionDetail,
  transactionFilters,
  transactionPage,
  transactionQuery,
  transactionSummary,
} from '#contract/accounts.ts'
import { receiptWords } from '#server/accounts/receipt-words.ts'
import { recipientOf } from '#server/platform/http/recipient.ts'
import { makeReceipt } from '#server/accounts/receipts.ts'
import {
  countTransactions,
  listTransactions,
  readDashboard,
  readTransaction,
  readTransactionDetail,
  summarise,
} from '#server/accounts/service.ts'
import { topUp, topUpAnswer } from '#server/accounts/top-ups.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { offeredMethods } from '#server/rails/rails.ts'
import { idParam } from '#server/platform/http/id-param.ts'

const tags = ['Accounts']

const getDashboard = defineRoute({
  method: 'get',
  path: '/dashboard',
  summary: 'What the first screen shows',
  tags,
  responses: { 200: { description: 'As of now', content: { 'application/json': { schema: dashboard } } } },
})

const getTransactions = defineRoute({
  method: 'get',
  path: '/transactions',
  summary: 'Transactions of the current account, newest first',
  description:
    '`q` searches names, notes, payment methods, amounts, and transaction ids and references from their first character on.',
  tags,
  request: { query: transactionQuery },
  responses: { 200: { description: 'A page', content: { 'application/json': { schema: transactionPage } } } },
})

const getSummary = defineRoute({
  method: 'get',
  path: '/transactions/summary',
  summary: 'Income and expenses of the last seven days',
  tags,
  responses: { 200: { description: 'Up to now', content: { 'application/json': { schema: transactionSummary } } } },
})

const getCount = defineRoute({
  method: 'get',
  path: '/transactions/count',
  summary: 'How many transactions the filters let through, and what they come to',
  tags,
  request: { query: transactionFilters },
  responses: { 200: { description: 'As of now', content: { 'application/json': { schema: transactionCount } } } },
})

const getTransaction = defineRoute({
  method: 'get',
  path: '/transactions/{id}',
  summary: 'One transaction',
  tags,
  request: { params: idParam },
  responses: {
    200: { description: 'The transaction', content: { 'application/json': { schema: transactionDetail } } },
  },
})

const getReceipt = defineRoute({
  method: 'get',
  path: '/transactions/{id}/receipt',
  needs: { load: 'slow' },
  summary: 'A receipt to keep',
  tags,
  request: { params: idParam },
  responses: {
    200: {
      description: 'One page',
      content: { 'application/pdf': { schema: z.string().openapi({ type: 'string', format: 'binary' }) } },
    },
  },
})

const getMethods = defineRoute({
  method: 'get',
  path: '/top-ups/methods',
  summary: 'How money can be added',
  description: 'Empty where the bank is connected to nobody who could bring it.',
  tags,
  responses: { 200: { description: 'As of now', content: { 'application/json': { schema: topUpMethods } } } },
})

const postTopUp = defineRoute({
  method: 'post',
  path: '/top-ups',
  needs: { money: true },
  summary: 'Add money',
  description:
    'In sample mode it is there right away by card or wallet, and from a bank after one to two business days. In live mode it is pending until who collects it has confirmed it.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: topUpRequest } } } },
  responses: { 200: { description: 'The transaction', content: { 'application/json': { schema: topUpResponse } } } },
})

export const accountRoutes = router()
  .openapi(getDashboard, async (c) => c.json(await readDashboard(c.get('deps'), c.get('customer')), 200))
  .openapi(getTransactions, async (c) => {
    const { cursor, limit, ...filters } = c.req.valid('query')
    return c.json(await listTransactions(c.get('deps'), c.get('customer'), filters, { cursor, limit }), 200)
  })
  // Before the one that takes any id, which would take these for one.
  .openapi(getSummary, async (c) => c.json(await summarise(c.get('deps'), c.get('customer')), 200))
  .openapi(getCount, async (c) => {
    return c.json(await countTransactions(c.get('deps'), c.get('customer'), c.req.valid('query')), 200)
  })
  .openapi(getTransaction, async (c) => {
    return c.json(await readTransactionDetail(c.get('deps'), c.get('customer'), c.req.valid('param').id), 200)
  })
  .openapi(getReceipt, async (c) => {
    const [deps, customer] = [c.get('deps'), c.get('customer')]
    const transaction = await readTransaction(deps, customer, c.req.valid('param').id)
    const say = deps.translations.in(customer.language)
    const words = receiptWords(say, { transaction, holderName: customer.fullName })
    const pdf = await makeReceipt(deps, customer.id, words, recipientOf(c))
    return c.body(pdf, 200, {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Alder-${transaction.transactionId}.pdf"`,
      'cache-control': 'no-store',
    })
  })
  .openapi(getMethods, (c) => c.json({ methods: offeredMethods(c.get('deps')) }, 200))
  .openapi(postTopUp, async (c) => {
    const customer = c.get('customer')
    const body = c.req.valid('json')
    const answer = await moveMoney(
      c,
      (key) => topUp(c.get('deps'), customer, body, key),
      (booked) => topUpAnswer(booked, customer),
    )
    return c.json(answer, 200)
  })
