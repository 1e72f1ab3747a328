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
 * Does a customer's due work in the order of the due times, so that a late run has the same result as punctual runs. It makes
 * the purchases of plans first. Before each of them, it fills the orders with earlier prices. Then it fills the other orders. A
 * repeated or concurrent run does nothing twice.
 */
export const runDueInvestments = (deps: Deps, customerId: string): Promise<void> => runDue(deps, fundPlans, customerId)

export const runJob = defineJob({
  ...FILL,
  work: (deps: Deps, { customerId }: { customerId: string }) => runDueInvestments(deps, customerId),
})

/**
 * Selects the pending orders that can be filled: the market of their fund is open, and its last price is from their pricing
 * time or later. Orders that must still wait are left out, because they would delay other orders in the sweep.
 */
async function pricedOrders({ db, prices }: Pick<Deps, 'db' | 'prices'>) {
  const markets = await Promise.all(FUNDS.map((fund) => marketOf({ prices }, fund)))
  const openMarkets = markets.filter(({ status }) => status === 'open')
  const orders = db
    .selectFrom('bank.fund_order')
    .where('status', '=', 'pending')
    .where(({ eb, and, or }) =>
      or(
        openMarkets.flatMap(({ asset, price }) =>
          price ? [and([eb('fund', '=', asset as Fund), eb('priced_at', '<=', price.at)])] : [],
        ),
      ),
    )
  return { orders }
}

/** Returns the customers who have at least one order that is due and can be filled. */
export async function dueCustomers(
  deps: Pick<Deps, 'db' | 'clock' | 'prices'>,
  after: { id: string } | null,
): Promise<{ id: string }[]> {
  const { orders } = await pricedOrders(deps)
  let query = orders.select('customer_id as id').distinct().where('priced_at', '<=', deps.clock.businessNow())
  if (after) query = query.where('customer_id', '>', after.id)
  return query.orderBy('customer_id').limit(PAGE_SIZE).execute()
}

/** Does due work that the customer's own job has not done: the job failed permanently, was lost, or found no price. */
export const sweepJob = defineSweep({
  name: 'investing.run_overdue',
  everyMinutes: 5,
  find: dueCustomers,
  work: (deps, { id }) => runDueInvestments(deps, id),
  failed: 'investments that are due could not be made',
})

export const overdueFundOrders: WaitingMoney = {
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
