import { z } from 'zod'
import { amountMinor, asset, day, instant, pageQuery, signedMinor } from '#contract/common.ts'
import { RISKS, SUITABILITY, VALUE_RANGES } from '#contract/investment-terms.ts'
import { FUNDS } from '#contract/markets.ts'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'

const suitabilityAnswers = z.strictObject({
  horizon: z.enum(SUITABILITY.horizon),
  loss: z.enum(SUITABILITY.loss),
  reserves: z.enum(SUITABILITY.reserves),
})
export type SuitabilityAnswers = z.infer<typeof suitabilityAnswers>

export const suitabilityRequest = suitabilityAnswers
export const suitability = z.object({ answers: suitabilityAnswers, result: z.enum(RISKS), answeredAt: instant })
export type Suitability = z.infer<typeof suitability>

export const riskNoticeRequest = z.strictObject({ version: z.int() })

const fund = z.enum(FUNDS)
/** Units of a fund: a whole number of millionths. */
const unitsMinor = amountMinor
/** Not below zero. */
const sumMinor = z.int().min(0).max(MAX_AMOUNT_MINOR)
/** Millionths of a US dollar for one whole unit. */
const priceMicros = z.int().positive()
/** Hundredths of a per cent. */
const bps = z.int()

/** That the customer wants a fund of more risk than suits them. */
const acceptsMismatch = z.literal(true).optional()

/** An order: to buy for so many US cents, the fee included, or to sell so many units, or all that are free to sell. */
export const investmentOrderRequest = z.discriminatedUnion('side', [
  z.strictObject({ side: z.literal('buy'), fund, amountMinor, asset: z.literal('USD'), acceptsMismatch }),
  z.strictObject({ side: z.literal('sell'), fund, unitsMinor: z.union([unitsMinor, z.literal('all')]) }),
])
export type InvestmentOrderRequest = z.infer<typeof investmentOrderRequest>

/** Asks what an order would come to: `amountMinor` of US cents to buy for, or `unitsMinor` to sell. */
export const investmentPreviewQuery = z.object({
  side: z.enum(['buy', 'sell']),
  fund,
  amountMinor: z.coerce.number().pipe(amountMinor).optional(),
  unitsMinor: z.union([z.literal('all'), z.coerce.number().pipe(unitsMinor)]).optional(),
})
export type InvestmentPreviewQuery = z.infer<typeof investmentPreviewQuery>

/** What an order comes to at the last price; it is filled at the next. */
export const investmentPreview = z.object({
  side: z.enum(['buy', 'sell']),
  fund,
  /** The last price, and when it was published. */
  priceMicros,
  pricedAt: instant,
  /** To buy: what is paid, the fee included. To sell: what is paid out, the fee taken off. */
  amountMinor: sumMinor,
  feeMinor: sumMinor,
  unitsMinor: sumMinor,
  asset,
  /** When it is expected to be filled. */
  fillsAt: instant,
})
export type InvestmentPreview = z.infer<typeof investmentPreview>

const ORDER_STATUSES = ['pending', 'filled', 'cancelled'] as const
/** Who took an order back: the customer, or the bank, which could not fill it. */
const CANCELLED_BY = ['customer', 'bank'] as const

export const investmentOrder = z.object({
  id: z.string(),
  side: z.enum(['buy', 'sell']),
  fund,
  status: z.enum(ORDER_STATUSES),
  /** To buy: what is paid, the fee included. To sell: what was paid out, the fee taken off; null until it is filled. */
  amountMinor: sumMinor.nullable(),
  /** To buy: what was bought; null until it is filled. To sell: what is sold. */
  unitsMinor: unitsMinor.nullable(),
  /** What the fee was; null until it is filled. */
  feeMinor: sumMinor.nullable(),
  priceMicros: priceMicros.nullable(),
  asset,
  placedAt: instant,
  /** When its price was, or is expected to be, published. */
  pricedAt: instant,
  /** When it was filled or cancelled. */
  endedAt: instant.nullable(),
  cancelledBy: z.enum(CANCELLED_BY).nullable(),
  /** The plan that placed it. */
  planId: z.string().nullable(),
})
export type InvestmentOrder = z.infer<typeof investmentOrder>
export const investmentOrderResponse = z.object({ order: investmentOrder })

