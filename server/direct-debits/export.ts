import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { ExportedFields } from '#server/platform/slice.ts'

/** Yields every mandate that billers ever requested from a customer, each with all its direct debits. */
export async function* exportMandates(deps: Pick<Deps, 'db'>, customerId: string): AsyncGenerator<ExportedFields> {
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

/**
 * Reads a page of a mandate's direct debits by due date, which is unique within a mandate. `after` is the last due date of the
 * previous page.
 */
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
