import type { InvestmentOrder } from '#contract/investing.ts'
import type { Fund } from '#contract/markets.ts'

/** What is looked at, or done, in a sheet. */
export type InvestingSheet =
  | { kind: 'invest' | 'new_plan' | 'fund' | 'sell'; fund: Fund }
  | { kind: 'order'; order: InvestmentOrder }
  | { kind: 'plan'; planId: string }
  | { kind: 'returns' }
