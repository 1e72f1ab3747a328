import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { fundAccounts } from '#server/investing/orders/accounts.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'

/**
 * Checks that a customer who closes has no investments. Throws Refusal `orders_pending` if an order is pending, and
 * `units_left` if the customer holds units.
 */
export async function endInvesting(trx: Transaction<Database>, customerId: string): Promise<void> {
  const { orders, pending } = await trx
    .selectFrom('bank.fund_order')
    .select(({ fn }) => [
      fn.countAll<number>().as('orders'),
      fn.countAll<number>().filterWhere('status', '=', 'pending').as('pending'),
    ])
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  if (pending > 0) throw new Refusal('orders_pending')
  // Most customers never placed an order.
  const accounts = orders > 0 ? [...(await fundAccounts(runIn(trx), customerId)).values()] : []
  if (accounts.some(({ balanceMinor }) => balanceMinor > 0)) throw new Refusal('units_left')
}
