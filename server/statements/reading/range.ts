import { Refusal } from '#contract/errors.ts'
import { rangeFault, type StatementRange } from '#contract/statement-range.ts'
import type { Period } from '#server/ledger/flows.ts'
import { DAY_MS, dayOf } from '#server/platform/days.ts'

/**
 * The period of a range, whose days are both of them part of it. Throws Refusal `statement_range_early`,
 * `statement_range_reversed`, `statement_range_ahead` for one that ends after today, business time, and
 * `statement_range_long`.
 */
export function periodOf(range: StatementRange, now: Date): Period {
  const fault = rangeFault(range, dayOf(now))
  if (fault) throw new Refusal(fault.code, fault.field)
  return { from: new Date(range.from), to: new Date(Date.parse(range.to) + DAY_MS) }
}
