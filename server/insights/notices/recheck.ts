import { sql, type Transaction } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'

/**
 * Has the next run of watch.ts check a customer's accounts, even if nothing is booked on them until then. It does so by
 * putting `watched_version` below zero, and further below each time: a run that is under way finds another number than it
 * began with, and leaves it for the run after.
 */
export async function requestCheck(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx
    .updateTable('bank.insight_account')
    .set({ watched_version: sql`least(watched_version, 0) - 1` })
    .where('customer_id', '=', customerId)
    .execute()
}
