import { randomUUIDv7 } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { type NoticeContent, NOTICES } from '#contract/notices.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { enqueuePushes } from '#server/notifications/push/deliver.ts'
import { WANTED } from '#server/notifications/topics.ts'

export type NewNotice = NoticeContent & {
  customerId: string
  /** Business time; now unless told. */
  createdAt?: Date
}

/** Tells a customer something inside the app, unless they do not want to hear of it, once the SQL transaction of `db` commits. */
export async function notify(
  deps: Pick<Deps, 'clock' | 'events'>,
  db: Kysely<Database>,
  notice: NewNotice,
): Promise<void> {
  await notifyAll(deps, db, [notice])
}

/**
 * The same for many at once. Every notice there is passes here. Outside a transaction they have one of their own, so that
 * none is kept without being announced and pushed.
 */
export async function notifyAll(
  deps: Pick<Deps, 'clock' | 'events'>,
  db: Kysely<Database>,
  notices: readonly NewNotice[],
): Promise<void> {
  const work = (trx: Transaction<Database>) => notifyWithin(deps, trx, notices)
  await (db.isTransaction ? work(db as Transaction<Database>) : inTransaction(db, work))
}

type Told = { id: string; customer_id: string; has_push: boolean }

async function notifyWithin(
  deps: Pick<Deps, 'clock' | 'events'>,
  trx: Transaction<Database>,
  notices: readonly NewNotice[],
): Promise<void> {
  const now = deps.clock.businessNow().toISOString()
  const { rows } = await runIn(trx)(
    // Plain SQL with arrays: one text, however many notices, for every payment passes here.
    // The customers one by one through their index (the LIMIT sees to it), however small PostgreSQL thinks the table.
    `INSERT INTO bank.notification (id, customer_id, kind, params, created_at)
     SELECT told.id, told.customer_id, told.kind, told.params, told.created_at
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::jsonb[], $5::timestamptz[], $6::text[])
         AS told (id, customer_id, kind, params, created_at, topic)
      CROSS JOIN LATERAL (SELECT notifications, transaction_alerts, muted_topics, closed_at
                            FROM bank.customer WHERE id = told.customer_id LIMIT 1) wants
      WHERE wants.closed_at IS NULL AND (${WANTED})
     RETURNING id, customer_id,
               EXISTS (SELECT FROM bank.push_subscription p WHERE p.customer_id = notification.customer_id) AS has_push`,
    [
      notices.map(() => randomUUIDv7()),
      notices.map(({ customerId }) => customerId),
      notices.map(({ kind }) => kind),
      notices.map(({ params }) => JSON.stringify(params)),
      notices.map(({ createdAt }) => createdAt?.toISOString() ?? now),
      notices.map(({ kind }) => NOTICES[kind][0]),
    ],
  )
  const told = rows as Told[]
  if (told.length === 0) return
  const pushed = told.filter(({ has_push }) => has_push).map(({ id, customer_id: customerId }) => ({ id, customerId }))
  if (pushed.length > 0) await enqueuePushes(deps, trx, pushed)
  await deps.events.notify(trx, [...new Set(told.map(({ customer_id }) => customer_id))], 'notification')
}

/** How many notices the customer has not read. */
export async function unreadCount(deps: Pick<Deps, 'db'>, customerId: string): Promise<number> {
  const { count } = await selectUnread(deps.db, customerId).executeTakeFirstOrThrow()
  return count
}

/** The same as a part of a larger statement. */
export const selectUnread = (db: Kysely<Database>, customerId: string) =>
  db
    .selectFrom('bank.notification')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('read_at', 'is', null)
