import { sql, type Transaction } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'

/**
 * Asks for another look at a customer's accounts (watch.ts), whether or not anything is paid until then. Each time it is another number
 * below zero: a look that is under way sees that it was asked for once more.
 */
export async function askForLook(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx
    .updateTable('bank.insight_account')
    .set({ watched_version: sql`least(watched_version, 0) - 1` })
    .where('customer_id', '=', customerId)
    .execute()
}
