import type { Period } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { sql } from 'kysely'
import { type Category, SPENDING } from '#contract/categories.ts'
import type { ImportedMonth } from '#contract/statements.ts'
import type { Deps } from '#server/platform/deps.ts'

/** What was spent in a calendar month, YYYY-MM, on something; US cents, below zero where more was refunded. */
export type ImportedSpending = { month: string; category: Category; spentMinor: number }

/**
 * What a customer's imported payments spent, by calendar month, newest first, and category, most first; refunds taken off, as the
 * ledger's sums have it. `period` is made of whole days, the last one left out. For analytics to add to what the ledger
 * says: none of it is money of this bank.
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

/** The months that a customer is shown. */
const MONTHS_SHOWN = 24

/** The latest months with imported spending, newest first. */
export async function importedMonths(deps: Pick<Deps, 'db'>, customerId: string): Promise<ImportedMonth[]> {
  const months = new Map<string, ImportedMonth>()
  const ever = { from: new Date(0), to: new Date('9999-12-31') }
  for (const { month, category, spentMinor } of await importedSpending(deps, customerId, ever)) {
    const known = months.get(month) ?? { month, spentMinor: 0, asset: 'USD', categories: [] }
    known.spentMinor += spentMinor
    known.categories.push({ category, spentMinor })
    months.set(month, known)
  }
  return [...months.values()].slice(0, MONTHS_SHOWN)
}
