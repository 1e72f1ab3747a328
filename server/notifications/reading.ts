import {
  NOTICE_TOPICS,
  type NoticePreferenceChange,
  type NoticePreferences,
  type NoticeTopicChoice,
} from '#contract/notice-topics.ts'
import type { Notice } from '#contract/notifications.ts'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { notifyWithin } from '#server/platform/events/bank-event.ts'
import { isUuid } from '#server/platform/uuid.ts'
import { noticeWords, parseNotice } from '#contract/parse-notice.ts'

/** The position of a notice in a customer's list. */
type NoticePlace = Pick<Notice, 'createdAt' | 'id'>

type Part = { before: NoticePlace | null; limit: number }

/** Returns a customer's notices, newest first. `before` is the last notice on the previous page. */
async function noticesOf({ db }: Pick<Deps, 'db'>, customerId: string, { before, limit }: Part): Promise<Notice[]> {
  let query = db
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

/** Makes a cursor from the time and the id of the last notice on a page. */
const writeCursor = ({ createdAt, id }: NoticePlace): string => `${Date.parse(createdAt)}.${id}`

/** Reads a cursor. Throws Refusal `cursor_invalid`. */
function readCursor(cursor: string | undefined): NoticePlace | null {
  if (cursor === undefined) return null
  const [time = '', id = ''] = cursor.split('.', 2)
  const moment = new Date(/^\d{1,15}$/.test(time) ? Number(time) : Number.NaN)
  if (Number.isNaN(moment.getTime()) || !isUuid(id)) throw new Refusal('cursor_invalid', 'cursor')
  return { createdAt: moment.toISOString(), id }
}

type Page = { cursor?: string | undefined; limit: number }

/**
 * Returns a page of a customer's notices, newest first. It leaves out kinds that this version does not have. Throws Refusal
 * `cursor_invalid`.
 */
export async function listNotices(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { cursor, limit }: Page,
): Promise<{ notices: Notice[]; nextCursor: string | null }> {
  const list = await noticesOf(deps, customerId, { before: readCursor(cursor), limit: limit + 1 })
  const page = list.slice(0, limit)
  const last = page.at(-1)
  const notices = page.flatMap((notice) => {
    const content = parseNotice(notice)
    return content ? [{ ...notice, ...content }] : []
  })
  return { notices, nextCursor: list.length > limit && last ? writeCursor(last) : null }
}

type Read = Pick<Deps, 'db' | 'clock'>

/** Marks one notice as read. Throws Refusal `not_found` if it is not the customer's. */
export async function markOneRead(deps: Read, customerId: string, id: string): Promise<void> {
  await requireNotice(deps, customerId, id)
  await markRead(deps, customerId, { only: id })
}

/**
 * Marks the notice `id` and all notices that were written before it as read. The order is by time of writing, which the ids
 * contain. A notice about an earlier moment that was written later stays unread, because the customer has not seen it. Throws
 * Refusal `not_found` if `id` is not the customer's.
 */
export async function markReadUpTo(deps: Read, customerId: string, id: string): Promise<void> {
  await requireNotice(deps, customerId, id)
  await markRead(deps, customerId, { upTo: id })
}

async function requireNotice({ db }: Pick<Deps, 'db'>, customerId: string, id: string): Promise<void> {
  if (!isUuid(id)) throw new Refusal('not_found')
  const row = await db
    .selectFrom('bank.notification')
    .select('id')
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
}

/** Marks notices as read and, if anything changed, informs the customer's other open screens. */
async function markRead(
  { db, clock }: Read,
  customerId: string,
  which: { only: string } | { upTo: string },
): Promise<void> {
  const markedRows = await db
    .updateTable('bank.notification')
    .set({ read_at: clock.businessNow() })
    .where('customer_id', '=', customerId)
    .where('read_at', 'is', null)
    .where((eb) => ('only' in which ? eb('id', '=', which.only) : eb('id', '<=', which.upTo)))
    .returning('id')
    .execute()
  if (markedRows.length > 0) await notifyWithin(db, [customerId], 'notification')
}

const isMutable = (topic: string): topic is NoticeTopicChoice => (NOTICE_TOPICS as readonly string[]).includes(topic)

/** Returns a customer's notice preferences. */
export async function noticePreferencesOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<NoticePreferences> {
  const row = await db
    .selectFrom('bank.customer')
    .select(['notifications', 'transaction_alerts', 'muted_topics'])
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  const topics = Object.fromEntries(NOTICE_TOPICS.map((topic) => [topic, !row.muted_topics.includes(topic)]))
  return {
    notifications: row.notifications,
    transactionAlerts: row.transaction_alerts,
    topics: topics as NoticePreferences['topics'],
  }
}

/** Saves notice preferences. A missing field stays as it is. */
export async function changeNoticePreferences(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { notifications, transactionAlerts, topics = {} }: NoticePreferenceChange,
): Promise<NoticePreferences> {
  await deps.db.transaction().execute(async (trx) => {
    const { muted_topics: muted } = await trx
      .selectFrom('bank.customer')
      .select('muted_topics')
      .where('id', '=', customerId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const keptTopics = muted.filter((topic) => !isMutable(topic) || topics[topic] === undefined)
    const addedTopics = NOTICE_TOPICS.filter((topic) => topics[topic] === false)
    await trx
      .updateTable('bank.customer')
      .set({
        muted_topics: [...keptTopics, ...addedTopics],
        ...(notifications === undefined ? {} : { notifications }),
        ...(transactionAlerts === undefined ? {} : { transaction_alerts: transactionAlerts }),
      })
      .where('id', '=', customerId)
      .execute()
  })
  return noticePreferencesOf(deps, customerId)
}

/** Returns a customer's notices for the data export, with their texts. */
export async function* exportNotices(deps: Pick<Deps, 'db' | 'translations'>, customerId: string) {
  const { language } = await deps.db
    .selectFrom('bank.customer')
    .select('language')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  const translator = deps.translations.in(language)
  const notices = everyPage(
    (before: NoticePlace | null) => noticesOf(deps, customerId, { before, limit: PAGE_SIZE }),
    (notice) => notice,
  )
  for await (const notice of notices) yield { ...notice, ...noticeWords(notice, translator) }
}
