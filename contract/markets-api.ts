import { z } from 'zod'
import { instant } from '#contract/common.ts'
import { MARKET_STATUSES, PRICED } from '#contract/markets.ts'

const priceMicros = z.int().positive()
/** How much higher a price is than an earlier one, in hundredths of a per cent; null where that is not known. */
const changeBps = z.int().nullable()

export const market = z.object({
  asset: z.enum(PRICED),
  status: z.enum(MARKET_STATUSES),
  /** The last that the bank believed, and when it was published; null where there never was one. */
  price: z.object({ priceMicros, at: instant }).nullable(),
  /** Against a day before; a fund's against its price before this one. */
  dayChangeBps: changeBps,
  /** Against 30 days before. */
  monthChangeBps: changeBps,
})
export type MarketShown = z.infer<typeof market>
export const marketList = z.object({ markets: z.array(market) })

/** The oldest first, and the last price at the end; a chart has some 90, or as many as there are. */
export const priceHistory = z.object({ prices: z.array(z.object({ priceMicros, at: instant })) })
export type PriceHistory = z.infer<typeof priceHistory>
