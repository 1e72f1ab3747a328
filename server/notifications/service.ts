import { randomUUIDv7 } from 'node:crypto'
import type { Bank } from '#server/bank.ts'
import type { Run } from '#server/db/run.ts'

export type NewNotification = {
  customerId: string
  /** What it is about: 'payment_received'. */
  kind: string
  title: string
  message: string
  /** Business time; now unless told. */
  createdAt?: Date
}

/** Tells a customer something inside the app, once the SQL transaction that `run` belongs to commits. */
export async function notify(bank: Pick<Bank, 'clock' | 'events'>, run: Run, notice: NewNotification): Promise<void> {
  await run(
    `INSERT INTO bank.notification (id, customer_id, kind, title, message, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      randomUUIDv7(),
      notice.customerId,
      notice.kind,
      notice.title,
      notice.message,
      notice.createdAt ?? bank.clock.businessNow(),
    ],
  )
  await bank.events.notify(run, [notice.customerId], 'notification')
}

/** How many notices the customer has not read. */
export async function unreadCount(bank: Pick<Bank, 'db'>, customerId: string): Promise<number> {
  const { count } = await bank.db
    .selectFrom('bank.notification')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
