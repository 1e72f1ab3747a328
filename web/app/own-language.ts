import { i18n } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useReducer } from 'react'
import type { Language } from '#contract/languages.ts'
import { chooseLanguage, firstLanguage, followOtherTabs, speak } from '#web/i18n/language.ts'
import { useLineUp } from '#web/lib/line.ts'
import { meQuery } from '#web/lib/me.ts'

/**
 * Goes on in the language that the customer has chosen, on whichever device. Who has chosen none is asked nothing: the
 * bank remembers what this device speaks, so that its mails do too. Answers a key that changes when all that is on the
 * screen is to be written anew.
 */
export function useOwnLanguage(on: boolean): number {
  const [written, writeAnew] = useReducer((count: number) => count + 1, 0)
  useEffect(() => followOtherTabs(writeAnew), [])
  const { data: me } = useQuery({ ...meQuery, enabled: on })
  const language = me?.customer.language
  // A language whose texts did not come is spoken when the line is back.
  const isUp = useLineUp()
  useEffect(() => {
    if (!isUp) return
    if (language === null) {
      // A convenience: where it fails, the next visit does it.
      if (i18n.locale !== 'en')
        import('#web/profile/queries.ts')
          .then(({ changePreferences }) => changePreferences({ language: i18n.locale as Language }))
          .catch(() => undefined)
      return
    }
    const wanted = language ?? firstLanguage()
    if (wanted === i18n.locale || wanted === 'pseudo') return
    const change = language ? chooseLanguage(language) : speak(wanted)
    change.then(writeAnew, () => undefined)
  }, [language, isUp])
  return written
}
