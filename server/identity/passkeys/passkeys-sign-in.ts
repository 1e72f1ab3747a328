import { Refusal } from '#contract/errors.ts'
import type { PasskeyOptions } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { beginSession, type Entry } from '#server/identity/sessions/begin-session.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { type RelyingParty, requestOptions, verifyAssertion } from '#server/identity/passkeys/passkeys-webauthn.ts'
import { findPasskey, notePasskeyUse } from '#server/identity/passkeys/passkeys.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { issueOneTimeToken, takeOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'

type Challenge = { challenge: string }

/** Asks a browser for any passkey it has for the bank, before anybody has said who they are. */
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
 * Whom a passkey signs in on the browser that asks. It is both factors at once: something they have, and the finger,
 * face or PIN that unlocks it. Throws Refusal `step_ended` where the challenge was used or is too old, `passkey_unknown`
 * for one that no customer has, whether there ever was one who had it or not, and `passkey_refused`.
 */
export async function signInWithPasskey(
  deps: Pick<Deps, 'db' | 'clock'>,
  client: Client,
  party: RelyingParty,
  { oneTimeToken, response }: { oneTimeToken: string; response: { id: string } },
): Promise<{ customer: Customer; entry: Entry }> {
  const taken = await takeOneTimeToken<Challenge>(deps, deps.db, 'passkey_sign_in', oneTimeToken)
  if (!taken) throw new Refusal('step_ended')
  const owned = await findPasskey(deps, response.id)
  if (!owned) throw new Refusal('passkey_unknown')
  const { customer } = owned
  try {
    const expected = { party, challenge: taken.content.challenge }
    const signed = await verifyAssertion(expected, owned, { credential: response, asked: 'anybody' })
    // In one with the session: a passkey that is being removed signs in before that, and is signed out, or not at all.
    const session = { customerId: customer.id, method: 'passkey' } as const
    const entry = await beginSession(deps, client, session, (trx) => notePasskeyUse(deps, trx, signed, client.caller))
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
