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
import { valueHistory as valueHistoryOf } from '#server/crypto/figures/history.ts'
import { readOverview } from '#server/crypto/figures/overview.ts'
import { taxLots } from '#server/crypto/figures/tax-lots.ts'
import { cancelOrder, placeOrder, readOrder } from '#server/crypto/orders/orders.ts'
import { createRecurring } from '#server/crypto/recurring/recurring.ts'
import { stopRecurring } from '#server/crypto/recurring/stopping.ts'
import { makeQuote, tradeQuote } from '#server/crypto/trading/quotes.ts'
import { listTrades, readTrade } from '#server/crypto/trading/trades.ts'
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import type { Deps } from '#server/platform/deps.ts'
import { answers, body, done } from '#server/platform/http/described.ts'
import { idParam, readId } from '#server/platform/http/id-param.ts'

const tags = ['Crypto']

/** Quotes and orders leave rows: so many for one customer. A screen asks for a new quote every few seconds. */
const QUOTES = { name: 'crypto-quote', points: 60, seconds: 60 }
const ORDERS = { name: 'crypto-order', points: 120, seconds: 60 * 60 }

const getOverview = defineRoute({
  method: 'get',
  path: '/crypto',
  summary: 'Your coins, what they are worth, open orders and recurring buys',
  tags,
  responses: answers('As of now', cryptoOverview),
})

const getValues = defineRoute({
  method: 'get',
  path: '/crypto/history',
  summary: 'What your coins were worth, for a chart',
  tags,
  request: { query: valueQuery },
  responses: answers('The oldest first', valueHistory),
})

const getTrades = defineRoute({
  method: 'get',
  path: '/crypto/trades',
  summary: 'What you bought and sold, newest first',
  tags,
  request: { query: tradesQuery },
  responses: answers('A page', tradePage),
})

const getTaxLots = defineRoute({
  method: 'get',
  path: '/crypto/tax-lots.csv',
  summary: 'The tax lots of a year, first in, first out',
  tags,
  request: { query: taxLotsQuery },
  responses: { 200: { description: 'A table', content: { 'text/csv': { schema: z.string() } } } },
})

const postQuote = defineRoute({
  method: 'post',
  path: '/crypto/quotes',
  // A second one promises the same again, and neither is worth more than one trade.
  needs: { key: 'none' },
  summary: 'Ask for a price that is good for 15 seconds',
  tags,
  request: { body: body(quoteRequest) },
  responses: answers('The quote', quote),
})

// Money stays the customer's own: to leave the bank it has to be sent, which asks for a proof where one is due.
const postTrade = defineRoute({
  method: 'post',
  path: '/crypto/trades',
  needs: { money: true },
  summary: 'Buy or sell, exactly as quoted',
  tags,
  request: { body: body(tradeRequest) },
  responses: answers('The trade', tradeResponse),
})

const postOrder = defineRoute({
  method: 'post',
  path: '/crypto/orders',
  needs: { money: true },
  summary: 'Place a limit order',
  description: 'It sets the dollars or coins aside, and is filled once the market reaches the limit.',
  tags,
  request: { body: body(orderRequest) },
  responses: answers('The order', orderResponse),
})

const postCancel = defineRoute({
  method: 'post',
  path: '/crypto/orders/{id}/cancel',
  needs: { key: 'none' },
  summary: 'Cancel a limit order',
  tags,
  request: { params: idParam },
  responses: done,
})

const postRecurring = defineRoute({
  method: 'post',
  path: '/crypto/recurring',
  needs: { money: true },
  summary: 'Buy again and again',
  tags,
  request: { body: body(recurringRequest) },
  responses: answers('The recurring buy', recurringResponse),
})

const deleteRecurring = defineRoute({
  method: 'delete',
  path: '/crypto/recurring/{id}',
  summary: 'Stop a recurring buy',
  tags,
  request: { params: idParam },
  responses: done,
})

export function cryptoRoutes({ limiters }: Pick<Deps, 'limiters'>) {
  const limitQuotes = limitByCustomer({ limiters }, QUOTES)
  const limitOrders = limitByCustomer({ limiters }, ORDERS)
  return router({ live: true })
    .openapi(getOverview, async (c) => c.json(await readOverview(c.get('deps'), c.get('customer')), 200))
    .openapi(getValues, async (c) => {
      const { range } = c.req.valid('query')
      return c.json(await valueHistoryOf(c.get('deps'), c.get('customer').id, range), 200)
    })
    .openapi(getTrades, async (c) => {
      return c.json(await listTrades(c.get('deps'), c.get('customer').id, c.req.valid('query')), 200)
    })
    .openapi(getTaxLots, async (c) => {
      const { year } = c.req.valid('query')
      return c.body(await taxLots(c.get('deps'), c.get('customer').id, year), 200, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="Alder-crypto-${year}.csv"`,
        'cache-control': 'no-store',
      })
    })
    .openapi(postQuote, async (c) => {
      await limitQuotes(c, async () => undefined)
      return c.json(await makeQuote(c.get('deps'), c.get('customer'), c.req.valid('json')), 200)
    })
    .openapi(postTrade, async (c) => {
      const [deps, customer] = [c.get('deps'), c.get('customer')]
      const { quoteId } = c.req.valid('json')
      const id = await moveMoney(
        c,
        async (key) => (await tradeQuote(deps, customer, quoteId, key)).id,
        (booked) => booked.id,
      )
      return c.json({ trade: await readTrade(deps, customer.id, id) }, 200)
    })
    .openapi(postOrder, async (c) => {
      await limitOrders(c, async () => undefined)
      const [deps, customer] = [c.get('deps'), c.get('customer')]
      const id = await moveMoney(
        c,
        async (key) => (await placeOrder(deps, customer, c.req.valid('json'), key)).id,
        (booked) => booked.id,
      )
      return c.json({ order: await readOrder(deps, customer.id, id) }, 200)
    })
    .openapi(postCancel, async (c) => {
      await cancelOrder(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id))
      return c.body(null, 204)
    })
    .openapi(postRecurring, async (c) => {
      await limitOrders(c, async () => undefined)
      const recurring = await createRecurring(c.get('deps'), c.get('customer'), c.req.valid('json'), c.get('key'))
      return c.json({ recurring }, 200)
    })
    .openapi(deleteRecurring, async (c) => {
      await stopRecurring(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id))
      return c.body(null, 204)
    })
}
