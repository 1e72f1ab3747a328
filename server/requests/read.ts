import { type Kysely, sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { BlockedRequester, LinkedRequest, MoneyRequest, RequestDetail, RequestList } from '#contract/requests.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { isUuid } from '#server/platform/uuid.ts'
import { listRequestEvents } from '#server/requests/history.ts'
import { requestOfToken } from '#server/requests/link.ts'
import { confirmedAddressesOf } from '#server/requests/payers.ts'
import { type RequestRow, requestStatusOf, viewOf } from '#server/requests/request.ts'

type ReadDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/**
 * The largest number of open and of ended requests in a list. The list of sent and the list of received requests each have
 * these limits.
 */
const MAX_OPEN = 100
const MAX_OVER = 20

const sentBy = (db: Kysely<Database>, requesterId: string) =>
  db.selectFrom('bank.money_request').selectAll().where('requester_id', '=', requesterId)

/**
 * Selects the requests that a customer received and may see. They were sent to the customer, or to an address that belonged to
 * no customer then and is the customer's now. Requests from blocked customers are left out.
 */
export const selectReceived = (db: Kysely<Database>, payerId: string) =>
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

/** Reads the open requests first, then the latest ended ones. */
async function listRequestsOf(deps: ReadDeps, requests: Requests, side: MoneyRequest['side']): Promise<MoneyRequest[]> {
  const now = deps.clock.businessNow()
  const newestFirst = requests.orderBy('created_at', 'desc').orderBy('id', 'desc')
  const openRequests = await newestFirst
    .where('status', '=', 'open')
    .where('expires_at', '>', now)
    .limit(MAX_OPEN)
    .execute()
  const endedRequests = await newestFirst
    .where(({ or, eb }) => or([eb('status', '<>', 'open'), eb('expires_at', '<=', now)]))
    .limit(MAX_OVER)
    .execute()
  return [...openRequests, ...endedRequests].map((row) => viewOf(deps, row, side))
}

/** Reads the requesters that a customer has blocked, latest first. */
export async function listBlockedRequesters({ db }: Pick<Deps, 'db'>, customerId: string): Promise<BlockedRequester[]> {
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

/** Reads the requests a customer received, the requests they sent, and the requesters they have blocked. */
export async function requestsOf(deps: ReadDeps, customerId: string): Promise<RequestList> {
  return {
    received: await listRequestsOf(deps, selectReceived(deps.db, customerId), 'payer'),
    sent: await listRequestsOf(deps, sentBy(deps.db, customerId), 'requester'),
    blocked: await listBlockedRequesters(deps, customerId),
  }
}

/** Reads a request that the customer sent. Throws Refusal `not_found`. */
export async function sentView(deps: ReadDeps, requesterId: string, id: string): Promise<MoneyRequest> {
  const row = isUuid(id) && (await sentBy(deps.db, requesterId).where('id', '=', id).executeTakeFirst())
  if (!row) throw new Refusal('not_found')
  return viewOf(deps, row, 'requester')
}

/** Reads the row of a request that the customer received. Throws Refusal `not_found`. */
export async function findReceived(db: Kysely<Database>, payerId: string, id: string): Promise<RequestRow> {
  const row = isUuid(id) && (await selectReceived(db, payerId).where('id', '=', id).executeTakeFirst())
  if (!row) throw new Refusal('not_found')
  return row
}

/** Reads a received request as its payer sees it. Throws Refusal `not_found`. */
export async function receivedView(deps: ReadDeps, payerId: string, id: string): Promise<MoneyRequest> {
  return viewOf(deps, await findReceived(deps.db, payerId, id), 'payer')
}

/** Reads a sent or received request with its events. Throws Refusal `not_found`. */
export async function readMoneyRequest(deps: ReadDeps, customerId: string, id: string): Promise<RequestDetail> {
  const sentRow = isUuid(id) ? await sentBy(deps.db, customerId).where('id', '=', id).executeTakeFirst() : undefined
  const row = sentRow ?? (await findReceived(deps.db, customerId, id))
  return { request: viewOf(deps, row, sentRow ? 'requester' : 'payer'), history: await listRequestEvents(deps, row) }
}

/**
 * Finds the request of a link. Throws Refusal `request_link_not_found` if the bank did not issue the token, or if the request
 * has another customer as its payer.
 */
export async function findLinked(deps: ReadDeps, readerId: string, token: string): Promise<RequestRow> {
  const id = requestOfToken(deps.config, token)
  const row = id && (await deps.db.selectFrom('bank.money_request').selectAll().where('id', '=', id).executeTakeFirst())
  if (!row || (row.payer_id !== null && ![row.payer_id, row.requester_id].includes(readerId)))
    throw new Refusal('request_link_not_found')
  return row
}

/** Reads a request as the holder of its link sees it. Throws the refusals of `findLinked`. */
export async function readLinked(deps: ReadDeps, readerId: string, token: string): Promise<LinkedRequest> {
  const row = await findLinked(deps, readerId, token)
  return {
    requesterName: row.requester_name,
    amountMinor: row.amount_minor,
    paidMinor: row.paid_minor,
    asset: row.asset,
    note: row.note,
    status: requestStatusOf(deps, row),
    expiresAt: row.expires_at.toISOString(),
    own: row.requester_id === readerId,
  }
}

type Page = { after: string | null; limit: number }

/** Reads a page of the requests a customer sent, for their data export. `after` is the last request of the previous page. */
export async function exportSent(deps: ReadDeps, customerId: string, { after, limit }: Page) {
  let query = sentBy(deps.db, customerId)
  if (after) query = query.where('id', '>', after)
  const rows = await query.orderBy('id').limit(limit).execute()
  return rows.map((row) => ({ ...viewOf(deps, row, 'requester'), url: null, address: row.payer_typed }))
}

/** Reads a page of the requests a customer received, for their data export. */
export async function exportReceived(deps: ReadDeps, customerId: string, { after, limit }: Page) {
  let query = selectReceived(deps.db, customerId)
  if (after) query = query.where('id', '>', after)
  const rows = await query.orderBy('id').limit(limit).execute()
  return rows.map((row) => viewOf(deps, row, 'payer'))
}

/** Finds the oldest open request that a customer sent to any of several other customers. */
export function oldestOpenRequest(
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
