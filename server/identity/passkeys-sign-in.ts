import { Refusal } from '#contract/errors.ts'
import type { PasskeyOptions } from '#contract/identity.ts'
import type { Bank } from '#server/bank.ts'
import { runOn } from '#server/db/run.ts'
import type { Caller } from '#server/http/caller.ts'
import type { Customer } from '#server/identity/customers.ts'
import {
  type Expected,
  type RelyingParty,
  requestOptions,
  verifyAssertion,
} from '#server/identity/passkeys-webauthn.ts'
import { findPasskey, notePasskeyUse, type OwnedPasskey } from '#server/identity/passkeys.ts'
import { recordSecurityEvent } from '#server/identity/security-events.ts'
import { issueTicket, takeTicket } from '#server/identity/tickets.ts'

type Challenge = { challenge: string }

/** What comes from the browser: the schema reads no more of it, the library does. */
type Credential = { id: string } & object

/** Asks a browser for whichever passkey it has for the bank. Nobody has said who they are. */
export async function beginPasskeySignIn(
  bank: Pick<Bank, 'pool' | 'clock'>,
  party: RelyingParty,
): Promise<PasskeyOptions> {
  const options = await requestOptions(party)
  const content: Challenge = { challenge: options.challenge }
  const ticket = await issueTicket(bank, runOn(bank.pool), 'passkey_sign_in', { customerId: null, content })
  return { ticket, options: { ...options } }
}

/** Checks what a known passkey has signed, and notes that it has. Throws Refusal `passkey_refused`. */
export async function acceptAssertion(
  bank: Pick<Bank, 'pool' | 'clock'>,
  expected: Expected,
  owned: OwnedPasskey,
  given: { credential: Credential; asked: 'somebody' | 'anybody' },
): Promise<void> {
  const signed = await verifyAssertion(expected, owned, given)
  if (!(await notePasskeyUse(bank, runOn(bank.pool), signed))) throw new Refusal('passkey_refused')
}

/**
 * Whom a passkey signs in. It is both factors at once: something they have, and the finger, face or PIN that unlocks it.
 * Throws Refusal `step_ended` where the challenge was used or is too old, and `passkey_refused`.
 */
export async function signInWithPasskey(
  bank: Pick<Bank, 'pool' | 'clock'>,
  { party, caller }: { party: RelyingParty; caller: Caller },
  { ticket, response }: { ticket: string; response: Credential },
): Promise<Customer> {
  const run = runOn(bank.pool)
  const taken = await takeTicket<Challenge>(bank, run, 'passkey_sign_in', ticket)
  if (!taken) throw new Refusal('step_ended')
  const owned = await findPasskey(run, response.id)
  if (!owned) throw new Refusal('passkey_refused')
  try {
    const { challenge } = taken.content
    await acceptAssertion(bank, { party, challenge }, owned, { credential: response, asked: 'anybody' })
  } catch (error) {
    if (error instanceof Refusal) {
      await recordSecurityEvent(bank, run, { customerId: owned.customer.id, kind: 'sign_in_failed', caller })
    }
    throw error
  }
  return owned.customer
}
