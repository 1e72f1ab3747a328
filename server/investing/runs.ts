import { planNextRun, RUN } from '#server/investing/orders/next-run.ts'
import { fillOrder } from '#server/investing/orders/fill.ts'
import type { OrderRow } from '#server/investing/orders/order.ts'
import { placeDate, placedAt } from '#server/investing/plans/due.ts'
import type { PlanRow } from '#server/investing/plans/plan.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob, defineRecurringJob } from '#server/platform/jobs/job.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'
import { priceAfter } from '#server/markets/prices.ts'
import { dueUpTo, paidFrom } from '#server/schedules/calendar.ts'

/** How many customers one run of the sweep sees to. */
const SWEPT = 2_000

/**
 * Does what is due of a customer in the order in which it became due, so that a late run does the same as punctual ones: an
 * order that sold units pays for what a plan buys after it. Done again, or twice at once, it does nothing twice.
 */
async function runFor(deps: Deps, customerId: string): Promise<void> {
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

export const runJob = defineJob({
  ...RUN,
  work: (deps: Deps, { customerId }: { customerId: string }) => runFor(deps, customerId),
})

/** Customers of whom something is due, who waited longest first. */
async function dueCustomers({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<string[]> {
  const now = clock.businessNow()
  const orders = await db
    .selectFrom('bank.fund_order')
    .select('customer_id')
    .where('status', '=', 'pending')
    .where('priced_at', '<=', now)
    .groupBy('customer_id')
    .orderBy(({ fn }) => fn.min('priced_at'))
    .limit(SWEPT)
    .execute()
  const plans = await db
    .selectFrom('bank.fund_plan')
    .select('customer_id')
    .where('status', '=', 'active')
    .where('due_on', '<=', dueUpTo(now))
    .groupBy('customer_id')
    .orderBy(({ fn }) => fn.min('due_on'))
    .limit(SWEPT)
    .execute()
  return [...new Set([...orders, ...plans].map((row) => row.customer_id))]
}

/** Does what is due whose own job failed for good, was lost, or found no price. */
export const sweepJob = defineRecurringJob({
  name: 'investing.run_overdue',
  everyMinutes: 5,
  work: async (deps) => {
    for (const customerId of await dueCustomers(deps)) {
      // One of whom nothing can be done must not keep the others.
      await runFor(deps, customerId).catch((error: unknown) =>
        deps.log.error({ err: error, customerId }, 'investments that are due could not be made'),
      )
    }
  },
})

export const overdueOrders: WaitingMoney = {
  name: 'orders in funds that were not filled in time',
  overdueSince: async (deps) => {
    const order = await deps.db
      .selectFrom('bank.fund_order')
      .select(['fund', 'placed_at', 'priced_at'])
      .where('status', '=', 'pending')
      .where('priced_at', '<=', deps.clock.businessNow())
      .orderBy('priced_at')
      .limit(1)
      .executeTakeFirst()
    if (!order) return null
    // Without a price there is nothing that the bank could do.
    const price = await priceAfter(deps, order.fund, order.placed_at).catch(() => null)
    return price && order.priced_at
  },
}

export const overduePlans: WaitingMoney = {
  name: 'recurring investments that were not made in time',
  overdueSince: async ({ db, clock }) => {
    const { due } = await db
      .selectFrom('bank.fund_plan')
      .select(({ fn }) => fn.min('due_on').as('due'))
      .where('status', '=', 'active')
      .where('due_on', '<=', dueUpTo(clock.businessNow()))
      .executeTakeFirstOrThrow()
    return due === null ? null : paidFrom(due)
  },
}
