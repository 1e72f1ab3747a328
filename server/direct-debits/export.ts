import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Exported } from '#server/platform/slice.ts'

/** All mandates that a customer gave or declined, each with all that was announced and collected under it. */
export async function* exportedMandates(deps: Pick<Deps, 'db'>, customerId: string): AsyncGenerator<Exported> {
  const rows = await deps.db
    .selectFrom('bank.mandate')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  for (const row of rows) {
    yield {
      billerName: row.biller_name,
      reference: row.reference,
      limitMinor: row.limit_minor,
      asset: row.asset,
      status: row.status,
      requestedAt: row.created_at.toISOString(),
      decidedAt: row.decided_at?.toISOString() ?? null,
      cancelledAt: row.cancelled_at?.toISOString() ?? null,
      directDebits: everyPage(
        (after: string | null) => debitsOf(deps, row.id, after),
        ({ dueOn }) => dueOn,
      ),
    }
  }
}

/** By due date, of which a mandate has each once; `after` is the last one that was read. */
async function debitsOf({ db }: Pick<Deps, 'db'>, mandateId: string, after: string | null) {
  let query = db
    .selectFrom('bank.direct_debit')
    .select(['amount_minor', 'asset', 'status', 'booked_at', 'due_on'])
    .where('mandate_id', '=', mandateId)
  if (after) query = query.where('due_on', '>', after)
  const rows = await query.orderBy('due_on').limit(PAGE_SIZE).execute()
  return rows.map((row) => ({
    dueOn: row.due_on,
    amountMinor: row.amount_minor,
    asset: row.asset,
    status: row.status,
    bookedAt: row.booked_at?.toISOString() ?? null,
  }))
}
