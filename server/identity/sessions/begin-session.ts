import type { Transaction } from 'kysely'
import type { SecurityEventKind } from '#contract/security-events.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import { rememberDevice } from '#server/identity/sessions/known-devices.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { createSession, endSession, type SignInMethod } from '#server/identity/sessions/sessions.ts'

/** The data for the cookies of a browser that has signed a customer in. */
export type SessionCookies = {
  customerId: string
  method: SignInMethod
  /** The session's token. */
  token: string
  /** The token that identifies the browser as the customer's device. Null if the device cookie stays as it is. */
  deviceToken: string | null
}

/**
 * Begins a new session for a customer in the calling browser, and ends the browser's previous session. `first` runs in the same
 * SQL transaction; if it throws, nothing changes. `token` is the session's token, if the caller has chosen it already.
 */
export async function beginSession(
  deps: Pick<Deps, 'db' | 'clock'>,
  { caller, session: before, deviceToken: knownToken }: Pick<Client, 'caller' | 'session' | 'deviceToken'>,
  { customerId, method, token: providedToken }: Pick<SessionCookies, 'customerId' | 'method'> & { token?: string },
  first?: (trx: Transaction<Database>) => Promise<void>,
): Promise<SessionCookies> {
  return inTransaction(deps.db, async (trx) => {
    await first?.(trx)
    if (before) await endSession(trx, before)
    const kind = EVENTS[method]
    if (kind) await recordSecurityEvent(deps, trx, { customerId, kind, caller })
    const deviceToken = await rememberDevice(deps, trx, { customerId, caller, deviceToken: knownToken })
    const session = { customerId, caller, method, ...(providedToken === undefined ? {} : { token: providedToken }) }
    const { token } = await createSession(deps, trx, session)
    return { customerId, method, token, deviceToken }
  })
}

/** The security event of each method of signing in. A visit records none. */
const EVENTS: Record<SignInMethod, SecurityEventKind | null> = {
  visit: null,
  sign_up: 'signed_up',
  password: 'signed_in_with_password',
  passkey: 'signed_in_with_passkey',
  biometric: 'signed_in_with_biometric',
  recovery_code: 'signed_in_with_recovery_code',
}
