import type { Selectable, Transaction } from 'kysely'
import type { InvestmentPlan } from '#contract/investing.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { dateOf, dueOn } from '#server/schedules/calendar.ts'

export type PlanRow = Selectable<Database['bank.fund_plan']>

export function planOf(row: PlanRow): InvestmentPlan {
  return {
    id: row.id,
    fund: row.fund,
    amountMinor: row.amount_minor,
    asset: 'USD',
    every: row.every,
    nextOn: row.next_on,
    dueOn: row.due_on,
    status: row.status,
  }
}

/** What changes once a plan's next date is over: its dates. */
export function afterDate({ every, anchor_on, passed }: Pick<PlanRow, 'every' | 'anchor_on' | 'passed'>) {
  const next_on = dateOf(anchor_on, every, passed + 1)
  return { passed: passed + 1, next_on, due_on: dueOn(next_on) }
}

/** A customer's plans that are active or paused, the next one first. */
export async function plansOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<InvestmentPlan[]> {
  const rows = await db
    .selectFrom('bank.fund_plan')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('status', '<>', 'cancelled')
    .orderBy('due_on')
    .orderBy('id')
    .execute()
  return rows.map(planOf)
}

/** A plan that nobody else changes before the SQL transaction ends. */
export async function lockPlan(trx: Transaction<Database>, id: string): Promise<PlanRow | undefined> {
  return trx.selectFrom('bank.fund_plan').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}
