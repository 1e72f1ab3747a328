import type { Transaction } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { endSessionsOf } from '#server/identity/sessions/sessions.ts'

/**
 * The tables of a customer's credentials, of their known browsers and of unfinished steps. Recovery codes are deleted with
 * their second factor.
 */
const CREDENTIALS = [
  'bank.passkey',
  'bank.two_factor',
  'bank.visitor',
  'bank.known_device',
  'bank.one_time_token',
  'bank.phone_code',
] as const

/** Deletes all credentials of a customer and ends all their sessions. */
export async function deleteCredentials(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx.updateTable('bank.customer').set({ password_hash: null }).where('id', '=', customerId).execute()
  for (const table of CREDENTIALS) await trx.deleteFrom(table).where('customer_id', '=', customerId).execute()
  await endSessionsOf(trx, customerId, null)
}
