import { z } from 'zod'
import { amountMinor, asset, day, instant, pageQuery, signedMinor } from '#contract/common.ts'
import { ORDER_DAYS, QUOTE_SECONDS, RECURRING_INTERVALS, TAX_YEARS } from '#contract/crypto-terms.ts'
import { COINS, MARKET_STATUSES, PRICE_RANGES } from '#contract/markets.ts'

const coin = z.enum(COINS)
const dollars = z.literal('USD')
const side = z.enum(['buy', 'sell'])
/** A price in millionths of a US dollar for one whole coin. */
const priceMicros = z.int().positive()
/** Basis points: hundredths of a percent. */
const bps = z.int()

/** The amounts of a trade in coins and in US cents. */
const exchange = {
  side,
  asset: coin,
  /** The amount of the coin, in the coin's minor units. */
  amountMinor,
  /**
   * The amount in US cents. A purchase takes this amount, including the fee, from the current account. A sale adds this amount,
   * after the fee, to the current account.
   */
  dollarsMinor: amountMinor,
  feeMinor: z.int().min(0),
  /** The price of one coin, with the spread. */
  priceMicros,
}

/**
 * A request for a quote for an amount of US dollars or of coins, as `amountAsset` says. For a purchase, an amount of dollars
 * includes the fee. For a sale, it is the amount before the fee. If `amountMinor` is null, the customer sells all coins that no
 * limit order holds; `amountAsset` is then the coin.
 */
export const quoteRequest = z.strictObject({
  side,
  asset: coin,
  amountMinor: amountMinor.nullable(),
  amountAsset: z.enum(['USD', ...COINS]),
})
export type QuoteRequest = z.infer<typeof quoteRequest>

export const quote = z.object({
  id: z.string(),
  ...exchange,
  /** The market price, without the spread. */
  marketMicros: priceMicros,
  /**
   * The start and the end of the quote, in real time and not in business time. `seconds` is the time between them. A device
   * whose clock is wrong uses `seconds`.
   */
  quotedAt: instant,
  expiresAt: instant,
  seconds: z.literal(QUOTE_SECONDS),
})
export type Quote = z.infer<typeof quote>

export const tradeRequest = z.strictObject({ quoteId: z.string().max(100) })

/** The origins of a trade: a quote that the customer accepted, a limit order, or a recurring purchase. */
const TRADE_KINDS = ['quote', 'order', 'recurring'] as const

export const trade = z.object({ id: z.string(), ...exchange, kind: z.enum(TRADE_KINDS), bookedAt: instant })
export type Trade = z.infer<typeof trade>

export const tradeResponse = z.object({ trade })
/** The trades of one coin, or of all coins if `asset` is missing. */
export const tradesQuery = z.object({ ...pageQuery, asset: coin.optional() })
export const tradePage = z.object({ trades: z.array(trade), nextCursor: z.string().nullable() })

/**
 * A request for a limit order. The bank sets `amountMinor` aside: US cents, including the fee, for a purchase, or coins for a
 * sale. `limitMicros` is the highest price of a purchase or the lowest price of a sale. This price includes the spread.
 */
export const orderRequest = z.strictObject({
  side,
  asset: coin,
  amountMinor,
  /** 'USD' for a purchase; the coin for a sale. */
  amountAsset: z.enum(['USD', ...COINS]),
  limitMicros: priceMicros,
  /** The number of days until the order expires. Null if the order stays open until it is filled or canceled. */
  expiresInDays: z.union(ORDER_DAYS.map((days) => z.literal(days))).nullable(),
})
export type OrderRequest = z.infer<typeof orderRequest>

export const order = z.object({
  id: z.string(),
  side,
  asset: coin,
  amountMinor,
  amountAsset: asset,
  limitMicros: priceMicros,
  createdAt: instant,
  /** The time at which the order expires, in business time; null if the order does not expire. */
  expiresAt: instant.nullable(),
})
export type Order = z.infer<typeof order>

export const orderResponse = z.object({ order })

/**
 * A request for a recurring purchase for a fixed amount of US cents, including the fee. `startsOn` is the day of the first
 * purchase.
 */
export const recurringRequest = z.strictObject({
  asset: coin,
  amountMinor,
  amountAsset: dollars,
  every: z.enum(RECURRING_INTERVALS),
  startsOn: day,
})
export type RecurringRequest = z.infer<typeof recurringRequest>

export const recurringBuy = z.object({
  id: z.string(),
  asset: coin,
  amountMinor,
  amountAsset: dollars,
  every: z.enum(RECURRING_INTERVALS),
  nextOn: day,
})
export type RecurringBuy = z.infer<typeof recurringBuy>

export const recurringResponse = z.object({ recurring: recurringBuy })

export const holding = z.object({
  asset: coin,
  /**
   * The customer's coins, including the coins that limit orders set aside. `heldMinor` is the amount that limit orders set
   * aside.
   */
  amountMinor: signedMinor,
  heldMinor: signedMinor,
  /** The value at the market price, in US cents; null if no price was ever published. */
  valueMinor: signedMinor.nullable(),
  /** The market price, without the spread, and the business time of its publication. Null if no price was ever published. */
  priceMicros: priceMicros.nullable(),
  pricedAt: instant.nullable(),
  /** The change of the price in the last 24 hours, in hundredths of a percent; null if it is unknown. */
  changeBps: bps.nullable(),
  market: z.enum(MARKET_STATUSES),
  /** The average cost of one coin, including fees; null if the customer has no coins. */
  averageCostMicros: z.int().min(0).nullable(),
  /** The cost of all coins in `amountMinor`, in US cents. */
  costMinor: signedMinor,
  /** The value less the cost, in US cents; null if no price was ever published. */
  unrealisedMinor: signedMinor.nullable(),
  /** The proceeds of sales less fees, less the cost of the sold coins, in US cents. */
  realisedMinor: signedMinor,
})
export type Holding = z.infer<typeof holding>

/** The data of the crypto screen. */
export const cryptoOverview = z.object({
  /** The holdings, one for each coin. */
  holdings: z.array(holding),
  /** The value of all coins whose price is known, in US cents. */
  totalMinor: signedMinor,
  unrealisedMinor: signedMinor,
  realisedMinor: signedMinor,
  /** The open limit orders, the newest first. */
  orders: z.array(order),
  /** The recurring buys, in the order of their next date. */
  recurring: z.array(recurringBuy),
  /** True if the customer must verify their identity before trading coins. */
  mustVerify: z.boolean(),
  /**
   * The terms of trading: the spread of purchases and sales, the fee rate, the minimum fee, and the minimum purchase. The two
   * minimums are in US cents.
   */
  terms: z.object({ spreadBps: bps, feeBps: bps, feeLeastMinor: signedMinor, buyLeastMinor: signedMinor }),
  /** The current business day. */
  today: day,
})
export type CryptoOverview = z.infer<typeof cryptoOverview>

/** The range of the value chart. The range `all` starts at the first trade. */
export const valueQuery = z.strictObject({ range: z.enum(PRICE_RANGES).default('month') })

/** The past values of a customer's coins, the oldest first. The last value is the current one. Times are in business time. */
export const valueHistory = z.object({
  asset: dollars,
  points: z.array(z.object({ at: instant, valueMinor: signedMinor })),
})
export type ValueHistory = z.infer<typeof valueHistory>

export const taxLotsQuery = z.strictObject({ year: z.coerce.number().int().min(TAX_YEARS.first).max(TAX_YEARS.last) })
