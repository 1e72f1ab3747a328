import type { Transaction } from 'kysely'
import { z } from 'zod'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { dequeue, enqueue } from '#server/platform/jobs/queue.ts'
import { paidFrom } from '#server/schedules/calendar.ts'

/** The job that does for a customer what is due: one for all of theirs, so that what is older is done first. */
export const RUN = { name: 'investing.run', payload: z.object({ customerId: z.uuid() }) }

const keyOf = (customerId: string) => `${RUN.name}:${customerId}`

/**
 * Has done what is next due of a customer: an order filled, or one placed by a plan. Two changes at the same moment may
 * leave it too late; the sweep finds what is due.
 */
export async function planNextRun(
  trx: Transaction<Database>,
  { clock }: Pick<Deps, 'clock'>,
  customerId: string,
): Promise<void> {
  const [orders, plans] = await Promise.all([
    trx
      .selectFrom('bank.fund_order')
      .select(({ fn }) => fn.min('priced_at').as('at'))
      .where('customer_id', '=', customerId)
      .where('status', '=', 'pending')
      // One whose price is late is the sweep's.
      .where('priced_at', '>', clock.businessNow())
      .executeTakeFirstOrThrow(),
    trx
      .selectFrom('bank.fund_plan')
      .select(({ fn }) => fn.min('due_on').as('on'))
      .where('customer_id', '=', customerId)
      .where('status', '=', 'active')
      .executeTakeFirstOrThrow(),
  ])
  const moments = [orders.at?.getTime(), plans.on === null ? undefined : paidFrom(plans.on).getTime()]
  const next = moments.filter((moment) => moment !== undefined)
  if (next.length === 0) return dequeue(trx, keyOf(customerId))
  await enqueue(trx, RUN, { customerId }, { at: new Date(Math.min(...next)), key: keyOf(customerId) })
}

/** Takes back the job of a customer who closes. */
export async function stopRuns(trx: Transaction<Database>, customerId: string): Promise<void> {
  await dequeue(trx, keyOf(customerId))
}
