import type { Coin } from '#contract/markets.ts'
import { ASSETS } from '#contract/money.ts'

/** The names of coins, the same in every language. */
export const COIN_NAMES: Record<Coin, string> = { BTC: 'Bitcoin', ETH: 'Ethereum', LTC: 'Litecoin' }

/** The validity of a quote, in seconds of real time. */
export const QUOTE_SECONDS = 15
/** The lowest amount of a purchase of coins, in US cents: one dollar. */
export const MIN_BUY_MINOR = 10 ** ASSETS.USD.decimals

/** The maximum number of a customer's open limit orders, and the maximum number of a customer's recurring buys. */
export const MAX_ORDERS = 20
export const MAX_RECURRING = 20

/** The possible validities of a limit order, in days. An order may also stay open until it is filled or canceled. */
export const ORDER_DAYS = [1, 7, 30, 90] as const

/** The intervals of recurring buys. */
export const RECURRING_INTERVALS = ['week', 'month'] as const

/** The first and the last year for which the tax lots can be listed. A tax lot belongs to the year of its sale. */
export const TAX_YEARS = { first: 2000, last: 2100 } as const
