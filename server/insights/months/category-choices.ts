import type { Period } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { type Kysely } from 'kysely'
import { isSpendingCategory, type SpendingCategory } from '#contract/categories.ts'
import { readPayeeKey } from '#server/ledger/payees.ts'
import type { Line } from '#server/ledger/statement.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** A customer's own categories for payments. */
export type CategoryChoices = {
  payees: Map<string, SpendingCategory>
  lines: {
    id: string
    payee: string
    day: string
    from: SpendingCategory
    category: SpendingCategory
    spentMinor: number
  }[]
}

/** Returns a customer's choices: all those for payees, and those for single payments in a period. */
export async function readCategoryChoices(
  db: Kysely<Database>,
  customerId: string,
  period: Period,
): Promise<CategoryChoices> {
  const [payees, lines] = await Promise.all([
    db.selectFrom('bank.payee_category').select(['payee', 'category']).where('customer_id', '=', customerId).execute(),
    db
      .selectFrom('bank.line_category')
      .select(['line_id', 'payee', 'from_category', 'category', 'spent_minor', 'day'])
      .where('customer_id', '=', customerId)
      .where('day', '>=', dayOf(period.from))
      .where('day', '<', dayOf(period.to))
      .execute(),
  ])
  return {
    payees: new Map(payees.map(({ payee, category }) => [payee, category as SpendingCategory])),
    lines: lines.map((row) => ({
      id: row.line_id,
      payee: row.payee,
      day: row.day,
      from: row.from_category as SpendingCategory,
      category: row.category as SpendingCategory,
      spentMinor: row.spent_minor,
    })),
  }
}

/** Returns the category in which a payment to a payee counts, given the category in which it was booked. */
export const effectiveCategory = (
  { payees }: CategoryChoices,
  payee: string,
  booked: SpendingCategory,
): SpendingCategory => payees.get(payee) ?? booked

/**
 * Returns the category in which a customer's booked line counts. Returns null for a line that is not spending or not booked
 * yet.
 */
export async function countedCategory(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  { id, category, version, name }: Line,
): Promise<SpendingCategory | null> {
  if (!isSpendingCategory(category) || version === null) return null
  const choice = await db
    .selectFrom('bank.line_category')
    .select('category')
    .where('customer_id', '=', customerId)
    .where('line_id', '=', id)
    .executeTakeFirst()
  if (choice) return choice.category as SpendingCategory
  if (name?.code !== 'name') return category
  const payee = await readPayeeKey(runIn(db), name.params['name'] ?? '')
  const ofPayee = await db
    .selectFrom('bank.payee_category')
    .select('category')
    .where('customer_id', '=', customerId)
    .where('payee', '=', payee)
    .executeTakeFirst()
  return (ofPayee?.category as SpendingCategory | undefined) ?? category
}
