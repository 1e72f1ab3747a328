import type { Transaction } from 'kysely'
import { z } from 'zod'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { dequeue, enqueue } from '#server/platform/jobs/queue.ts'

/**
 * The job that fills a customer's orders at their pricing time. Each customer has one such job, so that older orders are filled
 * first.
 */
export const FILL = { name: 'investing.run', payload: z.object({ customerId: z.uuid() }) }

const keyOf = (customerId: string) => `${FILL.name}:${customerId}`

/**
 * Schedules the job for the pricing time of a customer's next order. Two simultaneous changes may schedule the job too late. In
 * this case the sweep fills the order.
 */
export async function planNextFill(
  trx: Transaction<Database>,
  { clock }: Pick<Deps, 'clock'>,
  customerId: string,
): Promise<void> {
  const { at: nextFillAt } = await trx
    .selectFrom('bank.fund_order')
    .select(({ fn }) => fn.min('priced_at').as('at'))
    .where('customer_id', '=', customerId)
    .where('status', '=', 'pending')
    // Orders whose pricing time has passed are filled by the sweep.
    .where('priced_at', '>', clock.businessNow())
    .executeTakeFirstOrThrow()
  if (nextFillAt === null) return dequeue(trx, keyOf(customerId))
  await enqueue(trx, FILL, { customerId }, { at: nextFillAt, key: keyOf(customerId) })
}
