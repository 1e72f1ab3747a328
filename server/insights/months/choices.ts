import type { Period } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { type Kysely } from 'kysely'
import { isSpendingCategory, type SpendingCategory } from '#contract/categories.ts'
import { payeeNamed } from '#server/ledger/payees.ts'
import type { Line } from '#server/ledger/statement.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** What a customer calls payments otherwise than the bank does. */
export type Choices = {
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

/** A customer's choices: all that they made of payees, and of the single payments in a period. */
export async function choicesOf(db: Kysely<Database>, customerId: string, period: Period): Promise<Choices> {
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

/** What a payment to a payee counts as, in whatever category it was booked. */
export const countedAs = ({ payees }: Choices, payee: string, booked: SpendingCategory): SpendingCategory =>
  payees.get(payee) ?? booked

/** The category in which a booked line of a customer's is counted; null for what is no spending, or has not been booked. */
export async function countedCategory(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  { id, category, version, name }: Line,
): Promise<SpendingCategory | null> {
  if (!isSpendingCategory(category) || version === null) return null
  const chosen = await db
    .selectFrom('bank.line_category')
    .select('category')
    .where('customer_id', '=', customerId)
    .where('line_id', '=', id)
    .executeTakeFirst()
  if (chosen) return chosen.category as SpendingCategory
  if (name?.code !== 'name') return category
  const payee = await payeeNamed(runIn(db), name.params['name'] ?? '')
  const ofPayee = await db
    .selectFrom('bank.payee_category')
    .select('category')
    .where('customer_id', '=', customerId)
    .where('payee', '=', payee)
    .executeTakeFirst()
  return (ofPayee?.category as SpendingCategory | undefined) ?? category
}
