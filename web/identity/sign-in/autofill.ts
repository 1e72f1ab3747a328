import { useEffect, useEffectEvent } from 'react'
import {
  canOfferPasskey,
  offerPasskeyAutofill,
  type PasskeyResponse,
  cancelPasskeyPrompt,
} from '#web/identity/factors/passkey.ts'
import { askForPasskey } from '#web/identity/queries.ts'

/** A challenge of the bank is good for five minutes; a fresh one takes its place before that. */
const FRESH_MS = 4 * 60_000
const LOOK_EVERY_MS = 15_000

/**
 * Offers passkeys in the browser's own list of what it can fill in, as long as the page is in view and `on`. A
 * convenience: where anything is missing for it, it stays away.
 */
export function usePasskeyAutofill(on: boolean, onPasskey: (passkey: PasskeyResponse) => void): void {
  const shown = useEffectEvent(onPasskey)
  useEffect(() => {
    if (!on) return
    let stopped = false
    let offeredAt = Number.NEGATIVE_INFINITY

    async function offer(): Promise<void> {
      if (stopped || document.visibilityState === 'hidden' || performance.now() - offeredAt < FRESH_MS) return
      offeredAt = performance.now()
      const { oneTimeToken, options } = await askForPasskey()
      if (stopped) return
      const response = await offerPasskeyAutofill(options)
      if (response && !stopped) shown({ oneTimeToken, response })
    }
    const look = (): void => void offer().catch(() => {})

    let timer: ReturnType<typeof setInterval> | undefined
    void canOfferPasskey().then(
      (possible) => {
        if (!possible || stopped) return
        look()
        timer = setInterval(look, LOOK_EVERY_MS)
        document.addEventListener('visibilitychange', look)
      },
      () => {},
    )
    return () => {
      stopped = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
      void cancelPasskeyPrompt().catch(() => {})
    }
  }, [on])
}
