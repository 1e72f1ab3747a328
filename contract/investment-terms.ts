import type { Fund } from '#contract/markets.ts'

/**
 * The levels of risk, in ascending order. Each fund has a level. A customer's level is the highest that suits the customer.
 */
export const RISKS = ['low', 'medium', 'high'] as const
export type Risk = (typeof RISKS)[number]

/** The funds on offer. `returnPercent` is the range of the intended annual return. */
export const INVESTMENT_OPTIONS = [
  { fund: 'FUND_CONSERVATIVE', risk: 'low', returnPercent: [5, 7] },
  { fund: 'FUND_BALANCED', risk: 'medium', returnPercent: [8, 12] },
  { fund: 'FUND_AGGRESSIVE', risk: 'high', returnPercent: [15, 20] },
] as const satisfies readonly { fund: Fund; risk: Risk; returnPercent: readonly [number, number] }[]

/** The minimum amount of a purchase and of each order of a plan, in US cents. */
export const MIN_ORDER_MINOR = 10_00
/** The maximum number of plans of a customer. */
export const MAX_PLANS = 10
/** The version of the risk notice. A new wording gets the next number, and customers must accept it again. */
export const RISK_NOTICE_VERSION = 1

/** The suitability questions, with their answers from the most cautious to the boldest. */
export const SUITABILITY = {
  /** When will you need the money? */
  horizon: ['under_two_years', 'two_to_five_years', 'over_five_years'],
  /** What would you do after a loss of a fifth of the value? */
  loss: ['sell', 'wait', 'buy_more'],
  /** How large are your other savings? */
  reserves: ['under_three_months', 'three_to_six_months', 'over_six_months'],
} as const

/** The ranges of the chart. */
export const VALUE_RANGES = ['month', 'quarter', 'year', 'all'] as const
export type ValueRange = (typeof VALUE_RANGES)[number]
