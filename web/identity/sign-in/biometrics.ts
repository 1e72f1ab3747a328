import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Refusal } from '#contract/errors.ts'
import type { CurrentSession, SignInResponse } from '#contract/identity.ts'
import { requestPasskey, type PasskeyResponse } from '#web/identity/factors/passkey.ts'
import { askForPasskey, signInWithBiometrics, signInWithPasskey } from '#web/identity/queries.ts'
import { forgetPasskey, isPasskeyRemembered, setPasskeyRemembered } from '#web/lib/remembered-passkey.ts'
import { useSubmission } from '#web/lib/submission.ts'

export type Biometrics = {
  /** Runs when the button is pressed. */
  use: () => void
  /** Runs when the person chooses a passkey in the browser's autofill list. */
  onPasskey: (passkey: PasskeyResponse) => void
  /** Whether the device's prompt or a request to the bank is in progress. */
  asking: boolean
  /** Whether the sign-in succeeded. */
  done: boolean
}

/** Signs in with a passkey. A passkey that the bank does not know is no longer offered. Throws Refusal. */
function signInOrForget(passkey: PasskeyResponse): Promise<SignInResponse> {
  return signInWithPasskey(passkey).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'passkey_unknown') void forgetPasskey(passkey.response.id)
    throw error
  })
}

/**
 * Returns functions that sign in with a passkey of this device, or without a passkey if the bank allows it (a sample bank).
 * `onResponse` is called with the bank's response, or with null if the sign-in request fails.
 */
export function useBiometrics(
  session: CurrentSession | undefined,
  onResponse: (response: SignInResponse | null) => void,
): Biometrics {
  const [isShowing, setShowing] = useState(false)
  const { submit, showError, busy, done } = useSubmission({
    send: (passkey: PasskeyResponse | 'none') =>
      passkey === 'none' ? signInWithBiometrics() : signInOrForget(passkey),
    loading: () => t`Signing in…`,
    success: (response) =>
      response.status === 'signed_in' ? { message: t`Biometric authentication successful!` } : null,
  })

  async function show(): Promise<PasskeyResponse | null> {
    setShowing(true)
    try {
      const { oneTimeToken, options } = await askForPasskey()
      return { oneTimeToken, response: await requestPasskey(options) }
    } catch (error) {
      showError(error instanceof Refusal ? error.code : 'unexpected')
      return null
    } finally {
      setShowing(false)
    }
  }

  async function onPasskey(passkey: PasskeyResponse): Promise<void> {
    const response = await submit(passkey)
    if (response) setPasskeyRemembered(true)
    onResponse(response)
  }

  async function use(): Promise<void> {
    if (!isPasskeyRemembered() && session?.biometricWithoutPasskey) return onResponse(await submit('none'))
    const passkey = await show()
    if (passkey) await onPasskey(passkey)
  }

  return {
    use: () => void use(),
    onPasskey: (passkey) => void onPasskey(passkey),
    asking: isShowing || busy,
    done,
  }
}
