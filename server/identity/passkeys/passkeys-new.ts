import { Refusal } from '#contract/errors.ts'
import type { PasskeyOptions } from '#contract/identity.ts'
import { deviceTextIn } from '#contract/code-texts.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Changer } from '#server/identity/sessions/credentials.ts'
import { type RelyingParty, creationOptions, verifyCreation } from '#server/identity/passkeys/passkeys-webauthn.ts'
import { addPasskey, listKnownPasskeys } from '#server/identity/passkeys/passkeys.ts'
import { sessionId } from '#server/identity/sessions/sessions.ts'
import { issueOneTimeToken, takeOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'

/** `session`: the id of the session that asked for the challenge. */
type Creation = { challenge: string; session: string }

type PasskeyDeps = Pick<Deps, 'db' | 'clock' | 'translations'>

/** Returns the options with which the customer's browser creates a passkey. */
export async function beginPasskey(
  deps: PasskeyDeps,
  { customer, session }: Changer,
  party: RelyingParty,
): Promise<PasskeyOptions> {
  const options = await creationOptions(party, customer, await listKnownPasskeys(deps, customer.id))
  const content: Creation = { challenge: options.challenge, session: await sessionId(deps.db, session) }
  const oneTimeToken = await issueOneTimeToken(deps, deps.db, 'passkey_new', { customerId: customer.id, content })
  return { oneTimeToken, options: { ...options } }
}

/**
 * Stores the passkey that the browser has created. Without a name, the passkey gets the device's name in the customer's
 * language. Throws Refusal `step_ended` if the challenge was used, is too old or belongs to another session. Also throws
 * `passkey_refused` or `passkeys_full`.
 */
export async function finishPasskey(
  deps: PasskeyDeps,
  { party, ...changer }: Changer & { party: RelyingParty },
  { oneTimeToken, response, name }: { oneTimeToken: string; response: object; name?: string | undefined },
): Promise<void> {
  const challenge = await takeOneTimeToken<Creation>(deps, deps.db, 'passkey_new', oneTimeToken)
  const id = await sessionId(deps.db, changer.session)
  if (challenge?.customerId !== changer.customer.id || challenge.content.session !== id) throw new Refusal('step_ended')
  const called = deviceTextIn(deps.translations.in(changer.customer.language).textOf, changer.caller.device)
  const newPasskey = await verifyCreation({ party, challenge: challenge.content.challenge }, response)
  await addPasskey(deps, changer, { ...newPasskey, name: name || called })
}
