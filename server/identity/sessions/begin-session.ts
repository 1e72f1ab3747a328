import type { Transaction } from 'kysely'
import type { SecurityEventKind } from '#contract/security-events.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import { rememberDevice } from '#server/identity/sessions/known-devices.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { createSession, endSession, type SignInMethod } from '#server/identity/sessions/sessions.ts'

/** What a browser is given that has signed a customer in: its cookies are made of it. */
export type Entry = {
  customerId: string
  method: SignInMethod
  /** The session's token. */
  token: string
  /** What names the browser as a device of theirs; null where it has been told already. */
  deviceToken: string | null
}

/**
 * Signs a customer in on the browser that asks: a new session, and the one it had before is over. `first` is done in
 * the same SQL transaction; where it throws, all stays as it was. `token`: what the session is known by, where that is
 * decided already.
 */
export async function beginSession(
  deps: Pick<Deps, 'db' | 'clock'>,
  { caller, session: before, deviceToken: known }: Pick<Client, 'caller' | 'session' | 'deviceToken'>,
  { customerId, method, token: given }: Pick<Entry, 'customerId' | 'method'> & { token?: string },
  first?: (trx: Transaction<Database>) => Promise<void>,
): Promise<Entry> {
  return inTransaction(deps.db, async (trx) => {
    await first?.(trx)
    if (before) await endSession(trx, before)
    const kind = EVENTS[method]
    if (kind) await recordSecurityEvent(deps, trx, { customerId, kind, caller })
    const deviceToken = await rememberDevice(deps, trx, { customerId, caller, deviceToken: known })
    const session = { customerId, caller, method, ...(given === undefined ? {} : { token: given }) }
    const { token } = await createSession(deps, trx, session)
    return { customerId, method, token, deviceToken }
  })
}

/** What a customer reads of each way in. A visit is not worth a line. */
const EVENTS: Record<SignInMethod, SecurityEventKind | null> = {
  visit: null,
  sign_up: 'signed_up',
  password: 'signed_in_with_password',
  passkey: 'signed_in_with_passkey',
  biometric: 'signed_in_with_biometric',
  recovery_code: 'signed_in_with_recovery_code',
}
