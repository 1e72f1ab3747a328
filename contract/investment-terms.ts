import type { Fund } from '#contract/markets.ts'

/** How much a fund's price moves, and how much of that suits a customer; from the least to the most. */
export const RISKS = ['low', 'medium', 'high'] as const
export type Risk = (typeof RISKS)[number]

/** What can be invested in. `returnPercent`: what it is made to earn a year, from and to. */
export const INVESTMENT_OPTIONS = [
  { fund: 'FUND_CONSERVATIVE', risk: 'low', returnPercent: [5, 7] },
  { fund: 'FUND_BALANCED', risk: 'medium', returnPercent: [8, 12] },
  { fund: 'FUND_AGGRESSIVE', risk: 'high', returnPercent: [15, 20] },
] as const satisfies readonly { fund: Fund; risk: Risk; returnPercent: readonly [number, number] }[]

/** The least that an order to buy, and a date of a plan, is for: US cents. */
export const ORDER_LEAST_MINOR = 10_00
/** The most plans that a customer has at a time. */
export const PLANS_MOST = 10
/** The risk notice that is to be accepted. Another wording of it takes the next number, and is accepted anew. */
export const RISK_NOTICE_VERSION = 1

/** The questions about what suits a customer, and their answers from the most careful to the boldest. */
export const SUITABILITY = {
  /** When the money is needed. */
  horizon: ['under_two_years', 'two_to_five_years', 'over_five_years'],
  /** What the customer would do if it lost a fifth of its value. */
  loss: ['sell', 'wait', 'buy_more'],
  /** What they have put by besides. */
  reserves: ['under_three_months', 'three_to_six_months', 'over_six_months'],
} as const

/** The spans of time of the chart. */
export const VALUE_RANGES = ['month', 'quarter', 'year', 'all'] as const
export type ValueRange = (typeof VALUE_RANGES)[number]