export const investmentHistoryQuery = z.object(pageQuery)
/** Orders that were filled or cancelled, newest first. */
export const investmentHistory = z.object({ orders: z.array(investmentOrder), nextCursor: z.string().nullable() })
export type InvestmentHistory = z.infer<typeof investmentHistory>

const PLAN_INTERVALS = ['week', 'month'] as const

export const investmentPlanRequest = z.strictObject({
  fund,
  amountMinor,
  asset: z.literal('USD'),
  every: z.enum(PLAN_INTERVALS),
  /** The first date, today at the earliest. */
  startsOn: day,
  acceptsMismatch,
})
export type InvestmentPlanRequest = z.infer<typeof investmentPlanRequest>

/** Recurring investing. A date that falls on a day when the banks are closed is placed on the next business day. */
export const investmentPlan = z.object({
  id: z.string(),
  fund,
  amountMinor,
  asset,
  every: z.enum(PLAN_INTERVALS),
  /** The next date by the calendar, and the business day on which its order is placed. */
  nextOn: day,
  dueOn: day,
  status: z.enum(['active', 'paused', 'cancelled']),
})
export type InvestmentPlan = z.infer<typeof investmentPlan>
export const investmentPlanResponse = z.object({ plan: investmentPlan })

/** What the market changed over a month: without what was put in and taken out. */
const marketChange = z.object({ amountMinor: signedMinor, bps })

export const investmentHolding = z.object({
  fund,
  unitsMinor,
  /** Of those: in orders to sell that are pending. */
  heldUnitsMinor: sumMinor,
  valueMinor: sumMinor,
  /** What one whole unit was paid on average, the fees included. */
  averageCostMicros: sumMinor,
  /** What is held was paid, the fees included. */
  costMinor: sumMinor,
  unrealisedMinor: signedMinor,
  realisedMinor: signedMinor,
  monthChange: marketChange.nullable(),
})
export type InvestmentHolding = z.infer<typeof investmentHolding>

/** How investing stands for a customer. All amounts are of `asset`. */
export const investments = z.object({
  asset,
  /** What all units are worth at the last prices. */
  valueMinor: sumMinor,
  /** Null where there was nothing invested. */
  monthChange: marketChange.nullable(),
  /** What is held was paid, the fees included. */
  investedMinor: sumMinor,
  unrealisedMinor: signedMinor,
  realisedMinor: signedMinor,
  returns: z
    .object({
      /** The first price at which something was bought. */
      since: instant,
      /** Whatever was put in when: how the funds did. */
      timeWeightedBps: bps,
      /** How the customer's own money did; null where there is no single answer. */
      moneyWeightedBps: bps.nullable(),
      /** Whether both are a year's: where something was held for more than a year. */
      annualised: z.boolean(),
    })
    .nullable(),
  /** How each fund's market stands; an order can be placed where it is open. */
  markets: z.array(
    z.object({
      fund,
      open: z.boolean(),
      /** Null where there never was a price. */
      price: z.object({ priceMicros, pricedAt: instant }).nullable(),
    }),
  ),
  holdings: z.array(investmentHolding),
  /** Those that are pending, newest first. */
  orders: z.array(investmentOrder),
  /** Those that are active or paused. */
  plans: z.array(investmentPlan),
  /** Null where the questions were not answered yet. */
  suitability: suitability.nullable(),
  riskAccepted: z.boolean(),
  /** Whether identity has to be verified before an order is taken. */
  mustVerify: z.boolean(),
  fee: z.object({ bps, leastMinor: sumMinor }),
  /** The most that one order to buy is for. */
  orderMostMinor: amountMinor,
  /** When an order of now is expected to be filled. */
  fillsAt: instant,
  /** The business day it is. */
  today: day,
})
export type Investments = z.infer<typeof investments>

export const investmentValueQuery = z.object({ range: z.enum(VALUE_RANGES).default('year') })
/** At most some 100 points, oldest first; none where nothing was ever bought. */
export const investmentValue = z.object({
  range: z.enum(VALUE_RANGES),
  asset,
  points: z.array(
    z.object({
      at: instant,
      valueMinor: sumMinor,
      /** What was held then had been paid, the fees included. */
      investedMinor: sumMinor,
    }),
  ),
})
export type InvestmentValue = z.infer<typeof investmentValue>
