import type { Run } from '#server/platform/db/run.ts'
import { endSessionsOf } from '#server/identity/sessions/sessions.ts'

/** All that a customer could sign in with, or could still come to be signed in by; recovery codes go with their factor. */
const CREDENTIALS = [
  'bank.passkey',
  'bank.two_factor',
  'bank.visitor',
  'bank.known_device',
  'bank.one_time_token',
  'bank.phone_code',
]

/** Has nothing left by which somebody could sign in as a customer, and signs them out everywhere. */
export async function forgetCredentials(run: Run, customerId: string): Promise<void> {
  await run('UPDATE bank.customer SET password_hash = NULL WHERE id = $1', [customerId])
  for (const table of CREDENTIALS) await run(`DELETE FROM ${table} WHERE customer_id = $1`, [customerId])
  await endSessionsOf(run, customerId, null)
}
