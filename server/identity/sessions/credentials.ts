import type { Transaction } from 'kysely'
import type { SecurityEventKind } from '#contract/security-events.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { endSessionsOf } from '#server/identity/sessions/sessions.ts'
import { type OneTimeTokenKind, voidOneTimeTokens } from '#server/identity/sessions/one-time-tokens.ts'
import { sendMail } from '#server/mail/service.ts'

/** The kinds of one-time tokens that a change of credentials voids, because they were issued under the old credentials. */
const STARTED_KINDS: readonly OneTimeTokenKind[] = [
  'second_factor',
  'passkey_new',
  'two_factor_setup',
  'password',
  'step_up',
]

export type CredentialChange = {
  customer: Pick<Customer, 'id' | 'email' | 'emailConfirmed' | 'fullName'>
  kind: SecurityEventKind
  caller: Caller
  /** The session that made the change. It stays open. Null if no session made it. */
  session: string | null
}

/** The customer who changes a credential, with the device and the session. */
export type Changer = Pick<CredentialChange, 'caller'> & { customer: Customer; session: string }

/**
 * Applies the consequences of every change of a credential. It signs out the customer's other devices, voids unfinished steps
 * and records the change. If the customer's email is confirmed, it also notifies them by mail, in case another person made the
 * change.
 */
export async function credentialChanged(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  { customer, kind, caller, session }: CredentialChange,
): Promise<void> {
  // The order matters. The first statement waits for a sign-in that is redeeming its one-time token; the second then ends the
  // session of that sign-in.
  for (const tokenKind of STARTED_KINDS) await voidOneTimeTokens(trx, tokenKind, customer.id)
  await endSessionsOf(trx, customer.id, session)
  await recordSecurityEvent(deps, trx, { customerId: customer.id, kind, caller })
  if (!customer.emailConfirmed) return
  const { id: customerId, email: emailAddress, fullName } = customer
  const params = { fullName, event: kind, device: caller.device }
  await sendMail(deps, trx, { to: emailAddress, customerId, kind: 'credential_changed', params })
}
