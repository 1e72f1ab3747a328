import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { Refusal } from '#contract/errors.ts'

/** Loaded only by screens that may need it. */
const load = () => import('@simplewebauthn/browser')

/** Options as the bank sends them; its library and the browser's are one, and speak the same JSON. */
export type PasskeyOptions = Record<string, unknown>

/** What a passkey has signed, with the challenge's token. */
export type PasskeyResponse = { oneTimeToken: string; response: Awaited<ReturnType<typeof requestPasskey>> }

const optionsOf = (options: PasskeyOptions) => options as unknown as PublicKeyCredentialRequestOptionsJSON

/**
 * Has the person show a passkey, and answers what the bank checks. Throws Refusal `passkey_unavailable` where this
 * browser knows no passkeys, `passkey_cancelled` where none was used; browsers do not say why.
 */
export async function requestPasskey(options: PasskeyOptions) {
  const { browserSupportsWebAuthn, startAuthentication } = await load()
  if (!browserSupportsWebAuthn()) throw new Refusal('passkey_unavailable')
  try {
    return { ...(await startAuthentication({ optionsJSON: optionsOf(options) })) }
  } catch (cause) {
    throw new Refusal('passkey_cancelled', undefined, { cause })
  }
}

/** Whether this browser offers passkeys among what it fills in. */
export async function canOfferPasskey(): Promise<boolean> {
  const { browserSupportsWebAuthnAutofill } = await load()
  return browserSupportsWebAuthnAutofill()
}

/**
 * Has the browser offer passkeys where it fills in the email, and answers the one that is chosen; null where another
 * request took its place. It may wait for as long as the page is open.
 */
export async function offerPasskeyAutofill(options: PasskeyOptions) {
  const { startAuthentication } = await load()
  return startAuthentication({ optionsJSON: optionsOf(options), useBrowserAutofill: true }).then(
    (response) => ({ ...response }),
    () => null,
  )
}

/** Ends what the browser was asked. */
export async function cancelPasskeyPrompt(): Promise<void> {
  const { WebAuthnAbortService } = await load()
  WebAuthnAbortService.cancelCeremony()
}
