import { randomUUIDv7 } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { type NoticeContent, NOTICES } from '#contract/notices.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { enqueuePushes } from '#server/notifications/push/deliver.ts'
import { IS_WANTED } from '#server/notifications/topics.ts'

export type NewNotice = NoticeContent & {
  customerId: string
  /** The time of the notice in business time. The default is the present time. */
  createdAt?: Date
}

/**
 * Notifies a customer inside the app when the SQL transaction of `db` commits. A customer who has switched the topic off or
 * has closed their account gets no notice.
 *
 * @example
 * ```ts
 * const params = { amountMinor: 5_000_00, asset: 'USD' as const }
 * await notify(deps, trx, { customerId, kind: 'loan_disbursed', params })
 * ```
 */
export async function notify(
  deps: Pick<Deps, 'clock' | 'events'>,
  db: Kysely<Database>,
  notice: NewNotice,
): Promise<void> {
  await notifyAll(deps, db, [notice])
}

/**
 * Notifies many customers at once. Every notice goes through this function. Without a transaction it opens one, so that every
 * stored notice is also announced and pushed.
 */
export async function notifyAll(
  deps: Pick<Deps, 'clock' | 'events'>,
  db: Kysely<Database>,
  notices: readonly NewNotice[],
): Promise<void> {
  const work = (trx: Transaction<Database>) => notifyWithin(deps, trx, notices)
  await (db.isTransaction ? work(db as Transaction<Database>) : inTransaction(db, work))
}

type NotifiedCustomer = { id: string; customer_id: string; has_push: boolean }

async function notifyWithin(
  deps: Pick<Deps, 'clock' | 'events'>,
  trx: Transaction<Database>,
  notices: readonly NewNotice[],
): Promise<void> {
  const now = deps.clock.businessNow().toISOString()
  const { rows } = await runIn(trx)(
    // Every payment runs this statement. So it is plain SQL with arrays, which has the same text for any number of notices. The
    // LIMIT makes PostgreSQL look the customers up through their index, even if it estimates that the table is small.
    `INSERT INTO bank.notification (id, customer_id, kind, params, created_at)
     SELECT told.id, told.customer_id, told.kind, told.params, told.created_at
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::jsonb[], $5::timestamptz[], $6::text[])
         AS told (id, customer_id, kind, params, created_at, topic)
      CROSS JOIN LATERAL (SELECT notifications, transaction_alerts, muted_topics, closed_at
                            FROM bank.customer WHERE id = told.customer_id LIMIT 1) wants
      WHERE wants.closed_at IS NULL AND (${IS_WANTED})
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
  const inserted = rows as NotifiedCustomer[]
  if (inserted.length === 0) return
  const pushed = inserted
    .filter(({ has_push }) => has_push)
    .map(({ id, customer_id: customerId }) => ({ id, customerId }))
  if (pushed.length > 0) await enqueuePushes(deps, trx, pushed)
  await deps.events.notify(trx, [...new Set(inserted.map(({ customer_id }) => customer_id))], 'notification')
}

/** Returns the number of a customer's unread notices. */
export async function unreadCount(deps: Pick<Deps, 'db'>, customerId: string): Promise<number> {
  const { count } = await selectUnread(deps.db, customerId).executeTakeFirstOrThrow()
  return count
}

/** Returns the query for the number of unread notices, as a part of a larger statement. */
export const selectUnread = (db: Kysely<Database>, customerId: string) =>
  db
    .selectFrom('bank.notification')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('read_at', 'is', null)
