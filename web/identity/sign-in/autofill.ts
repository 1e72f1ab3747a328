import { useEffect, useEffectEvent } from 'react'
import {
  canOfferPasskey,
  offerPasskeyAutofill,
  type PasskeyResponse,
  cancelPasskeyPrompt,
} from '#web/identity/factors/passkey.ts'
import { askForPasskey } from '#web/identity/queries.ts'

/** The age at which a new challenge replaces the current one. The bank's challenges expire after five minutes. */
const FRESH_MS = 4 * 60_000
const LOOK_EVERY_MS = 15_000

/**
 * Offers passkeys in the browser's autofill list while the page is visible and `isEnabled` is true. Does nothing if the browser
 * or the bank does not support it.
 */
export function usePasskeyAutofill(isEnabled: boolean, onPasskey: (passkey: PasskeyResponse) => void): void {
  const onChosen = useEffectEvent(onPasskey)
  useEffect(() => {
    if (!isEnabled) return
    let isStopped = false
    let offeredAt = Number.NEGATIVE_INFINITY

    async function offer(): Promise<void> {
      if (isStopped || document.visibilityState === 'hidden' || performance.now() - offeredAt < FRESH_MS) return
      offeredAt = performance.now()
      const { oneTimeToken, options } = await askForPasskey()
      if (isStopped) return
      const response = await offerPasskeyAutofill(options)
      if (response && !isStopped) onChosen({ oneTimeToken, response })
    }
    const offerNow = (): void => void offer().catch(() => {})

    let timer: ReturnType<typeof setInterval> | undefined
    void canOfferPasskey().then(
      (possible) => {
        if (!possible || isStopped) return
        offerNow()
        timer = setInterval(offerNow, LOOK_EVERY_MS)
        document.addEventListener('visibilitychange', offerNow)
      },
      () => {},
    )
    return () => {
      isStopped = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', offerNow)
      void cancelPasskeyPrompt().catch(() => {})
    }
  }, [isEnabled])
}
