import { Refusal } from '#contract/errors.ts'
import type { PasskeyOptions } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { beginSession, type SessionCookies } from '#server/identity/sessions/begin-session.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { type RelyingParty, requestOptions, verifyAssertion } from '#server/identity/passkeys/passkeys-webauthn.ts'
import { findPasskey, recordPasskeyUse } from '#server/identity/passkeys/passkeys.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { issueOneTimeToken, takeOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'

type Challenge = { challenge: string }

/** Returns the options with which a browser offers any of its passkeys for the bank, before the customer is known. */
export async function beginPasskeySignIn(
  deps: Pick<Deps, 'db' | 'clock'>,
  party: RelyingParty,
): Promise<PasskeyOptions> {
  const options = await requestOptions(party)
  const content: Challenge = { challenge: options.challenge }
  const oneTimeToken = await issueOneTimeToken(deps, deps.db, 'passkey_sign_in', { customerId: null, content })
  return { oneTimeToken, options: { ...options } }
}

/**
 * Signs in the owner of a passkey. A passkey is two factors at once: the device, and the finger, face or PIN that unlocks it.
 * Throws Refusal `step_ended` if the challenge was used or is too old, and `passkey_refused`. Throws `passkey_unknown` if no
 * customer has the passkey, whether or not a customer had it once.
 */
export async function signInWithPasskey(
  deps: Pick<Deps, 'db' | 'clock'>,
  client: Client,
  party: RelyingParty,
  { oneTimeToken, response }: { oneTimeToken: string; response: { id: string } },
): Promise<{ customer: Customer; entry: SessionCookies }> {
  const challenge = await takeOneTimeToken<Challenge>(deps, deps.db, 'passkey_sign_in', oneTimeToken)
  if (!challenge) throw new Refusal('step_ended')
  const owned = await findPasskey(deps, response.id)
  if (!owned) throw new Refusal('passkey_unknown')
  const { customer } = owned
  try {
    const expectedCredential = { party, challenge: challenge.content.challenge }
    const assertion = await verifyAssertion(expectedCredential, owned, { credential: response, signer: 'anybody' })
    // The use is recorded in the transaction that begins the session. A passkey that is being removed either signs in before
    // the removal, which then ends the session, or not at all.
    const session = { customerId: customer.id, method: 'passkey' } as const
    const entry = await beginSession(deps, client, session, (trx) =>
      recordPasskeyUse(deps, trx, assertion, client.caller),
    )
    return { customer, entry }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'passkey_refused') {
      await recordSecurityEvent(deps, deps.db, {
        customerId: customer.id,
        kind: 'sign_in_failed',
        caller: client.caller,
      })
    }
    throw error
  }
}
