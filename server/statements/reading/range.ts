import { dayAfter } from '#server/calendar/days.ts'
import type { Period } from '#server/calendar/months.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'
import { Refusal } from '#contract/errors.ts'
import { rangeFault, type StatementRange } from '#contract/statement-range.ts'

export const RANGE_REFUSALS = [
  'statement_range_early',
  'statement_range_reversed',
  'statement_range_ahead',
  'statement_range_long',
] as const

/**
 * Returns the period of a range, which includes both of its days. Throws Refusal `statement_range_early`,
 * `statement_range_reversed`, `statement_range_ahead` for a range that ends after today in business time, and
 * `statement_range_long`.
 */
export function periodOf(range: StatementRange, now: Date): Period {
  const fault = rangeFault(range, dayOf(now))
  if (fault) throw new Refusal(fault.code, fault.field)
  return { from: timeOn(range.from), to: timeOn(dayAfter(range.to)) }
}
