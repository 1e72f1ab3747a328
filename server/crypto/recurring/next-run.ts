import type { Transaction } from 'kysely'
import { z } from 'zod'
import { DAY_MS } from '#server/platform/days.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { dequeue, enqueue } from '#server/platform/jobs/queue.ts'
import { paidFrom } from '#server/schedules/calendar.ts'

/** The job that makes a customer's recurring buys that are due: one for all of theirs, so that the oldest date comes first. */
export const RUN = { name: 'crypto.buy_due', payload: z.object({ customerId: z.uuid() }) }

const keyOf = (customerId: string) => `${RUN.name}:${customerId}`

/**
 * Has a customer's next recurring buy made when it is due; the customer is locked. One that waits because its market is
 * paused is seen to at the end of its day. Belongs at the end of a run: a run that plans the next one is not tried again.
 */
export async function planNextRun(
  trx: Transaction<Database>,
  customerId: string,
  waiting: ReadonlySet<string> = new Set(),
): Promise<void> {
  const rows = await trx
    .selectFrom('bank.crypto_recurring')
    .select(['id', 'next_on'])
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .execute()
  if (rows.length === 0) return stopRuns(trx, customerId)
  const moments = rows.map(({ id, next_on: date }) =>
    waiting.has(id) ? Date.parse(date) + DAY_MS : paidFrom(date).getTime(),
  )
  await enqueue(trx, RUN, { customerId }, { at: new Date(Math.min(...moments)), key: keyOf(customerId) })
}

/** Takes back the job that would make a customer's next recurring buy. */
export async function stopRuns(trx: Transaction<Database>, customerId: string): Promise<void> {
  await dequeue(trx, keyOf(customerId))
}
