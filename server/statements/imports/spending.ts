import { sql } from 'kysely'
import { type Category, SPENDING } from '#contract/categories.ts'
import type { Period } from '#server/ledger/flows.ts'
import { dayOf } from '#server/platform/days.ts'
import type { Deps } from '#server/platform/deps.ts'

/** What was spent by a customer's imported payments, of a period and in US cents; refunds taken off, as the ledger's sums have it. */
function spent({ db }: Pick<Deps, 'db'>, customerId: string, { from, to }: Period) {
  return db
    .selectFrom('bank.imported_payment')
    .select(sql<string>`(-sum(amount_minor))::text`.as('spent_minor'))
    .where('customer_id', '=', customerId)
    .where('booked_on', '>=', dayOf(from))
    .where('booked_on', '<', dayOf(to))
    .where('category', 'in', [...SPENDING])
}

/** By category, largest first. `period` is made of whole days, the last one left out. */
export async function importedSpendingByCategory(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  period: Period,
): Promise<{ category: Category; spentMinor: number }[]> {
  const rows = await spent(deps, customerId, period)
    .select('category')
    .groupBy('category')
    .orderBy(sql`sum(amount_minor)`)
    .orderBy('category')
    .execute()
  return rows.map((row) => ({ category: row.category as Category, spentMinor: Number(row.spent_minor) }))
}

/** By calendar month as YYYY-MM, oldest first; months without any are left out. */
export async function importedSpendingByMonth(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  period: Period,
): Promise<{ month: string; spentMinor: number }[]> {
  const month = sql<string>`to_char(booked_on, 'YYYY-MM')`
  const rows = await spent(deps, customerId, period).select(month.as('month')).groupBy(month).orderBy(month).execute()
  return rows.map((row) => ({ month: row.month, spentMinor: Number(row.spent_minor) }))
}
