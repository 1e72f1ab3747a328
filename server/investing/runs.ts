import { type Fund, FUNDS } from '#contract/markets.ts'
import { RUN } from '#server/investing/orders/next-run.ts'
import { doWhatIsDue } from '#server/investing/plans/catch-up.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob, defineRecurringJob } from '#server/platform/jobs/job.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'
import { marketOf } from '#server/markets/prices.ts'
import { dueUpTo, paidFrom } from '#server/schedules/calendar.ts'

/** How many customers one run of the sweep sees to. */
const SWEPT = 2_000

export const runJob = defineJob({
  ...RUN,
  work: (deps: Deps, { customerId }: { customerId: string }) => doWhatIsDue(deps, customerId),
})

/**
 * Pending orders whose price the bank has (priceOfOrder): the last price of their fund, which is open, is of their time or
 * later. Others can only wait, and would keep the sweep from those behind them.
 */
async function pricedOrders({ db, prices }: Pick<Deps, 'db' | 'prices'>) {
  const markets = await Promise.all(FUNDS.map((fund) => marketOf({ prices }, fund)))
  const open = markets.filter(({ status }) => status === 'open')
  const orders = db
    .selectFrom('bank.fund_order')
    .where('status', '=', 'pending')
    .where(({ eb, and, or }) =>
      or(
        open.flatMap(({ asset, price }) =>
          price ? [and([eb('fund', '=', asset as Fund), eb('priced_at', '<=', price.at)])] : [],
        ),
      ),
    )
  return { orders }
}

/** Customers of whom something can be done that is due, who waited longest first: so many of orders, and of plans. */
export async function dueCustomers(deps: Pick<Deps, 'db' | 'clock' | 'prices'>, most = SWEPT): Promise<string[]> {
  const { db, clock } = deps
  const now = clock.businessNow()
  const priced = await pricedOrders(deps)
  const orders = await priced.orders
    .select('customer_id')
    .where('priced_at', '<=', now)
    .groupBy('customer_id')
    .orderBy(({ fn }) => fn.min('priced_at'))
    .limit(most)
    .execute()
  const plans = await db
    .selectFrom('bank.fund_plan')
    .select('customer_id')
    .where('status', '=', 'active')
    .where('due_on', '<=', dueUpTo(now))
    .groupBy('customer_id')
    .orderBy(({ fn }) => fn.min('due_on'))
    .limit(most)
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
    const { orders } = await pricedOrders(deps)
    const { since } = await orders
      .select(({ fn }) => fn.min('priced_at').as('since'))
      .where('priced_at', '<=', deps.clock.businessNow())
      .executeTakeFirstOrThrow()
    return since
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
