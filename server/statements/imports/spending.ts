import type { Period } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { sql } from 'kysely'
import { type Category, SPENDING } from '#contract/categories.ts'
import type { ImportedMonth } from '#contract/statements.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The spending of a calendar month (YYYY-MM) in a category, in US cents. It is negative if refunds exceed spending. */
export type ImportedSpending = { month: string; category: Category; spentMinor: number }

/**
 * Returns the spending in a customer's imported payments, by calendar month (newest first) and category (highest first).
 * Refunds are subtracted, as in the ledger's sums. `period` covers whole days, and its end is not included. Analytics adds the
 * result to the ledger's figures, although the money was never at this bank.
 */
export async function importedSpending(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  { from, to }: Period,
): Promise<ImportedSpending[]> {
  const month = sql<string>`left(booked_on::text, 7)`
  const rows = await db
    .selectFrom('bank.imported_payment')
    .select(['category', month.as('month')])
    .select(sql<string>`(-sum(amount_minor))::text`.as('spent_minor'))
    .where('customer_id', '=', customerId)
    .where('booked_on', '>=', dayOf(from))
    .where('booked_on', '<', dayOf(to))
    .where('category', 'in', [...SPENDING])
    .groupBy([month, 'category'])
    .orderBy(month, 'desc')
    .orderBy(sql`sum(amount_minor)`)
    .orderBy('category')
    .execute()
  return rows.map((row) => ({
    month: row.month,
    category: row.category as Category,
    spentMinor: Number(row.spent_minor),
  }))
}

/** The number of months shown to a customer. */
const MONTHS_SHOWN = 24

/** Returns the latest months with imported spending, newest first. */
export async function importedMonths(deps: Pick<Deps, 'db'>, customerId: string): Promise<ImportedMonth[]> {
  const months = new Map<string, ImportedMonth>()
  const allTime = { from: new Date(0), to: new Date('9999-12-31') }
  for (const { month, category, spentMinor } of await importedSpending(deps, customerId, allTime)) {
    const total = months.get(month) ?? { month, spentMinor: 0, asset: 'USD', categories: [] }
    total.spentMinor += spentMinor
    total.categories.push({ category, spentMinor })
    months.set(month, total)
  }
  return [...months.values()].slice(0, MONTHS_SHOWN)
}
