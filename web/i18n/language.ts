import { i18n } from '@lingui/core'
import { directionOf, intlLocale, isLanguage, type Language } from '#contract/languages.ts'
import type { Messages } from '#locales/catalog.ts'
import { ENGLISH } from '#web/i18n/english.ts'

/** The catalogs of all languages except English, which is part of the code. Each is loaded on first use. */
const CATALOGS = import.meta.glob<{ messages: Messages }>(['/locales/*.po', '!/locales/en.po'])

const KEY = 'alder.language'
const COOKIE = 'alder-language'
const COOKIE_SECONDS = 400 * 24 * 60 * 60

/** The fonts of languages with their own scripts. Other languages do not even load the list of font files. */
const FONTS: Partial<Record<string, () => Promise<unknown>>> = {
  zh: () => import('@fontsource-variable/noto-sans-sc/wght.css'),
  ja: () => import('@fontsource-variable/noto-sans-jp/wght.css'),
}

/**
 * A test language: English with accents, about a third longer. It shows clipped text and text that is missing in the catalogs.
 */
const PSEUDO = 'pseudo'

type AppLanguage = Language | typeof PSEUDO

const isAppLanguage = (language: string | undefined): language is AppLanguage =>
  language === PSEUDO || isLanguage(language)

/** Returns the language that was chosen on this device; null if none was. */
function keptLanguage(): AppLanguage | null {
  try {
    const stored = localStorage.getItem(KEY) ?? undefined
    return isAppLanguage(stored) ? stored : null
  } catch {
    return null
  }
}

/**
 * Returns the initial language: the one chosen on this device or, if the bank allows it, the browser's first language that the
 * bank has. Otherwise returns English.
 */
export function detectLanguage(): AppLanguage {
  const storedLanguage = keptLanguage()
  if (storedLanguage) return storedLanguage
  const asks = document.documentElement.dataset['firstLanguage'] === 'browser' ? navigator.languages : []
  return asks.map((tag) => tag.split('-')[0]).find(isAppLanguage) ?? 'en'
}

async function textsIn(language: AppLanguage): Promise<Messages> {
  const load = CATALOGS[`/locales/${language}.po`]
  return (load ? await load() : await import('virtual:pseudo-texts')).messages
}

/** Switches the page to a language. Throws if its texts fail to load. */
export async function activateLanguage(language: AppLanguage): Promise<void> {
  const messages = language === 'en' ? ENGLISH : await textsIn(language)
  // The device's own font is used until the font has loaded, or if it fails to load.
  FONTS[language]?.().catch(() => undefined)
  const locale = language === PSEUDO ? 'en' : language
  i18n.loadAndActivate({ locale, locales: intlLocale(locale), messages })
  document.documentElement.lang = locale
  // The server writes the next page in this language (server/bank/web-app/page-language.ts).
  document.cookie = `${COOKIE}=${locale}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax`
  document.documentElement.dir = directionOf(locale)
}

/** Switches to a language and stores it as the choice of this device. Throws like `activateLanguage`. */
export async function chooseLanguage(language: Language): Promise<void> {
  await activateLanguage(language)
  try {
    localStorage.setItem(KEY, language)
  } catch {
    // Without storage, the choice lasts until the page is closed or the customer signs in.
  }
}

/**
 * Switches to the language that was chosen in another tab of this device, and then calls `onChange`. Returns a function that
 * stops it.
 */
export function followOtherTabs(onChange: () => void): () => void {
  const follow = ({ key, newValue }: StorageEvent) => {
    const language = newValue ?? undefined
    // If the texts fail to load, this tab keeps its language.
    if (key === KEY && isAppLanguage(language)) activateLanguage(language).then(onChange, () => undefined)
  }
  addEventListener('storage', follow)
  return () => removeEventListener('storage', follow)
}
