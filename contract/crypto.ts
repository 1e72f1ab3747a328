import { z } from 'zod'
import { amountMinor, asset, day, instant, pageQuery, signedMinor } from '#contract/common.ts'
import { ORDER_DAYS, QUOTE_SECONDS, RECURRING_INTERVALS, TAX_YEARS } from '#contract/crypto-terms.ts'
import { COINS, MARKET_STATUSES, PRICE_RANGES } from '#contract/markets.ts'

const coin = z.enum(COINS)
const dollars = z.literal('USD')
const side = z.enum(['buy', 'sell'])
/** Millionths of a US dollar for one whole coin. */
const priceMicros = z.int().positive()
/** Hundredths of a per cent. */
const bps = z.int()

/** What is traded for how much; `fee` is within `dollarsMinor`, which is what the customer pays or is paid in the end. */
const exchange = {
  side,
  asset: coin,
  /** Coins. */
  amountMinor,
  /** US cents that leave the current account for a buy, its fee included; or that come to it for a sale, less its fee. */
  dollarsMinor: amountMinor,
  feeMinor: z.int().min(0),
  /** What one coin costs or brings, the spread included. */
  priceMicros,
}

/**
 * A quote for so many dollars (a buy's fee comes out of them, a sale's out of what it brings) or so many coins.
 * `amountMinor` is null to sell all coins that are not set aside; `amountAsset` is then the coin.
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
  /** The market's price, without the spread. */
  marketMicros: priceMicros,
  /** When it was made and until when it is honoured, real time, and how long that is: for a clock that is off. */
  quotedAt: instant,
  expiresAt: instant,
  seconds: z.literal(QUOTE_SECONDS),
})
export type Quote = z.infer<typeof quote>

export const tradeRequest = z.strictObject({ quoteId: z.string().max(100) })

/** How a trade came about. */
const TRADE_KINDS = ['quote', 'order', 'recurring'] as const

export const trade = z.object({ id: z.string(), ...exchange, kind: z.enum(TRADE_KINDS), bookedAt: instant })
export type Trade = z.infer<typeof trade>

export const tradeResponse = z.object({ trade })
/** Of all coins, or of one. */
export const tradesQuery = z.object({ ...pageQuery, asset: coin.optional() })
export const tradePage = z.object({ trades: z.array(trade), nextCursor: z.string().nullable() })

/**
 * A limit order sets aside what it may need: to buy, `amountMinor` US cents, the fee included; to sell, `amountMinor` coins.
 * `limitMicros` is the most that a coin may cost, or the least that it must bring, the spread included.
 */
export const orderRequest = z.strictObject({
  side,
  asset: coin,
  amountMinor,
  /** 'USD' to buy, the coin to sell. */
  amountAsset: z.enum(['USD', ...COINS]),
  limitMicros: priceMicros,
  /** Null for an order that stays until it is filled or cancelled. */
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
  /** Business time; null where it does not expire. */
  expiresAt: instant.nullable(),
})
export type Order = z.infer<typeof order>

export const orderResponse = z.object({ order })

/** Buys for so many dollars, the fee included, again and again from a day on. */
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
  /** What the customer has, what limit orders have set aside included; and how much of it that is. */
  amountMinor: signedMinor,
  heldMinor: signedMinor,
  /** At the market's price, US cents; null where it was never known. */
  valueMinor: signedMinor.nullable(),
  /** The market's price, without the spread, and when it was published, business time. */
  priceMicros: priceMicros.nullable(),
  pricedAt: instant.nullable(),
  /** How the price moved in 24 hours; null where it is not known. */
  changeBps: bps.nullable(),
  market: z.enum(MARKET_STATUSES),
  /** What the coins cost on average, fees included; null without coins. */
  averageCostMicros: z.int().min(0).nullable(),
  /** The same for all of them, US cents. */
  costMinor: signedMinor,
  /** Value less cost; null where the price was never known. */
  unrealisedMinor: signedMinor.nullable(),
  /** What sales brought, less their fees and what the coins sold had cost. */
  realisedMinor: signedMinor,
})
export type Holding = z.infer<typeof holding>

/** All that the screen shows, as of now. */
export const cryptoOverview = z.object({
  /** One for each coin, always all three. */
  holdings: z.array(holding),
  /** US cents: of the coins whose price is known. */
  totalMinor: signedMinor,
  unrealisedMinor: signedMinor,
  realisedMinor: signedMinor,
  /** Open limit orders, newest first. */
  orders: z.array(order),
  /** In the order of their next date. */
  recurring: z.array(recurringBuy),
  /** Whether identity must be verified before coins can be traded. */
  mustVerify: z.boolean(),
  /** What trading costs: the spread on each side, the fee of what is paid or brought, and the least fee. */
  terms: z.object({ spreadBps: bps, feeBps: bps, feeLeastMinor: signedMinor, buyLeastMinor: signedMinor }),
  /** The business day it is. */
  today: day,
})
export type CryptoOverview = z.infer<typeof cryptoOverview>

/** How far back; `all` is since the first trade. */
export const valueQuery = z.strictObject({ range: z.enum(PRICE_RANGES).default('month') })

/** What a customer's coins were worth, oldest first; the last point is now. Moments are business time. */
export const valueHistory = z.object({
  asset: dollars,
  points: z.array(z.object({ at: instant, valueMinor: signedMinor })),
})
export type ValueHistory = z.infer<typeof valueHistory>

export const taxLotsQuery = z.strictObject({ year: z.coerce.number().int().min(TAX_YEARS.first).max(TAX_YEARS.last) })
