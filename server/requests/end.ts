import { type Kysely, sql, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { MoneyRequest } from '#contract/requests.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { notify, notifyAll } from '#server/notifications/service.ts'
import { addEvents } from '#server/requests/history.ts'
import { findReceived, receivedView, sentView } from '#server/requests/read.ts'
import { openMinor, type RequestRow } from '#server/requests/request.ts'

/** Ends a request that is open. No money moves, and what was paid of it stays paid. Throws Refusal `request_not_open`. */
async function endRequest(
  { clock }: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  id: string,
  ended: { status: 'declined'; payer: Customer } | { status: 'cancelled' },
): Promise<RequestRow> {
  const now = clock.businessNow()
  const { status } = ended
  let ending = trx
    .updateTable('bank.money_request')
    .set({ status, closed_at: now })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where('expires_at', '>', now)
  if (ended.status === 'declined') {
    const payerId = ended.payer.id
    ending = ending
      .set({ payer_id: payerId })
      .where(({ or, eb }) => or([eb('payer_id', 'is', null), eb('payer_id', '=', payerId)]))
  }
  const row = await ending.returningAll().executeTakeFirst()
  if (!row) throw new Refusal('request_not_open')
  await addEvents(trx, [{ request_id: id, kind: status, happened_at: now }])
  return row
}

/** The payer will not pay (any more). Throws Refusal `not_found` and `request_not_open`. */
export async function declineRequest(deps: Deps, payer: Customer, id: string, key: RequestKey): Promise<MoneyRequest> {
  await once(deps, key, async (trx) => {
    await findReceived(trx, payer.id, id)
    const row = await endRequest(deps, trx, id, { status: 'declined', payer })
    const params = { amountMinor: openMinor(row), asset: row.asset, name: row.payer_name ?? '', requestId: id }
    await notify(deps, trx, { customerId: row.requester_id, kind: 'request_declined', params })
    await deps.events.notify(trx, [row.requester_id, payer.id], 'request')
    return null
  })
  return receivedView(deps, payer.id, id)
}

/** The requester does not want the money any more. Throws Refusal `not_found` and `request_not_open`. */
export async function cancelRequest(
  deps: Deps,
  requester: Customer,
  id: string,
  key: RequestKey,
): Promise<MoneyRequest> {
  await once(deps, key, async (trx) => {
    await sentView({ ...deps, db: trx }, requester.id, id)
    const row = await endRequest(deps, trx, id, { status: 'cancelled' })
    await deps.events.notify(trx, [requester.id, ...toldOf(row)], 'request')
    return null
  })
  return sentView(deps, requester.id, id)
}

/**
 * Takes requests back inside the caller's SQL transaction, and answers how many were: those that are over stay as they are.
 * Whose they are is the caller's to know.
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
  const told = rows.flatMap((row) => [row.requester_id, ...toldOf(row)])
  if (told.length > 0) await deps.events.notify(trx, [...new Set(told)], 'request')
  return rows.length
}

/** The payer, where they may know of the request. */
const toldOf = ({ payer_id, hidden }: RequestRow): string[] => (payer_id && !hidden ? [payer_id] : [])

/** How many requests one run of the job ends at a time. */
const BATCH = 500

/** Ends what was not paid in time, and tells who asked. Doing it again changes nothing. */
export const expireRequestsJob = defineRecurringJob({
  name: 'requests.expire',
  everyMinutes: 5,
  byDate: true,
  isDue: async ({ db, clock }) => (await overdueQuery(db, clock.businessNow()).limit(1).execute()).length > 0,
  work: async (deps) => {
    while ((await expireSome(deps)) === BATCH);
  },
})

/** What was not paid in time by a moment, the oldest first. */
const overdueQuery = (db: Kysely<Database>, now: Date) =>
  db
    .selectFrom('bank.money_request')
    .select('id')
    // As a literal, or a plan for any status could not use the index of those that are open.
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
    await deps.events.notify(trx, [...new Set(rows.flatMap((row) => [row.requester_id, ...toldOf(row)]))], 'request')
    return rows.length
  })
}

/** Nobody can pay a customer who has closed: what they asked for is cancelled, and whom they blocked is forgotten. */
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
