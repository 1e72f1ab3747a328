import { useState } from 'react'
import { Refusal } from '#contract/errors.ts'
import type { CurrentSession, SignInResponse } from '#contract/identity.ts'
import { showPasskey, type ShownPasskey } from '#web/identity/passkey.ts'
import { askForPasskey, signInWithBiometrics, signInWithPasskey } from '#web/identity/requests.ts'
import { hasPasskeyMark, markPasskey } from '#web/lib/passkey-mark.ts'
import { useSubmission } from '#web/lib/submission.ts'

export type Biometrics = {
  /** What the button does. */
  use: () => void
  /** A passkey was chosen from what the browser fills in. */
  onShown: (passkey: ShownPasskey) => void
  /** The person is asked by their device, or the bank is. */
  asking: boolean
}

/**
 * Signing in with what a device knows of its owner: a passkey where there is one, else the bank's word for it where it
 * gives that. `onAnswer` is told what the bank answered.
 */
export function useBiometrics(
  session: CurrentSession | undefined,
  onAnswer: (answer: SignInResponse | null) => void,
): Biometrics {
  const [showing, setShowing] = useState(false)
  const { submit, refuse, busy } = useSubmission({
    send: (passkey: ShownPasskey | 'none') =>
      passkey === 'none' ? signInWithBiometrics() : signInWithPasskey(passkey),
    loading: () => 'Signing in…',
    success: (answer) => (answer.status === 'signed_in' ? { message: 'Biometric authentication successful!' } : null),
  })

  async function show(): Promise<ShownPasskey | null> {
    setShowing(true)
    try {
      const { oneTimeToken, options } = await askForPasskey()
      return { oneTimeToken, response: await showPasskey(options) }
    } catch (error) {
      refuse(error instanceof Refusal ? error.code : 'unexpected')
      return null
    } finally {
      setShowing(false)
    }
  }

  async function onShown(passkey: ShownPasskey): Promise<void> {
    const answer = await submit(passkey)
    if (answer) markPasskey(true)
    onAnswer(answer)
  }

  async function use(): Promise<void> {
    if (!hasPasskeyMark() && session?.biometricWithoutPasskey) return onAnswer(await submit('none'))
    const passkey = await show()
    if (passkey) await onShown(passkey)
  }

  return {
    use: () => void use(),
    onShown: (passkey) => void onShown(passkey),
    asking: showing || busy,
  }
}
