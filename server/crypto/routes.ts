import { z } from '@hono/zod-openapi'
import {
  cryptoOverview,
  orderRequest,
  orderResponse,
  quote,
  quoteRequest,
  recurringRequest,
  recurringResponse,
  taxLotsQuery,
  tradePage,
  tradeRequest,
  tradeResponse,
  tradesQuery,
  valueHistory,
  valueQuery,
} from '#contract/crypto.ts'
import { readValueHistory as valueHistoryOf } from '#server/crypto/figures/history.ts'
import { readOverview } from '#server/crypto/figures/overview.ts'
import { fromReplica } from '#server/platform/db/replica.ts'
import { taxLots } from '#server/crypto/figures/tax-lots.ts'
import { cancelCryptoOrder, placeCryptoOrder, readCryptoOrder } from '#server/crypto/orders/orders.ts'
import { createRecurring, stopRecurring } from '#server/crypto/recurring/recurring.ts'
import { makeQuote, tradeAtQuote } from '#server/crypto/trading/quotes.ts'
import { listTrades, readTrade } from '#server/crypto/trading/trades.ts'
import { countCustomer } from '#server/identity/access/customer-limit.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { routes } from '#server/identity/access/route.ts'
import { TRADE_REFUSALS } from '#server/crypto/trading/pricing.ts'
import { POSTING_REFUSALS } from '#server/ledger/types.ts'
import { sendFile } from '#server/platform/http/route-bodies.ts'

/**
 * The limits of quotes per minute and of orders per hour for one customer. Each quote and order is stored. A quote expires
 * after some seconds, and the customer may then request a new one.
 */
const QUOTES = { name: 'crypto-quote', points: 60, seconds: 60 }
const ORDERS = { name: 'crypto-order', points: 120, seconds: 60 * 60 }

export const cryptoRoutes = routes('Crypto', { live: true })
  .get(
    '/crypto',
    {
      summary: 'Your coins with their values, open orders and recurring buys',
      response: cryptoOverview,
      responseDescription: 'As of now',
    },
    (c) => readOverview(c.deps, c.customer),
  )
  .get(
    '/crypto/history',
    {
      summary: 'The value of your coins over time, for a chart',
      query: valueQuery,
      response: valueHistory,
      responseDescription: 'The oldest first',
    },
    (c) => valueHistoryOf(c.deps, c.customer.id, c.query.range),
  )
  .get(
    '/crypto/trades',
    {
      summary: 'Your trades, newest first',
      query: tradesQuery,
      response: tradePage,
      responseDescription: 'A page',
    },
    (c) => listTrades(c.deps, c.customer.id, c.query),
  )
  .get(
    '/crypto/tax-lots.csv',
    {
      summary: 'The tax lots of a year, first in, first out',
      query: taxLotsQuery,
      responses: { 200: { description: 'A table', content: { 'text/csv': { schema: z.string() } } } },
    },
    async (c) => {
      const { year } = c.query
      const content = await taxLots(await fromReplica(c.deps), c.customer.id, year)
      return sendFile(c.http, { content, mediaType: 'text/csv; charset=utf-8', name: `Alder-crypto-${year}.csv` })
    },
  )
  .post(
    '/crypto/quotes',
    {
      key: 'none',
      refuses: ['trading_paused', 'insufficient_funds', ...TRADE_REFUSALS],
      summary: 'Request a price that is valid for 15 seconds',
      body: quoteRequest,
      response: quote,
      responseDescription: 'The quote',
    },
    async (c) => {
      await countCustomer(c.http, QUOTES)
      return await makeQuote(c.deps, c.customer, c.body)
    },
  )
  .post(
    // The money still belongs to the customer, so no confirmation is required here. A payment out of the bank may require one.
    '/crypto/trades',
    {
      money: true,
      refuses: [
        'quote_expired',
        'quote_used',
        'not_found',
        'trading_paused',
        'verification_required',
        'coins_short',
        'market_limit_reached',
        ...POSTING_REFUSALS,
      ],
      summary: 'Buy or sell, exactly as quoted',
      body: tradeRequest,
      response: tradeResponse,
      responseDescription: 'The trade',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      const { quoteId } = c.body
      const id = await moveMoney(
        c.http,
        async (key) => (await tradeAtQuote(deps, customer, quoteId, key)).id,
        (booked) => booked.id,
      )
      return { trade: await readTrade(deps, customer.id, id) }
    },
  )
  .post(
    '/crypto/orders',
    {
      money: true,
      refuses: ['orders_full', ...TRADE_REFUSALS, ...POSTING_REFUSALS],
      summary: 'Place a limit order',
      description: 'The order sets the dollars or coins aside. It is filled once the market reaches the limit.',
      body: orderRequest,
      response: orderResponse,
      responseDescription: 'The order',
    },
    async (c) => {
      await countCustomer(c.http, ORDERS)
      const [deps, customer] = [c.deps, c.customer]
      const id = await moveMoney(
        c.http,
        async (key) => (await placeCryptoOrder(deps, customer, c.body, key)).id,
        (booked) => booked.id,
      )
      return { order: await readCryptoOrder(deps, customer.id, id) }
    },
  )
  .post(
    '/crypto/orders/{id}/cancel',
    { key: 'none', refuses: ['order_over'], summary: 'Cancel a limit order' },
    async (c) => {
      await cancelCryptoOrder(c.deps, c.customer.id, c.id)
    },
  )
  .post(
    '/crypto/recurring',
    {
      money: true,
      refuses: ['recurring_full', 'verification_required', 'amount_too_small', 'amount_too_large'],
      summary: 'Create a recurring buy',
      body: recurringRequest,
      response: recurringResponse,
      responseDescription: 'The recurring buy',
    },
    async (c) => {
      await countCustomer(c.http, ORDERS)
      const recurring = await createRecurring(c.deps, c.customer, c.body, c.key)
      return { recurring }
    },
  )
  .delete('/crypto/recurring/{id}', { summary: 'Stop a recurring buy' }, async (c) => {
    await stopRecurring(c.deps, c.customer.id, c.id)
  })
