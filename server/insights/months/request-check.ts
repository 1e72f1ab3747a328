import { sql, type Transaction } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'

/**
 * Makes the next run of the job in notices.ts check a customer's accounts, even if nothing is booked on them until then. It
 * sets `watched_version` below zero, and further below each time. A run in progress therefore finds another number than at its
 * start and leaves the account to the next run.
 */
export async function requestCheck(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx
    .updateTable('bank.insight_account')
    .set({ watched_version: sql`least(watched_version, 0) - 1` })
    .where('customer_id', '=', customerId)
    .execute()
}
