import type { SecurityEventKind } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, type Run } from '#server/platform/db/run.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { createSession, endSession, type SignInMethod } from '#server/identity/sessions/sessions.ts'

/** What a browser is given that has signed a customer in: its cookies are made of it. */
export type Entry = {
  customerId: string
  method: SignInMethod
  /** The session's token. */
  token: string
}

/**
 * Signs a customer in on the browser that asks: a new session, and the one it had before is over. `first` is done in
 * the same SQL transaction; where it throws, all stays as it was. `token`: what the session is known by, where that is
 * decided already.
 */
export async function beginSession(
  deps: Pick<Deps, 'db' | 'clock'>,
  { caller, session: before }: Pick<Client, 'caller' | 'session'>,
  { customerId, method, token: given }: Omit<Entry, 'token'> & { token?: string },
  first?: (run: Run) => Promise<void>,
): Promise<Entry> {
  const { token } = await inTransaction(deps.db, async (_trx, run) => {
    await first?.(run)
    if (before) await endSession(run, before)
    const kind = EVENTS[method]
    if (kind) await recordSecurityEvent(deps, run, { customerId, kind, caller })
    return createSession(deps, run, { customerId, caller, method, ...(given === undefined ? {} : { token: given }) })
  })
  return { customerId, method, token }
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
