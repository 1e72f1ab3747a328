import type { Insertable, Transaction } from 'kysely'
import type { RequestEvent } from '#contract/requests.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type RequestRow, requestStatusOf } from '#server/requests/request.ts'

/** Records events of requests in the SQL transaction that causes them. */
export async function addEvents(
  trx: Transaction<Database>,
  events: Insertable<Database['bank.money_request_event']>[],
): Promise<void> {
  if (events.length > 0) await trx.insertInto('bank.money_request_event').values(events).execute()
}

/** Reads a request's events, oldest first. An expired request has an expiry event even if the job has not recorded it yet. */
export async function listRequestEvents(
  deps: Pick<Deps, 'db' | 'clock'>,
  request: RequestRow,
): Promise<RequestEvent[]> {
  const rows = await deps.db
    .selectFrom('bank.money_request_event')
    .selectAll()
    .where('request_id', '=', request.id)
    .orderBy('id')
    .execute()
  const events: RequestEvent[] = rows.map(({ id, kind, happened_at, payer_name, amount_minor }) => ({
    id: String(id),
    kind,
    at: happened_at.toISOString(),
    name: payer_name,
    amountMinor: amount_minor,
  }))
  if (requestStatusOf(deps, request) === 'expired' && request.status === 'open')
    events.push({ id: 'expired', kind: 'expired', at: request.expires_at.toISOString(), name: null, amountMinor: null })
  return events
}
