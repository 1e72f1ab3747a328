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

/** What was begun with the credentials as they were. */
const BEGUN: readonly OneTimeTokenKind[] = ['second_factor', 'passkey_new', 'two_factor_setup', 'password', 'step_up']

export type CredentialChange = {
  customer: Pick<Customer, 'id' | 'email' | 'emailConfirmed' | 'fullName'>
  kind: SecurityEventKind
  caller: Caller
  /** The session that made the change, which goes on; null where none did. */
  session: string | null
}

/** Who changes what they sign in with, on which device, in which session. */
export type Changer = Pick<CredentialChange, 'caller'> & { customer: Customer; session: string }

/**
 * What every change of a credential brings with it: the customer's other devices are signed out, what was half done is
 * void, the change is written down, and the customer is told by mail in case it was not them.
 */
export async function credentialChanged(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  { customer, kind, caller, session }: CredentialChange,
): Promise<void> {
  // In this order: a sign-in that takes its one-time token at this moment is waited for, and the session it begins is ended.
  for (const begun of BEGUN) await voidOneTimeTokens(trx, begun, customer.id)
  await endSessionsOf(trx, customer.id, session)
  await recordSecurityEvent(deps, trx, { customerId: customer.id, kind, caller })
  if (!customer.emailConfirmed) return
  const { id: customerId, email: to, fullName } = customer
  const params = { fullName, event: kind, device: caller.device }
  await sendMail(deps, trx, { to, customerId, kind: 'credential_changed', params })
}
