import { RUN } from '#server/investing/orders/next-run.ts'
import { doWhatIsDue } from '#server/investing/plans/catch-up.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob, defineRecurringJob } from '#server/platform/jobs/job.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'
import { priceAfter } from '#server/markets/prices.ts'
import { dueUpTo, paidFrom } from '#server/schedules/calendar.ts'

/** How many customers one run of the sweep sees to. */
const SWEPT = 2_000

export const runJob = defineJob({
  ...RUN,
  work: (deps: Deps, { customerId }: { customerId: string }) => doWhatIsDue(deps, customerId),
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
      await doWhatIsDue(deps, customerId).catch((error: unknown) =>
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
