import { monthOf } from '#server/calendar/months.ts'
import type { Kysely } from 'kysely'
import type { BudgetRequest } from '#contract/analytics.ts'
import type { SpendingCategory } from '#contract/categories.ts'
import { lockCustomer, lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { monthSpending } from '#server/insights/months/months.ts'
import { requestCheck } from '#server/insights/notices/recheck.ts'
import { notifyAll } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

/** What part of a budget a customer is told of having spent, per cent: the most first. */
const TOLD_AT = [100, 80] as const
type ToldAt = (typeof TOLD_AT)[number]

/** What a customer wanted to spend at most in each category of a month (YYYY-MM), US cents: the budgets that counted at its end. */
export async function budgetsOf(
  db: Kysely<Database>,
  customerId: string,
  month: string,
): Promise<Map<SpendingCategory, number>> {
  const rows = await db
    .selectFrom('bank.budget')
    .distinctOn('category')
    .select(['category', 'limit_minor'])
    .where('customer_id', '=', customerId)
    .where('from_month', '<=', month)
    .orderBy('category')
    .orderBy('from_month', 'desc')
    .execute()
  return new Map(
    rows.flatMap(({ category, limit_minor }) =>
      limit_minor === null ? [] : [[category as SpendingCategory, limit_minor] as const],
    ),
  )
}

/** Sets a budget from this month on, or takes it away. A new limit is another budget: of what is spent of it, the customer is told afresh. */
export async function setBudget(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  { category, limitMinor }: BudgetRequest,
): Promise<void> {
  const month = monthOf(clock.businessNow())
  await inTransaction(db, async (trx) => {
    // One after the other, and none for whoever closes at the same moment.
    await lockOpenCustomer(trx, customerId)
    const before = (await budgetsOf(trx, customerId, month)).get(category) ?? null
    if (limitMinor === before) return
    await trx
      .deleteFrom('bank.budget_notice')
      .where('customer_id', '=', customerId)
      .where('category', '=', category)
      .execute()
    await trx
      .insertInto('bank.budget')
      .values({ customer_id: customerId, category, from_month: month, limit_minor: limitMinor })
      .onConflict((conflict) =>
        conflict.columns(['customer_id', 'category', 'from_month']).doUpdateSet({ limit_minor: limitMinor }),
      )
      .execute()
    // More may be spent of it already than the customer is told of.
    await requestCheck(trx, customerId)
  })
}

const toldAt = (spentMinor: number, limitMinor: number): ToldAt | null =>
  TOLD_AT.find((percent) => BigInt(spentMinor) * 100n >= BigInt(limitMinor) * BigInt(percent)) ?? null

/** Tells a customer of the budgets of this month that are nearly used, or used up: once of each, whoever else looks. */
export async function tellOfBudgets(deps: Pick<Deps, 'db' | 'clock' | 'events'>, customerId: string): Promise<void> {
  const month = monthOf(deps.clock.businessNow())
  if ((await budgetsOf(deps.db, customerId, month)).size === 0) return
  const { categories } = await monthSpending(deps, customerId, month)
  await inTransaction(deps.db, async (trx) => {
    // A budget that was set meanwhile is another one, which the next run checks too; of whoever closed nothing is kept.
    if (!(await lockCustomer(trx, customerId))) return
    const budgets = await budgetsOf(trx, customerId, month)
    for (const { category, spentMinor } of categories) {
      const limitMinor = budgets.get(category)
      const percent = limitMinor === undefined ? null : toldAt(spentMinor, limitMinor)
      if (limitMinor === undefined || percent === null) continue
      // Whoever hears that it is used up need not hear later that it nearly is.
      const reached = TOLD_AT.filter((one) => one <= percent)
      const told = await trx
        .insertInto('bank.budget_notice')
        .values(reached.map((one) => ({ customer_id: customerId, category, month, percent: one })))
        .onConflict((conflict) => conflict.doNothing())
        .returning('percent')
        .execute()
      if (!told.some((row) => row.percent === percent)) continue
      const kind = percent === 100 ? 'budget_spent' : 'budget_near'
      const params = { category, amountMinor: limitMinor, asset: 'USD' as const }
      await notifyAll(deps, trx, [{ customerId, kind, params }])
    }
  })
}
