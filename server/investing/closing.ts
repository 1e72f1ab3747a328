import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { stopRuns } from '#server/investing/next-run.ts'
import { fundAccounts } from '#server/investing/orders/accounts.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'

/**
 * Ends the recurring investments of a customer who closes. Throws Refusal `orders_pending` while an order is pending, and
 * `units_left` while they hold units.
 */
export async function endInvesting(trx: Transaction<Database>, customerId: string): Promise<void> {
  const pending = await trx
    .selectFrom('bank.fund_order')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('status', '=', 'pending')
    .limit(1)
    .executeTakeFirst()
  if (pending) throw new Refusal('orders_pending')
  const accounts = await fundAccounts(runIn(trx), customerId)
  if ([...accounts.values()].some(({ balanceMinor }) => balanceMinor > 0)) throw new Refusal('units_left')
  await trx
    .updateTable('bank.fund_plan')
    .set({ status: 'cancelled' })
    .where('customer_id', '=', customerId)
    .where('status', '<>', 'cancelled')
    .execute()
  await stopRuns(trx, customerId)
}
