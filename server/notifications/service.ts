import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import { noticeWords } from '#contract/notice-words.ts'
import type { Notice, NoticeContent } from '#contract/notifications.ts'
import type { Deps } from '#server/platform/deps.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { NoticeTopic } from '#server/notifications/topics.ts'

export type NewNotice = NoticeContent & {
  customerId: string
  topic: NoticeTopic
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

/** The same for many at once. Every notice there is passes here, and here alone is decided who wants to hear of what. */
export async function notifyAll(
  deps: Pick<Deps, 'clock' | 'events'>,
  db: Kysely<Database>,
  notices: readonly NewNotice[],
): Promise<void> {
  const now = deps.clock.businessNow().toISOString()
  const { rows } = await runIn(db)(
    // Plain SQL with arrays: one text, however many notices, for every payment passes here.
    // The customers one by one through their index (the LIMIT sees to it), however small PostgreSQL thinks the table.
    `INSERT INTO bank.notification (id, customer_id, kind, params, created_at)
     SELECT told.id, told.customer_id, told.kind, told.params, told.created_at
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::jsonb[], $5::timestamptz[], $6::text[])
         AS told (id, customer_id, kind, params, created_at, topic)
      CROSS JOIN LATERAL (SELECT notifications, transaction_alerts, closed_at
                            FROM bank.customer WHERE id = told.customer_id LIMIT 1) wants
      WHERE wants.closed_at IS NULL
        AND (told.topic = 'security' OR wants.notifications AND (wants.transaction_alerts OR told.topic <> 'money'))
     RETURNING customer_id`,
    [
      notices.map(() => randomUUIDv7()),
      notices.map(({ customerId }) => customerId),
      notices.map(({ kind }) => kind),
      notices.map(({ params }) => JSON.stringify(params)),
      notices.map(({ createdAt }) => createdAt?.toISOString() ?? now),
      notices.map(({ topic }) => topic),
    ],
  )
  const told = new Set(rows.map((row) => row['customer_id'] as string))
  if (told.size > 0) await deps.events.notify(db, [...told], 'notification')
}

/** Where a notice stands in a customer's list. */
type NoticePlace = Pick<Notice, 'createdAt' | 'id'>

/** A customer's notices, newest first; `before` is the last one that was read. */
async function noticesOf(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { before, limit }: { before: NoticePlace | null; limit: number },
): Promise<Notice[]> {
  let query = deps.db
    .selectFrom('bank.notification')
    .select(['id', 'kind', 'params', 'created_at', 'read_at'])
    .where('customer_id', '=', customerId)
  if (before)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(new Date(before.createdAt), before.id)),
    )
  const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map(({ created_at, read_at, ...notice }) => ({
    ...notice,
    createdAt: created_at.toISOString(),
    readAt: read_at?.toISOString() ?? null,
  }))
}

/** How many notices the customer has not read. */
export async function unreadCount(deps: Pick<Deps, 'db'>, customerId: string): Promise<number> {
  const { count } = await deps.db
    .selectFrom('bank.notification')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** What the bank told a customer, with the words of each notice, for a person reads them. */
export async function* exportedNotices(deps: Pick<Deps, 'db' | 'translations'>, customerId: string) {
  const { language } = await deps.db
    .selectFrom('bank.customer')
    .select('language')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  const translator = deps.translations.in(language)
  const all = everyPage(
    (before: NoticePlace | null) => noticesOf(deps, customerId, { before, limit: PAGE_SIZE }),
    (notice) => notice,
  )
  for await (const notice of all) yield { ...notice, ...noticeWords(notice, translator) }
}
