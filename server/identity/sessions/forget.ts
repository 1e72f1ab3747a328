import type { Transaction } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { endSessionsOf } from '#server/identity/sessions/sessions.ts'

/** All that a customer could sign in with, or could still come to be signed in by; recovery codes go with their factor. */
const CREDENTIALS = [
  'bank.passkey',
  'bank.two_factor',
  'bank.visitor',
  'bank.known_device',
  'bank.one_time_token',
  'bank.phone_code',
] as const

/** Has nothing left by which somebody could sign in as a customer, and signs them out everywhere. */
export async function forgetCredentials(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx.updateTable('bank.customer').set({ password_hash: null }).where('id', '=', customerId).execute()
  for (const table of CREDENTIALS) await trx.deleteFrom(table).where('customer_id', '=', customerId).execute()
  await endSessionsOf(trx, customerId, null)
}
