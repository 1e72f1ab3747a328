import { type Kysely, sql, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { MoneyRequest } from '#contract/requests.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { notify, notifyAll } from '#server/notifications/service.ts'
import { addEvents } from '#server/requests/history.ts'
import { findReceived, receivedView, sentView } from '#server/requests/read.ts'
import { openMinor, type RequestRow } from '#server/requests/request.ts'

/** Ends an open request. No money moves: amounts that were already paid stay paid. Throws Refusal `request_not_open`. */
async function endRequest(
  { clock }: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  id: string,
  outcome: { status: 'declined'; payer: Customer } | { status: 'cancelled' },
): Promise<RequestRow> {
  const now = clock.businessNow()
  const { status } = outcome
  let endQuery = trx
    .updateTable('bank.money_request')
    .set({ status, closed_at: now })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where('expires_at', '>', now)
  if (outcome.status === 'declined') {
    const payerId = outcome.payer.id
    endQuery = endQuery
      .set({ payer_id: payerId })
      .where(({ or, eb }) => or([eb('payer_id', 'is', null), eb('payer_id', '=', payerId)]))
  }
  const row = await endQuery.returningAll().executeTakeFirst()
  if (!row) throw new Refusal('request_not_open')
  await addEvents(trx, [{ request_id: id, kind: status, happened_at: now }])
  return row
}

/** Declines a request on the payer's behalf. Throws Refusal `not_found` and `request_not_open`. */
export async function declineRequest(deps: Deps, payer: Customer, id: string, key: RequestKey): Promise<MoneyRequest> {
  await runOnce(deps, key, async (trx) => {
    await findReceived(trx, payer.id, id)
    const row = await endRequest(deps, trx, id, { status: 'declined', payer })
    const params = { amountMinor: openMinor(row), asset: row.asset, name: row.payer_name ?? '', requestId: id }
    await notify(deps, trx, { customerId: row.requester_id, kind: 'request_declined', params })
    await deps.events.notify(trx, [row.requester_id, payer.id], 'request')
    return null
  })
  return receivedView(deps, payer.id, id)
}

/** Cancels a request on the requester's behalf. Throws Refusal `not_found` and `request_not_open`. */
export async function cancelRequest(
  deps: Deps,
  requester: Customer,
  id: string,
  key: RequestKey,
): Promise<MoneyRequest> {
  await runOnce(deps, key, async (trx) => {
    await sentView({ ...deps, db: trx }, requester.id, id)
    const row = await endRequest(deps, trx, id, { status: 'cancelled' })
    await deps.events.notify(trx, [requester.id, ...visiblePayer(row)], 'request')
    return null
  })
  return sentView(deps, requester.id, id)
}

/**
 * Cancels requests in the caller's SQL transaction and returns the number canceled. Requests that have ended stay unchanged.
 * The caller must check that the requests belong to the customer.
 */
export async function cancelRequestsWithin(
  deps: Pick<Deps, 'clock' | 'events'>,
  trx: Transaction<Database>,
  ids: readonly string[],
): Promise<number> {
  const now = deps.clock.businessNow()
  const rows = await trx
    .updateTable('bank.money_request')
    .set({ status: 'cancelled', closed_at: now })
    .where('id', 'in', [...ids])
    .where('status', '=', 'open')
    .where('expires_at', '>', now)
    .returningAll()
    .execute()
  await addEvents(
    trx,
    rows.map(({ id }) => ({ request_id: id, kind: 'cancelled', happened_at: now })),
  )
  const notified = rows.flatMap((row) => [row.requester_id, ...visiblePayer(row)])
  if (notified.length > 0) await deps.events.notify(trx, [...new Set(notified)], 'request')
  return rows.length
}

/** Returns the payer as a list of one id, or an empty list if the request is hidden from the payer or has no known payer. */
const visiblePayer = ({ payer_id, hidden }: RequestRow): string[] => (payer_id && !hidden ? [payer_id] : [])

/** The number of requests that the job ends in one SQL transaction. */
const BATCH = 500

/** Expires requests that were not paid in time and notifies the requesters. A second run changes nothing. */
export const expireRequestsJob = defineRecurringJob({
  name: 'requests.expire',
  everyMinutes: 5,
  byDate: true,
  isDue: async ({ db, clock }) => (await overdueQuery(db, clock.businessNow()).limit(1).execute()).length > 0,
  work: async (deps) => {
    while ((await expireSome(deps)) === BATCH);
  },
})

/** Selects the open requests that expired by `now`, oldest first. */
const overdueQuery = (db: Kysely<Database>, now: Date) =>
  db
    .selectFrom('bank.money_request')
    .select('id')
    // The status is a literal, because a generic plan could not use the partial index of open requests.
    .where('status', '=', sql.lit('open'))
    .where('expires_at', '<=', now)
    .orderBy('expires_at')

async function expireSome(deps: Deps): Promise<number> {
  return inTransaction(deps.db, async (trx) => {
    const rows = await trx
      .updateTable('bank.money_request')
      .set({ status: 'expired', closed_at: sql.ref('expires_at') })
      .where('id', 'in', overdueQuery(trx, deps.clock.businessNow()).limit(BATCH).forUpdate().skipLocked())
      .returningAll()
      .execute()
    if (rows.length === 0) return 0
    await addEvents(
      trx,
      rows.map(({ id, expires_at }) => ({ request_id: id, kind: 'expired', happened_at: expires_at })),
    )
    const notices = rows.map((row) => ({
      customerId: row.requester_id,
      createdAt: row.expires_at,
      kind: 'request_expired' as const,
      params: { amountMinor: openMinor(row), asset: row.asset, requestId: row.id },
    }))
    await notifyAll(deps, trx, notices)
    await deps.events.notify(
      trx,
      [...new Set(rows.flatMap((row) => [row.requester_id, ...visiblePayer(row)]))],
      'request',
    )
    return rows.length
  })
}

/** Cancels the open requests of a customer who has closed, because a closed customer cannot be paid. Deletes their blocks. */
export async function endRequestsOf(trx: Transaction<Database>, customerId: string): Promise<void> {
  const { closed_at: closedAt } = await trx
    .selectFrom('bank.customer')
    .select('closed_at')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  const rows = await trx
    .updateTable('bank.money_request')
    .set({ status: 'cancelled', closed_at: closedAt })
    .where('requester_id', '=', customerId)
    .where('status', '=', 'open')
    .returning('id')
    .execute()
  await addEvents(
    trx,
    rows.map(({ id }) => ({ request_id: id, kind: 'cancelled', happened_at: closedAt ?? new Date(0) })),
  )
  await trx.deleteFrom('bank.request_block').where('blocker_id', '=', customerId).execute()
}
