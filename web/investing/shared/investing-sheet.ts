import type { InvestmentOrder } from '#contract/investing.ts'
import type { Fund } from '#contract/markets.ts'

/** The content of the open sheet. */
export type InvestingSheet =
  | { kind: 'invest' | 'new_plan' | 'fund' | 'sell'; fund: Fund }
  | { kind: 'order'; order: InvestmentOrder }
  | { kind: 'plan'; planId: string }
  | { kind: 'returns' }
