import { Refusal } from '#contract/errors.ts'
import type { PasskeyOptions } from '#contract/identity.ts'
import { deviceSaid } from '#contract/said.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Changer } from '#server/identity/sessions/credentials.ts'
import { type RelyingParty, creationOptions, verifyCreation } from '#server/identity/passkeys/passkeys-webauthn.ts'
import { addPasskey, knownPasskeys } from '#server/identity/passkeys/passkeys.ts'
import { sessionId } from '#server/identity/sessions/sessions.ts'
import { issueOneTimeToken, takeOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'

/** `session`: the id of the one that asked. */
type Creation = { challenge: string; session: string }

type PasskeyDeps = Pick<Deps, 'db' | 'clock' | 'translations'>

/** What a customer's browser is asked to make a passkey with. */
export async function beginPasskey(
  deps: PasskeyDeps,
  { customer, session }: Changer,
  party: RelyingParty,
): Promise<PasskeyOptions> {
  const options = await creationOptions(party, customer, await knownPasskeys(deps, customer.id))
  const content: Creation = { challenge: options.challenge, session: await sessionId(deps.db, session) }
  const oneTimeToken = await issueOneTimeToken(deps, deps.db, 'passkey_new', { customerId: customer.id, content })
  return { oneTimeToken, options: { ...options } }
}

/**
 * Keeps what the browser has made. Unless it has a name it is called after the device, in the customer's language.
 * Throws Refusal `step_ended` where the challenge was used, is too old or was another session's, `passkey_refused`, or
 * `passkeys_full`.
 */
export async function finishPasskey(
  deps: PasskeyDeps,
  { party, ...changer }: Changer & { party: RelyingParty },
  { oneTimeToken, response, name }: { oneTimeToken: string; response: object; name?: string | undefined },
): Promise<void> {
  const taken = await takeOneTimeToken<Creation>(deps, deps.db, 'passkey_new', oneTimeToken)
  const id = await sessionId(deps.db, changer.session)
  if (taken?.customerId !== changer.customer.id || taken.content.session !== id) throw new Refusal('step_ended')
  const called = deviceSaid(deps.translations.in(changer.customer.language).textOf, changer.caller.device)
  const made = await verifyCreation({ party, challenge: taken.content.challenge }, response)
  await addPasskey(deps, changer, { ...made, name: name || called })
}
