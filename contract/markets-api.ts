import { z } from 'zod'
import { instant } from '#contract/common.ts'
import { MARKET_STATUSES, PRICED } from '#contract/markets.ts'

const priceMicros = z.int().positive()
/** The change of a price since an earlier price, in hundredths of a percent; null if it is unknown. */
const changeBps = z.int().nullable()

export const market = z.object({
  asset: z.enum(PRICED),
  status: z.enum(MARKET_STATUSES),
  /** The last price that the bank accepted, and the time of its publication. Null if the bank never accepted a price. */
  price: z.object({ priceMicros, at: instant }).nullable(),
  /** For a coin, the change in one day. For a fund, the change since the previous price. */
  dayChangeBps: changeBps,
  /** The change in 30 days. */
  monthChangeBps: changeBps,
})
export type MarketView = z.infer<typeof market>
export const marketList = z.object({ markets: z.array(market) })

/**
 * The prices for a chart, the oldest first, up to the last price. The list has about 90 prices, or all prices if there are
 * fewer.
 */
export const priceHistory = z.object({ prices: z.array(z.object({ priceMicros, at: instant })) })
export type PriceHistory = z.infer<typeof priceHistory>
