import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { Refusal } from '#contract/errors.ts'

/** The library is loaded only by screens that may need it. */
const load = () => import('@simplewebauthn/browser')

/** The options as sent by the bank. The bank and the browser use the same library and JSON format. */
export type PasskeyRequestOptions = Record<string, unknown>

/** A passkey's signature, with the token of the challenge. */
export type PasskeyResponse = { oneTimeToken: string; response: Awaited<ReturnType<typeof requestPasskey>> }

const optionsOf = (options: PasskeyRequestOptions) => options as unknown as PublicKeyCredentialRequestOptionsJSON

/**
 * Asks the person for a passkey and returns the signature for the bank to check. Throws Refusal `passkey_unavailable` if this
 * browser has no support for passkeys. Throws `passkey_cancelled` if no passkey was used; browsers give no reason.
 */
export async function requestPasskey(options: PasskeyRequestOptions) {
  const { browserSupportsWebAuthn, startAuthentication } = await load()
  if (!browserSupportsWebAuthn()) throw new Refusal('passkey_unavailable')
  try {
    return { ...(await startAuthentication({ optionsJSON: optionsOf(options) })) }
  } catch (cause) {
    throw new Refusal('passkey_cancelled', undefined, { cause })
  }
}

/** Returns whether this browser can offer passkeys in its autofill list. */
export async function canOfferPasskey(): Promise<boolean> {
  const { browserSupportsWebAuthnAutofill } = await load()
  return browserSupportsWebAuthnAutofill()
}

/**
 * Offers passkeys in the browser's autofill list of the email field and returns the signature of the chosen one. Returns null
 * after any error, for example if another request replaced this one. The promise may stay pending as long as the page is open.
 */
export async function offerPasskeyAutofill(options: PasskeyRequestOptions) {
  const { startAuthentication } = await load()
  return startAuthentication({ optionsJSON: optionsOf(options), useBrowserAutofill: true }).then(
    (response) => ({ ...response }),
    () => null,
  )
}

/** Cancels the browser's pending passkey request. */
export async function cancelPasskeyPrompt(): Promise<void> {
  const { WebAuthnAbortService } = await load()
  WebAuthnAbortService.cancelCeremony()
}
