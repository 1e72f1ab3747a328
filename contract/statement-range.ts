import type { ErrorCode } from '#contract/errors.ts'

/** The maximum number of days in a statement. */
const STATEMENT_DAYS = 366
/** The earliest possible first day of a statement: the start of Unix time. */
const FIRST_DAY = '1970-01-01'
const DAY_MS = 86_400_000

/** The first and the last day of a statement, YYYY-MM-DD, in the bank's time zone. The statement includes both days. */
export type StatementRange = { from: string; to: string }

/**
 * The error of a range, and the field with the day that causes the error. `isBegun` is true if the day is missing or before
 * 1970. The customer may then still be typing the day.
 */
type RangeFault = { field: keyof StatementRange; code: ErrorCode; isBegun: boolean }

/** Returns the error of a range; null if the range is valid. A missing day is ''. `today` is the business day. */
export function rangeFault({ from, to }: StatementRange, today: string): RangeFault | null {
  for (const [field, day] of [['from', from] as const, ['to', to] as const]) {
    if (day === '') return { field, code: 'fields_missing', isBegun: true }
    if (day < FIRST_DAY) return { field, code: 'statement_range_early', isBegun: true }
  }
  const rangeError = (field: keyof StatementRange, code: ErrorCode) => ({ field, code, isBegun: false })
  if (from > to) return rangeError('from', 'statement_range_reversed')
  if (to > today) return rangeError('to', 'statement_range_ahead')
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return days > STATEMENT_DAYS ? rangeError('from', 'statement_range_long') : null
}
