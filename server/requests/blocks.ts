import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { RequestBlock } from '#contract/requests.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import { isUuid } from '#server/platform/uuid.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { findReceived } from '#server/requests/read.ts'

/**
 * Blocks the customer who made a request. The blocker no longer sees that customer's requests and is not notified of new ones.
 * The requester is not notified of the block. With `report` the request is also kept for the bank's staff. Throws Refusal
 * `not_found`.
 */
export async function blockRequester(
  deps: Deps,
  customer: Customer,
  requestId: string,
  { report }: RequestBlock,
  key: RequestKey,
): Promise<void> {
  await runOnce(deps, key, async (trx) => {
    const request = await findReceived(trx, customer.id, requestId)
    const now = deps.clock.businessNow()
    await trx
      .insertInto('bank.request_block')
      .values({
        id: randomUUIDv7(),
        blocker_id: customer.id,
        blocked_id: request.requester_id,
        blocked_name: request.requester_name,
        blocked_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    if (report) {
      await trx
        .insertInto('bank.request_report')
        .values({ request_id: requestId, reporter_id: customer.id, reported_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      deps.log.warn({ requestId }, 'a request for money was reported')
    }
    await deps.events.notify(trx, [customer.id], 'request')
    return null
  })
}

/**
 * Removes a block, so that new requests of that requester appear again. Requests made during the block stay hidden. Throws
 * Refusal `not_found`.
 */
export async function unblockRequester({ db }: Pick<Deps, 'db'>, customerId: string, blockId: string): Promise<void> {
  const deletedBlock = isUuid(blockId)
    ? await db
        .deleteFrom('bank.request_block')
        .where('id', '=', blockId)
        .where('blocker_id', '=', customerId)
        .returning('id')
        .executeTakeFirst()
    : undefined
  if (!deletedBlock) throw new Refusal('not_found')
}

/** Reads the latest reported requests for the bank's staff, each request once. */
export async function reportedRequests({ db }: Pick<Deps, 'db'>, limit: number) {
  const rows = await db
    .selectFrom('bank.request_report as r')
    .innerJoin('bank.money_request as m', 'm.id', 'r.request_id')
    .select(['m.requester_id', 'm.requester_name', 'm.amount_minor', 'm.asset', 'm.note'])
    .select(({ fn }) => fn.max('r.reported_at').as('reported_at'))
    // The number of customers who have reported any request of this requester.
    .select(
      sql<number>`(SELECT count(DISTINCT other.reporter_id)::int FROM bank.request_report other
                     JOIN bank.money_request own ON own.id = other.request_id
                    WHERE own.requester_id = m.requester_id)`.as('reporters'),
    )
    .groupBy(['m.id', 'm.requester_id', 'm.requester_name', 'm.amount_minor', 'm.asset', 'm.note'])
    .orderBy('reported_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    reportedAt: row.reported_at,
    requesterId: row.requester_id,
    requesterName: row.requester_name,
    amountMinor: row.amount_minor,
    asset: row.asset,
    note: row.note,
    reporters: row.reporters,
  }))
}

/** Reads the requests that a customer reported, for their data export. */
export async function reportedBy({ db }: Pick<Deps, 'db'>, customerId: string) {
  const rows = await db
    .selectFrom('bank.request_report as r')
    .innerJoin('bank.money_request as m', 'm.id', 'r.request_id')
    .select(['m.requester_name', 'm.amount_minor', 'm.asset', 'm.note', 'r.reported_at'])
    .where('r.reporter_id', '=', customerId)
    .orderBy('r.reported_at')
    .execute()
  return rows.map((row) => ({
    requesterName: row.requester_name,
    amountMinor: row.amount_minor,
    asset: row.asset,
    note: row.note,
    reportedAt: row.reported_at.toISOString(),
  }))
}
