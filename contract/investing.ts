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
/** An amount of a fund's units, in millionths of a unit. */
const unitsMinor = amountMinor
/** An amount of zero or more, in minor units. */
const sumMinor = z.int().min(0).max(MAX_AMOUNT_MINOR)
/** A price in millionths of a US dollar for one whole unit. */
const priceMicros = z.int().positive()
/** Hundredths of a percent. */
const bps = z.int()

/**
 * True if the customer wants to buy the fund although its risk is higher than the customer's answers to the suitability
 * questions allow.
 */
const acceptsMismatch = z.literal(true).optional()

/**
 * A request for an order. A purchase is for an amount of US cents, which includes the fee. A sale is for a number of units;
 * `all` means all units that no other order holds.
 */
export const investmentOrderRequest = z.discriminatedUnion('side', [
  z.strictObject({ side: z.literal('buy'), fund, amountMinor, asset: z.literal('USD'), acceptsMismatch }),
  z.strictObject({ side: z.literal('sell'), fund, unitsMinor: z.union([unitsMinor, z.literal('all')]) }),
])
export type InvestmentOrderRequest = z.infer<typeof investmentOrderRequest>

/** The query for the preview of an order. A purchase has `amountMinor` in US cents. A sale has `unitsMinor`. */
export const investmentPreviewQuery = z.object({
  side: z.enum(['buy', 'sell']),
  fund,
  amountMinor: z.coerce.number().pipe(amountMinor).optional(),
  unitsMinor: z.union([z.literal('all'), z.coerce.number().pipe(unitsMinor)]).optional(),
})
export type InvestmentPreviewQuery = z.infer<typeof investmentPreviewQuery>

/** The estimate of an order at the last price. The order is filled at the next price. */
export const investmentPreview = z.object({
  side: z.enum(['buy', 'sell']),
  fund,
  /** The last price and the time of its publication. */
  priceMicros,
  pricedAt: instant,
  /** For a purchase, the cost including the fee. For a sale, the proceeds after the fee. */
  amountMinor: sumMinor,
  feeMinor: sumMinor,
  unitsMinor: sumMinor,
  asset,
  /** The expected time at which the order is filled. */
  fillsAt: instant,
})
export type InvestmentPreview = z.infer<typeof investmentPreview>

const ORDER_STATUSES = ['pending', 'filled', 'cancelled'] as const
/** The party that canceled an order. The bank cancels an order that it cannot fill. */
const CANCELLED_BY = ['customer', 'bank'] as const

export const investmentOrder = z.object({
  id: z.string(),
  side: z.enum(['buy', 'sell']),
  fund,
  status: z.enum(ORDER_STATUSES),
  /** For a purchase, the cost including the fee. For a sale, the proceeds after the fee; null until the sale is filled. */
  amountMinor: sumMinor.nullable(),
  /** For a purchase, the units bought; null until the purchase is filled. For a sale, the units to sell. */
  unitsMinor: unitsMinor.nullable(),
  /** The fee; null until the order is filled. */
  feeMinor: sumMinor.nullable(),
  priceMicros: priceMicros.nullable(),
  asset,
  placedAt: instant,
  /** The publication time of the price at which the order was filled. For a pending order, the expected publication time. */
  pricedAt: instant,
  /** The time at which the order was filled or canceled; null while the order is pending. */
  endedAt: instant.nullable(),
  cancelledBy: z.enum(CANCELLED_BY).nullable(),
  /** The investment plan that placed the order; null if the customer placed it. */
  planId: z.string().nullable(),
})
export type InvestmentOrder = z.infer<typeof investmentOrder>
export const investmentOrderResponse = z.object({ order: investmentOrder })

export const investmentHistoryQuery = z.object(pageQuery)
/** A page of filled and canceled orders, the newest first. */
export const investmentHistory = z.object({ orders: z.array(investmentOrder), nextCursor: z.string().nullable() })
export type InvestmentHistory = z.infer<typeof investmentHistory>

const PLAN_INTERVALS = ['week', 'month'] as const

export const investmentPlanRequest = z.strictObject({
  fund,
  amountMinor,
  asset: z.literal('USD'),
  every: z.enum(PLAN_INTERVALS),
  /** The first date of the plan, today at the earliest. */
  startsOn: day,
  acceptsMismatch,
})
export type InvestmentPlanRequest = z.infer<typeof investmentPlanRequest>

