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
import { recipientOf } from '#server/platform/http/response-recipient.ts'
import { makeReceipt } from '#server/accounts/receipts.ts'
import {
  countTransactions,
  listTransactions,
  readDashboard,
  readTransaction,
  readTransactionDetail,
  summarizeSpending,
} from '#server/accounts/service.ts'
import { topUp, topUpAnswer } from '#server/accounts/top-ups.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { routes } from '#server/identity/access/route.ts'
import { offeredMethods } from '#server/rails/rails.ts'
import { TOP_UP_REFUSALS } from '#server/rails/collections.ts'
import { PDF, pdfResponse, sendFile } from '#server/platform/http/route-bodies.ts'

export const accountRoutes = routes('Accounts')
  .get(
    '/dashboard',
    { summary: 'The data of the dashboard', response: dashboard, responseDescription: 'As of now' },
    (c) => readDashboard(c.deps, c.customer),
  )
  .get(
    '/transactions',
    {
      summary: 'Transactions of the current account, newest first',
      description:
        '`q` searches names, notes, payment methods, amounts, and transaction ids and references from their first character on.',
      query: transactionQuery,
      response: transactionPage,
      responseDescription: 'A page',
    },
    async (c) => {
      const { cursor, limit, ...filters } = c.query
      return await listTransactions(c.deps, c.customer, filters, { cursor, limit })
    },
  )
  // These routes come before the route with an id in its path, which would match their paths.
  .get(
    '/transactions/summary',
    {
      summary: 'Income and expenses of the last seven days',
      response: transactionSummary,
      responseDescription: 'Up to now',
    },
    (c) => summarizeSpending(c.deps, c.customer),
  )
  .get(
    '/transactions/count',
    {
      summary: 'The number of transactions that match the filters, and their sums',
      query: transactionFilters,
      response: transactionCount,
      responseDescription: 'As of now',
    },
    (c) => countTransactions(c.deps, c.customer, c.query),
  )
  .get(
    '/transactions/{id}',
    {
      refuses: ['transaction_not_found'],
      summary: 'One transaction',
      response: transactionDetail,
      responseDescription: 'The transaction',
    },
    (c) => readTransactionDetail(c.deps, c.customer, c.params.id),
  )
  .get(
    '/transactions/{id}/receipt',
    {
      load: 'slow',
      refuses: ['transaction_not_found'],
      summary: 'A receipt to keep',
      responses: pdfResponse('One page'),
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      const transaction = await readTransaction(deps, customer, c.params.id)
      const translator = deps.translations.in(customer.language)
      const words = receiptWords(translator, { transaction, holderName: customer.fullName })
      const content = await makeReceipt(deps, customer.id, words, recipientOf(c.http))
      return sendFile(c.http, { content, mediaType: PDF, name: `Alder-${transaction.transactionId}.pdf` })
    },
  )
  .get(
    '/top-ups/methods',
    {
      summary: 'The methods to add money',
      description: 'The list is empty if the bank has no provider that brings money in.',
      response: topUpMethods,
      responseDescription: 'As of now',
    },
    (c) => ({ methods: offeredMethods(c.deps) }),
  )
  .post(
    '/top-ups',
    {
      money: true,
      refuses: TOP_UP_REFUSALS,
      summary: 'Add money',
      description:
        'In sample mode, money from a card or wallet arrives at once, and from a bank after one to two business days. In live mode it is pending until the provider confirms it.',
      body: topUpRequest,
      response: topUpResponse,
      responseDescription: 'The transaction',
    },
    async (c) => {
      const customer = c.customer
      const body = c.body
      const answer = await moveMoney(
        c.http,
        (key) => topUp(c.deps, customer, body, key),
        (booked) => topUpAnswer(booked, customer),
      )
      return answer
    },
  )
