import { monthOf } from '#server/calendar/months.ts'
import type { Kysely } from 'kysely'
import type { BudgetRequest } from '#contract/analytics.ts'
import type { SpendingCategory } from '#contract/categories.ts'
import { lockCustomer, lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { monthSpending } from '#server/insights/months/months.ts'
import { requestCheck } from '#server/insights/months/request-check.ts'
import { notifyAll } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The percentages of a budget at which the customer gets a notice, highest first. */
const TOLD_AT = [100, 80] as const
type ToldAt = (typeof TOLD_AT)[number]

/** Returns a customer's budgets for a month (YYYY-MM) by category, in US cents: those in effect at the end of the month. */
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

/** Sets a budget from this month on, or removes it. A new limit makes a new budget, with notices of its own. */
export async function setBudget(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  { category, limitMinor }: BudgetRequest,
): Promise<void> {
  const month = monthOf(clock.businessNow())
  await inTransaction(db, async (trx) => {
    // The lock makes concurrent changes run one after the other. It also refuses a customer who closes their account at the
    // same moment.
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
    // The spending may already exceed a threshold of the new budget.
    await requestCheck(trx, customerId)
  })
}

const noticeThreshold = (spentMinor: number, limitMinor: number): ToldAt | null =>
  TOLD_AT.find((percent) => BigInt(spentMinor) * 100n >= BigInt(limitMinor) * BigInt(percent)) ?? null

/**
 * Notifies a customer of this month's budgets that are nearly or fully used. Each notice is sent once, even if several runs
 * overlap.
 */
export async function notifyBudgets(deps: Pick<Deps, 'db' | 'clock' | 'events'>, customerId: string): Promise<void> {
  const month = monthOf(deps.clock.businessNow())
  if ((await budgetsOf(deps.db, customerId, month)).size === 0) return
  const { categories } = await monthSpending(deps, customerId, month)
  await inTransaction(deps.db, async (trx) => {
    // A budget that was set meanwhile is a new budget, which the next run checks. A customer who has closed their account gets
    // no rows.
    if (!(await lockCustomer(trx, customerId))) return
    const budgets = await budgetsOf(trx, customerId, month)
    for (const { category, spentMinor } of categories) {
      const limitMinor = budgets.get(category)
      const percent = limitMinor === undefined ? null : noticeThreshold(spentMinor, limitMinor)
      if (limitMinor === undefined || percent === null) continue
      // After the notice of a fully used budget, the notice of a nearly used one is not sent.
      const reached = TOLD_AT.filter((threshold) => threshold <= percent)
      const updatedBudgets = await trx
        .insertInto('bank.budget_notice')
        .values(reached.map((threshold) => ({ customer_id: customerId, category, month, percent: threshold })))
        .onConflict((conflict) => conflict.doNothing())
        .returning('percent')
        .execute()
      if (!updatedBudgets.some((row) => row.percent === percent)) continue
      const kind = percent === 100 ? 'budget_spent' : 'budget_near'
      const params = { category, amountMinor: limitMinor, asset: 'USD' as const }
      await notifyAll(deps, trx, [{ customerId, kind, params }])
    }
  })
}
