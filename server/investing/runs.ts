import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { type Fund, FUNDS } from '#contract/markets.ts'
import { FILL } from '#server/investing/orders/next-fill.ts'
import { fundPlans } from '#server/investing/plans/plan.ts'
import { marketOf } from '#server/markets/prices.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'
import { runDue } from '#server/standing-orders/running.ts'

/**
 * Does what is due of a customer in the order in which it became due, so that a late run does the same as punctual ones: the
 * dates of plans, each after the orders that were priced before it, then the other orders. Done again, or twice at once, it
 * does nothing twice.
 */
export const doWhatIsDue = (deps: Deps, customerId: string): Promise<void> => runDue(deps, fundPlans, customerId)

export const runJob = defineJob({
  ...FILL,
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

/** Customers with at least one order that is due and has its price. */
export async function dueCustomers(
  deps: Pick<Deps, 'db' | 'clock' | 'prices'>,
  after: { id: string } | null,
): Promise<{ id: string }[]> {
  const { orders } = await pricedOrders(deps)
  let query = orders.select('customer_id as id').distinct().where('priced_at', '<=', deps.clock.businessNow())
  if (after) query = query.where('customer_id', '>', after.id)
  return query.orderBy('customer_id').limit(PAGE_SIZE).execute()
}

/** Does what is due whose own job failed for good, was lost, or found no price. */
export const sweepJob = defineSweep({
  name: 'investing.run_overdue',
  everyMinutes: 5,
  find: dueCustomers,
  work: (deps, { id }) => doWhatIsDue(deps, id),
  failed: 'investments that are due could not be made',
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
