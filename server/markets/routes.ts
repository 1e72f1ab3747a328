import { z } from '@hono/zod-openapi'
import { isPriced, PRICE_RANGES } from '#contract/markets.ts'
import { marketList, priceHistory } from '#contract/markets-api.ts'
import { Refusal } from '#contract/errors.ts'
import { routes } from '#server/identity/access/route.ts'
import { listMarkets, priceHistoryOf } from '#server/markets/history.ts'

export const marketRoutes = routes('Markets')
  .get(
    '/markets',
    {
      summary: 'The prices of funds and coins, and the status of each market',
      response: marketList,
      responseDescription: 'Every fund and coin',
    },
    async (c) => ({ markets: await listMarkets(c.deps) }),
  )
  .get(
    '/markets/{asset}/prices',
    {
      refuses: ['not_found'],
      summary: 'The prices of a fund or coin, for a chart',
      params: z.object({ asset: z.string().max(100) }),
      query: z.object({ range: z.enum(PRICE_RANGES).default('month') }),
      response: priceHistory,
      responseDescription: 'The oldest first',
    },
    async (c) => {
      const { asset } = c.params
      if (!isPriced(asset)) throw new Refusal('not_found')
      return { prices: await priceHistoryOf(c.deps, asset, c.query.range) }
    },
  )
