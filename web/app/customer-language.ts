import { i18n } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useReducer } from 'react'
import type { Language } from '#contract/languages.ts'
import { chooseLanguage, detectLanguage, followOtherTabs, activateLanguage } from '#web/i18n/language.ts'
import { useIsConnected } from '#web/lib/connection.ts'
import { meQuery } from '#web/lib/me.ts'

/**
 * Switches to the language that the customer chose on any device. If the customer chose none, the bank stores the language of
 * this device for its emails, unless it is English. Returns a key that changes when the whole screen must render again.
 */
export function useCustomerLanguage(isEnabled: boolean): number {
  const [renderCount, writeAnew] = useReducer((count: number) => count + 1, 0)
  useEffect(() => followOtherTabs(writeAnew), [])
  const { data: me } = useQuery({ ...meQuery, enabled: isEnabled })
  const language = me?.customer.language
  // If the texts of a language failed to load, loading is tried again after a reconnection.
  const isUp = useIsConnected()
  useEffect(() => {
    if (!isUp) return
    if (language === null) {
      // A failure is ignored, because the next visit tries again.
      if (i18n.locale !== 'en')
        import('#web/profile/queries.ts')
          .then(({ changePreferences }) => changePreferences({ language: i18n.locale as Language }))
          .catch(() => undefined)
      return
    }
    const newLanguage = language ?? detectLanguage()
    if (newLanguage === i18n.locale || newLanguage === 'pseudo') return
    const change = language ? chooseLanguage(language) : activateLanguage(newLanguage)
    change.then(writeAnew, () => undefined)
  }, [language, isUp])
  return renderCount
}
