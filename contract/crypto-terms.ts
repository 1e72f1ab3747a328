import type { Coin } from '#contract/markets.ts'
import { ASSETS } from '#contract/money.ts'

/** What coins are called, the same in every language. */
export const COIN_NAMES: Record<Coin, string> = { BTC: 'Bitcoin', ETH: 'Ethereum', LTC: 'Litecoin' }

/** For how long a quote is honoured, in seconds of real time. */
export const QUOTE_SECONDS = 15
/** The least that buys coins, US cents. */
export const BUY_LEAST_MINOR = 10 ** ASSETS.USD.decimals

/** The most limit orders that a customer has open, and the most recurring buys. */
export const ORDERS_MOST = 20
export const RECURRING_MOST = 20

/** After how many days a limit order may expire; it may also stay until it is cancelled. */
export const ORDER_DAYS = [1, 7, 30, 90] as const

/** How often a recurring buy is made. */
export const RECURRING_INTERVALS = ['week', 'month'] as const

/** Tax lots are listed by the year in which coins were sold. */
export const TAX_YEARS = { first: 2000, last: 2100 } as const