/** A recurring investment. If a date is not a business day, the order is placed on the next business day. */
export const investmentPlan = z.object({
  id: z.string(),
  fund,
  amountMinor,
  asset,
  every: z.enum(PLAN_INTERVALS),
  /** `nextOn` is the next date of the plan. `dueOn` is the business day on which the order for this date is placed. */
  nextOn: day,
  dueOn: day,
  status: z.enum(['active', 'paused', 'cancelled']),
})
export type InvestmentPlan = z.infer<typeof investmentPlan>
export const investmentPlanResponse = z.object({ plan: investmentPlan })

/**
 * The change in value in the last month that price changes caused, as an amount and in hundredths of a percent. Purchases and
 * sales are not part of the change.
 */
const marketChange = z.object({ amountMinor: signedMinor, bps })

export const investmentHolding = z.object({
  fund,
  unitsMinor,
  /** The units that pending sell orders hold. */
  heldUnitsMinor: sumMinor,
  valueMinor: sumMinor,
  /** The average cost of one whole unit, fees included. */
  averageCostMicros: sumMinor,
  /** The cost of the current units, fees included. */
  costMinor: sumMinor,
  unrealisedMinor: signedMinor,
  realisedMinor: signedMinor,
  monthChange: marketChange.nullable(),
})
export type InvestmentHolding = z.infer<typeof investmentHolding>

/** A customer's investments. All amounts are in `asset`. */
export const investments = z.object({
  asset,
  /** The value of all units at the last prices. */
  valueMinor: sumMinor,
  /** The change in value of all funds; null if the customer held no units of any fund in the last month. */
  monthChange: marketChange.nullable(),
  /** The cost of the current units, fees included. */
  investedMinor: sumMinor,
  unrealisedMinor: signedMinor,
  realisedMinor: signedMinor,
  returns: z
    .object({
      /** The publication time of the price of the first purchase. */
      since: instant,
      /**
       * The time-weighted return, in hundredths of a percent. It measures the performance of the funds, regardless of the time
       * and size of deposits.
       */
      timeWeightedBps: bps,
      /**
       * The money-weighted return, in hundredths of a percent. It measures the performance of the customer's own money. Null if
       * the equation for it has no unique solution.
       */
      moneyWeightedBps: bps.nullable(),
      /**
       * True if both returns are annual rates. The returns are annual rates once the customer has been invested for more than a
       * year.
       */
      annualised: z.boolean(),
    })
    .nullable(),
  /** The market of each fund. The bank accepts orders for a fund only while `open` is true. */
  markets: z.array(
    z.object({
      fund,
      open: z.boolean(),
      /** The last price and its publication time; null if no price was ever published. */
      price: z.object({ priceMicros, pricedAt: instant }).nullable(),
    }),
  ),
  holdings: z.array(investmentHolding),
  /** The pending orders, the newest first. */
  orders: z.array(investmentOrder),
  /** The active and paused plans. */
  plans: z.array(investmentPlan),
  /** The customer's answers and their result; null until the customer answers the suitability questions. */
  suitability: suitability.nullable(),
  riskAccepted: z.boolean(),
  /** True if the customer must verify their identity before placing an order. */
  mustVerify: z.boolean(),
  fee: z.object({ bps, leastMinor: sumMinor }),
  /** The maximum amount of one purchase. */
  orderMostMinor: amountMinor,
  /** The expected time at which an order placed now would be filled. */
  fillsAt: instant,
  /** The current business day. */
  today: day,
})
export type Investments = z.infer<typeof investments>

export const investmentValueQuery = z.object({ range: z.enum(VALUE_RANGES).default('year') })
/**
 * The value of a customer's investments over time: about 100 points at most, the oldest first. The list is empty if the
 * customer never invested.
 */
export const investmentValue = z.object({
  range: z.enum(VALUE_RANGES),
  asset,
  points: z.array(
    z.object({
      at: instant,
      valueMinor: sumMinor,
      /** The cost of the units that the customer held at that time, including fees. */
      investedMinor: sumMinor,
    }),
  ),
})
export type InvestmentValue = z.infer<typeof investmentValue>
