import { Refusal } from '#contract/errors.ts'
import { STATEMENT_DAYS } from '#contract/statement-formats.ts'
import { type StatementRange } from '#contract/statements.ts'
import type { Period } from '#server/ledger/flows.ts'
import { DAY_MS, dayOf } from '#server/platform/days.ts'

/**
 * The period of a range, whose days are both of them part of it. Throws Refusal `statement_range_reversed`,
 * `statement_range_ahead` for one that ends after today, business time, and `statement_range_long`.
 */
export function periodOf({ from, to }: StatementRange, now: Date): Period {
  if (from > to) throw new Refusal('statement_range_reversed', 'from')
  if (to > dayOf(now)) throw new Refusal('statement_range_ahead', 'to')
  const period = { from: new Date(from), to: new Date(Date.parse(to) + DAY_MS) }
  if (period.to.getTime() - period.from.getTime() > STATEMENT_DAYS * DAY_MS)
    throw new Refusal('statement_range_long', 'from')
  return period
}
