import { i18n } from '@lingui/core'
import { directionOf, intlLocale, isLanguage, type Language } from '#contract/languages.ts'
import type { Messages } from '#locales/catalog.ts'
import { ENGLISH } from '#web/i18n/english.ts'

/** Each language but English, which comes with the code, is fetched when it is first spoken. */
const CATALOGS = import.meta.glob<{ messages: Messages }>(['/locales/*.po', '!/locales/en.po'])

const KEY = 'alder.language'
const COOKIE = 'alder-language'
const COOKIE_SECONDS = 400 * 24 * 60 * 60

/** Each language whose letters are in a font of its own: no other downloads even the list of its files. */
const FONTS: Partial<Record<string, () => Promise<unknown>>> = {
  zh: () => import('@fontsource-variable/noto-sans-sc/wght.css'),
  ja: () => import('@fontsource-variable/noto-sans-jp/wght.css'),
}

/** English with accents and a third longer, in which tests see what is cut off and what is no text of a catalog. */
const PSEUDO = 'pseudo'

type Spoken = Language | typeof PSEUDO

const isSpoken = (language: string | undefined): language is Spoken => language === PSEUDO || isLanguage(language)

/** The language that was chosen on this device; null where none was. */
function keptLanguage(): Spoken | null {
  try {
    const kept = localStorage.getItem(KEY) ?? undefined
    return isSpoken(kept) ? kept : null
  } catch {
    return null
  }
}

/** The language to begin in: the one chosen here or, where the bank says so, the first of the browser's that it speaks. */
export function firstLanguage(): Spoken {
  const kept = keptLanguage()
  if (kept) return kept
  const asks = document.documentElement.dataset['firstLanguage'] === 'browser' ? navigator.languages : []
  return asks.map((tag) => tag.split('-')[0]).find(isSpoken) ?? 'en'
}

async function textsIn(language: Spoken): Promise<Messages> {
  const load = CATALOGS[`/locales/${language}.po`]
  return (load ? await load() : await import('virtual:pseudo-texts')).messages
}

/** Speaks a language from now on, on the whole page. Throws where its texts cannot be fetched. */
export async function speak(language: Spoken): Promise<void> {
  const messages = language === 'en' ? ENGLISH : await textsIn(language)
  // Until it is there, and where it does not come, the device's own font does.
  FONTS[language]?.().catch(() => undefined)
  const locale = language === PSEUDO ? 'en' : language
  i18n.loadAndActivate({ locale, locales: intlLocale(locale), messages })
  document.documentElement.lang = locale
  // The server writes the next page in it (server/bank/web-app/page-language.ts).
  document.cookie = `${COOKIE}=${locale}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax`
  document.documentElement.dir = directionOf(locale)
}

/** Speaks a language from now on, here and whenever this device opens the app. Throws as `speak` does. */
export async function chooseLanguage(language: Language): Promise<void> {
  await speak(language)
  try {
    localStorage.setItem(KEY, language)
  } catch {
    // Without storage the choice lasts until the page is closed, or until the customer signs in.
  }
}

/** Speaks what another tab of this device has chosen, and then tells. Answers how to stop. */
export function followOtherTabs(spoken: () => void): () => void {
  const follow = ({ key, newValue }: StorageEvent) => {
    const language = newValue ?? undefined
    // Where its texts do not come, this tab goes on as it was.
    if (key === KEY && isSpoken(language)) speak(language).then(spoken, () => undefined)
  }
  addEventListener('storage', follow)
  return () => removeEventListener('storage', follow)
}
