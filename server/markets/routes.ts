import { z } from '@hono/zod-openapi'
import { isPriced, PRICE_RANGES } from '#contract/markets.ts'
import { marketList, priceHistory } from '#contract/markets-api.ts'
import { Refusal } from '#contract/errors.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { listMarkets, priceHistoryOf } from '#server/markets/history.ts'

const tags = ['Markets']

const list = defineRoute({
  method: 'get',
  path: '/markets',
  summary: 'What funds and coins cost, and whether they can be traded',
  tags,
  responses: {
    200: { description: 'Every fund and coin', content: { 'application/json': { schema: marketList } } },
  },
})

const prices = defineRoute({
  method: 'get',
  path: '/markets/{asset}/prices',
  summary: 'The prices of a fund or coin, for a chart',
  tags,
  request: {
    params: z.object({ asset: z.string().max(100) }),
    query: z.object({ range: z.enum(PRICE_RANGES).default('month') }),
  },
  responses: { 200: { description: 'The oldest first', content: { 'application/json': { schema: priceHistory } } } },
})

export const marketRoutes = router()
  .openapi(list, async (c) => c.json({ markets: await listMarkets(c.get('deps')) }, 200))
  .openapi(prices, async (c) => {
    const { asset } = c.req.valid('param')
    if (!isPriced(asset)) throw new Refusal('not_found')
    return c.json({ prices: await priceHistoryOf(c.get('deps'), asset, c.req.valid('query').range) }, 200)
  })
