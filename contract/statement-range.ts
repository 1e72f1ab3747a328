import type { ErrorCode } from '#contract/errors.ts'

/** The days a statement covers at most. */
const STATEMENT_DAYS = 366
/** No statement is of earlier days than a computer's. */
const FIRST_DAY = '1970-01-01'
const DAY_MS = 86_400_000

/** Whole days of the bank, YYYY-MM-DD, both of them included. */
export type StatementRange = { from: string; to: string }

/** What is wrong with a range, and with which of its days. `isBegun`: the day is none that anybody means yet, as while it is typed. */
type RangeFault = { field: keyof StatementRange; code: ErrorCode; isBegun: boolean }

/** What is wrong with a range, where something is: a day that is missing is ''. `today`: the business day. */
export function rangeFault({ from, to }: StatementRange, today: string): RangeFault | null {
  for (const [field, day] of [['from', from] as const, ['to', to] as const]) {
    if (day === '') return { field, code: 'fields_missing', isBegun: true }
    if (day < FIRST_DAY) return { field, code: 'statement_range_early', isBegun: true }
  }
  const whole = (field: keyof StatementRange, code: ErrorCode) => ({ field, code, isBegun: false })
  if (from > to) return whole('from', 'statement_range_reversed')
  if (to > today) return whole('to', 'statement_range_ahead')
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return days > STATEMENT_DAYS ? whole('from', 'statement_range_long') : null
}
