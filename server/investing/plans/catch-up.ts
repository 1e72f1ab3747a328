import { fillOrder } from '#server/investing/orders/fill.ts'
import { planNextRun } from '#server/investing/orders/next-run.ts'
import type { OrderRow } from '#server/investing/orders/order.ts'
import { placeDate, placedAt, type RunDeps } from '#server/investing/plans/due.ts'
import type { PlanRow } from '#server/investing/plans/plan.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { dueUpTo } from '#server/schedules/calendar.ts'

/**
 * Does what is due of a customer in the order in which it became due, so that a late run does the same as punctual ones: an
 * order that sold units pays for what a plan buys after it. Done again, or twice at once, it does nothing twice.
 */
export async function doWhatIsDue(deps: RunDeps, customerId: string): Promise<void> {
  const unpriced = new Set<string>()
  for (;;) {
    const order = await oldestOrder(deps, customerId, unpriced)
    const plan = await oldestPlan(deps, customerId)
    if (!order && !plan) break
    if (plan && (!order || placedAt(plan) <= order.priced_at)) await placeDate(deps, plan)
    else if (order && !(await fillOrder(deps, order))) unpriced.add(order.id)
  }
  await inTransaction(deps.db, (trx) => planNextRun(trx, deps, customerId))
}

function oldestOrder(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  without: ReadonlySet<string>,
): Promise<OrderRow | undefined> {
  let query = db
    .selectFrom('bank.fund_order')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('status', '=', 'pending')
    .where('priced_at', '<=', clock.businessNow())
  if (without.size > 0) query = query.where('id', 'not in', [...without])
  return query.orderBy('priced_at').orderBy('placed_at').orderBy('id').limit(1).executeTakeFirst()
}

function oldestPlan({ db, clock }: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<PlanRow | undefined> {
  return db
    .selectFrom('bank.fund_plan')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .where('due_on', '<=', dueUpTo(clock.businessNow()))
    .orderBy('due_on')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}
