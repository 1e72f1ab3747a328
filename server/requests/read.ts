import { type Kysely, sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { BlockedRequester, LinkedRequest, MoneyRequest, RequestDetail, RequestList } from '#contract/requests.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { isUuid } from '#server/platform/uuid.ts'
import { historyOf } from '#server/requests/history.ts'
import { requestOfToken } from '#server/requests/link.ts'
import { confirmedAddressesOf } from '#server/requests/payers.ts'
import { type RequestRow, statusOf, viewOf } from '#server/requests/request.ts'

type ReadDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** How many of those that are open, and of those that are over, a list has of each side. */
const MOST_OPEN = 100
const MOST_OVER = 20

const sentBy = (db: Kysely<Database>, requesterId: string) =>
  db.selectFrom('bank.money_request').selectAll().where('requester_id', '=', requesterId)

/**
 * What a customer is asked for and may see: what was asked of them, or of an address that nobody had then and that is theirs
 * by now, by somebody they have not blocked.
 */
export const receivedBy = (db: Kysely<Database>, payerId: string) =>
  db
    .selectFrom('bank.money_request')
    .selectAll()
    .where('hidden', '=', false)
    .where('requester_id', '<>', payerId)
    .where(({ or, and, eb }) =>
      or([
        eb('payer_id', '=', payerId),
        and([eb('payer_id', 'is', null), eb('payer_address', '=', sql<string>`ANY(${confirmedAddressesOf(payerId)})`)]),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bank.request_block as b')
            .select('b.id')
            .where('b.blocker_id', '=', payerId)
            .whereRef('b.blocked_id', '=', 'bank.money_request.requester_id'),
        ),
      ),
    )

type Requests = ReturnType<typeof sentBy>

/** The open ones first, then the latest that are over. */
async function listed(deps: ReadDeps, requests: Requests, side: MoneyRequest['side']): Promise<MoneyRequest[]> {
  const now = deps.clock.businessNow()
  const newest = requests.orderBy('created_at', 'desc').orderBy('id', 'desc')
  const open = await newest.where('status', '=', 'open').where('expires_at', '>', now).limit(MOST_OPEN).execute()
  const over = await newest
    .where(({ or, eb }) => or([eb('status', '<>', 'open'), eb('expires_at', '<=', now)]))
    .limit(MOST_OVER)
    .execute()
  return [...open, ...over].map((row) => viewOf(deps, row, side))
}

/** Whom a customer has blocked, the latest first. */
export async function blockedBy({ db }: Pick<Deps, 'db'>, customerId: string): Promise<BlockedRequester[]> {
  const rows = await db
    .selectFrom('bank.request_block')
    .select(['id', 'blocked_name', 'blocked_at'])
    .where('blocker_id', '=', customerId)
    .orderBy('blocked_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, blocked_name, blocked_at }) => ({
    id,
    name: blocked_name,
    blockedAt: blocked_at.toISOString(),
  }))
}

/** What a customer is asked for, what they ask others for, and whom they have blocked. */
export async function requestsOf(deps: ReadDeps, customerId: string): Promise<RequestList> {
  return {
    received: await listed(deps, receivedBy(deps.db, customerId), 'payer'),
    sent: await listed(deps, sentBy(deps.db, customerId), 'requester'),
    blocked: await blockedBy(deps, customerId),
  }
}

/** A request that the customer has made. Throws Refusal `not_found`. */
export async function sentView(deps: ReadDeps, requesterId: string, id: string): Promise<MoneyRequest> {
  const row = isUuid(id) && (await sentBy(deps.db, requesterId).where('id', '=', id).executeTakeFirst())
  if (!row) throw new Refusal('not_found')
  return viewOf(deps, row, 'requester')
}

/** A request that the customer is asked to pay. Throws Refusal `not_found`. */
export async function findReceived(db: Kysely<Database>, payerId: string, id: string): Promise<RequestRow> {
  const row = isUuid(id) && (await receivedBy(db, payerId).where('id', '=', id).executeTakeFirst())
  if (!row) throw new Refusal('not_found')
  return row
}

/** The same as the payer sees it. Throws Refusal `not_found`. */
export async function receivedView(deps: ReadDeps, payerId: string, id: string): Promise<MoneyRequest> {
  return viewOf(deps, await findReceived(deps.db, payerId, id), 'payer')
}

/** A request of either side with what happened to it. Throws Refusal `not_found`. */
export async function readRequest(deps: ReadDeps, customerId: string, id: string): Promise<RequestDetail> {
  const sent = isUuid(id) ? await sentBy(deps.db, customerId).where('id', '=', id).executeTakeFirst() : undefined
  const row = sent ?? (await findReceived(deps.db, customerId, id))
  return { request: viewOf(deps, row, sent ? 'requester' : 'payer'), history: await historyOf(deps, row) }
}

/**
 * The request that a link leads to. Throws Refusal `request_link_not_found` for a token the bank did not make, and where
 * somebody else is known to be the one who was asked.
 */
export async function findLinked(deps: ReadDeps, readerId: string, token: string): Promise<RequestRow> {
  const id = requestOfToken(deps.config, token)
  const row = id && (await deps.db.selectFrom('bank.money_request').selectAll().where('id', '=', id).executeTakeFirst())
  if (!row || (row.payer_id !== null && ![row.payer_id, row.requester_id].includes(readerId)))
    throw new Refusal('request_link_not_found')
  return row
}

/** What the holder of a link sees. Throws what `findLinked` refuses. */
export async function readLinked(deps: ReadDeps, readerId: string, token: string): Promise<LinkedRequest> {
  const row = await findLinked(deps, readerId, token)
  return {
    requesterName: row.requester_name,
    amountMinor: row.amount_minor,
    paidMinor: row.paid_minor,
    asset: row.asset,
    note: row.note,
    status: statusOf(deps, row),
    expiresAt: row.expires_at.toISOString(),
    own: row.requester_id === readerId,
  }
}

type Page = { after: string | null; limit: number }

/** What a customer asked others for, as their download has it; `after` is the last one that was read. */
export async function exportedSent(deps: ReadDeps, customerId: string, { after, limit }: Page) {
  let query = sentBy(deps.db, customerId)
  if (after) query = query.where('id', '>', after)
  const rows = await query.orderBy('id').limit(limit).execute()
  return rows.map((row) => ({ ...viewOf(deps, row, 'requester'), url: null, address: row.payer_typed }))
}

/** The same of what they are asked for. */
export async function exportedReceived(deps: ReadDeps, customerId: string, { after, limit }: Page) {
  let query = receivedBy(deps.db, customerId)
  if (after) query = query.where('id', '>', after)
  const rows = await query.orderBy('id').limit(limit).execute()
  return rows.map((row) => viewOf(deps, row, 'payer'))
}

/** The oldest request that is open of those a customer has made of some others. */
export function oldestAsked(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  requesterId: string,
  payerIds: readonly string[],
): Promise<RequestRow | undefined> {
  return sentBy(db, requesterId)
    .where('payer_id', 'in', [...payerIds])
    .where('status', '=', 'open')
    .where('expires_at', '>', clock.businessNow())
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}
