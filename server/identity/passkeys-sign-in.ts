import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import type { PasskeyOptions } from '#contract/identity.ts'
import type { Bank } from '#server/bank.ts'
import { runOn } from '#server/db/run.ts'
import { callerOf } from '#server/http/caller.ts'
import type { BankEnv } from '#server/http/context.ts'
import { beginSession } from '#server/http/session.ts'
import type { Customer } from '#server/identity/customers.ts'
import { type RelyingParty, requestOptions, verifyAssertion } from '#server/identity/passkeys-webauthn.ts'
import { findPasskey, notePasskeyUse } from '#server/identity/passkeys.ts'
import { recordSecurityEvent } from '#server/identity/security-events.ts'
import { issueTicket, takeTicket } from '#server/identity/tickets.ts'

type Challenge = { challenge: string }

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

/**
 * Whom a passkey signs in on the browser that asks. It is both factors at once: something they have, and the finger,
 * face or PIN that unlocks it. Throws Refusal `step_ended` where the challenge was used or is too old, and
 * `passkey_refused`.
 */
export async function signInWithPasskey(
  c: Context<BankEnv>,
  party: RelyingParty,
  { ticket, response }: { ticket: string; response: { id: string } },
): Promise<Customer> {
  const bank = c.get('bank')
  const run = runOn(bank.pool)
  const taken = await takeTicket<Challenge>(bank, run, 'passkey_sign_in', ticket)
  if (!taken) throw new Refusal('step_ended')
  const owned = await findPasskey(run, response.id)
  if (!owned) throw new Refusal('passkey_refused')
  const { customer } = owned
  try {
    const expected = { party, challenge: taken.content.challenge }
    const signed = await verifyAssertion(expected, owned, { credential: response, asked: 'anybody' })
    // In one with the session: a passkey that is being removed signs in before that, and is signed out, or not at all.
    await beginSession(c, customer.id, 'passkey', (within) => notePasskeyUse(bank, within, signed))
  } catch (error) {
    if (error instanceof Refusal && error.code === 'passkey_refused') {
      await recordSecurityEvent(bank, run, { customerId: customer.id, kind: 'sign_in_failed', caller: callerOf(c) })
    }
    throw error
  }
  return customer
}
