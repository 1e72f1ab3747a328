import { Refusal } from '#contract/errors.ts'
import type { PasskeyOptions } from '#contract/identity.ts'
import type { Bank } from '#server/bank.ts'
import { runOn } from '#server/db/run.ts'
import type { Changer } from '#server/identity/credentials.ts'
import { type RelyingParty, creationOptions, verifyCreation } from '#server/identity/passkeys-webauthn.ts'
import { addPasskey, knownPasskeys } from '#server/identity/passkeys.ts'
import { sessionProof } from '#server/identity/sessions.ts'
import { issueTicket, takeTicket } from '#server/identity/tickets.ts'

/** `session`: the id of the one that asked. */
type Creation = { challenge: string; session: string }

type PasskeyBank = Pick<Bank, 'db' | 'pool' | 'clock'>

/** What a customer's browser is asked to make a passkey with. */
export async function beginPasskey(
  bank: PasskeyBank,
  { customer, session }: Changer,
  party: RelyingParty,
): Promise<PasskeyOptions> {
  const run = runOn(bank.pool)
  const options = await creationOptions(party, customer, await knownPasskeys(run, customer.id))
  const content: Creation = { challenge: options.challenge, session: (await sessionProof(run, session)).id }
  const ticket = await issueTicket(bank, run, 'passkey_new', { customerId: customer.id, content })
  return { ticket, options: { ...options } }
}

/**
 * Keeps what the browser has made. Unless it has a name it is called after the device.
 * Throws Refusal `step_ended` where the challenge was used, is too old or was another session's, `passkey_refused`, or
 * `passkeys_full`.
 */
export async function finishPasskey(
  bank: PasskeyBank,
  { party, ...changer }: Changer & { party: RelyingParty },
  { ticket, response, name }: { ticket: string; response: object; name?: string | undefined },
): Promise<void> {
  const run = runOn(bank.pool)
  const taken = await takeTicket<Creation>(bank, run, 'passkey_new', ticket)
  const { id } = await sessionProof(run, changer.session)
  if (taken?.customerId !== changer.customer.id || taken.content.session !== id) throw new Refusal('step_ended')
  const made = await verifyCreation({ party, challenge: taken.content.challenge }, response)
  await addPasskey(bank, changer, { ...made, name: name || changer.caller.device })
}
