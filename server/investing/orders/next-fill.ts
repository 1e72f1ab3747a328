import type { Transaction } from 'kysely'
import { z } from 'zod'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { dequeue, enqueue } from '#server/platform/jobs/queue.ts'

/** The job that fills a customer's orders when their price is made: one for all of theirs, so that what is older is done first. */
export const FILL = { name: 'investing.run', payload: z.object({ customerId: z.uuid() }) }

const keyOf = (customerId: string) => `${FILL.name}:${customerId}`

/** Has a customer's next order filled. Two changes at the same moment may leave it too late; the sweep finds what is due. */
export async function planNextFill(
  trx: Transaction<Database>,
  { clock }: Pick<Deps, 'clock'>,
  customerId: string,
): Promise<void> {
  const { at } = await trx
    .selectFrom('bank.fund_order')
    .select(({ fn }) => fn.min('priced_at').as('at'))
    .where('customer_id', '=', customerId)
    .where('status', '=', 'pending')
    // One whose price is late is the sweep's.
    .where('priced_at', '>', clock.businessNow())
    .executeTakeFirstOrThrow()
  if (at === null) return dequeue(trx, keyOf(customerId))
  await enqueue(trx, FILL, { customerId }, { at, key: keyOf(customerId) })
}
