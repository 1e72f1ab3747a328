import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { directionOf, isLanguage, type Language, SOURCE_LANGUAGE } from '#contract/languages.ts'
import type { Deps } from '#server/platform/deps.ts'
import { readBuildFile } from '#server/platform/http/build-file.ts'
import { markup, htmlText } from '#server/platform/markup.ts'
import type { Translator } from '#server/platform/translations.ts'

/**
 * The name of the cookie with the app's language on this device. The server reads it to serve the page in the same language.
 */
const LANGUAGE_COOKIE = 'alder-language'

/** Returns the language in which the app will start (web/i18n/language.ts), as far as the server can determine it. */
export function firstLanguage(c: Context, { policy }: Pick<Deps, 'policy'>): Language {
  const cookieLanguage = getCookie(c, LANGUAGE_COOKIE)
  if (isLanguage(cookieLanguage)) return cookieLanguage
  const acceptedTags = policy.firstLanguage === 'browser' ? (c.req.header('accept-language') ?? '').split(',') : []
  return acceptedTags.map((tag) => tag.trim().split(/[-;]/)[0]).find(isLanguage) ?? SOURCE_LANGUAGE
}

/**
 * Returns the texts of the page outside the app. Search engines read them. People read them if JavaScript is off or the app's
 * files fail to load.
 */
function pageTexts({ i18n }: Translator) {
  return {
    description: i18n._({
      id: 'page.description',
      message: 'Alder is a bank in your pocket: balance, payments and savings in one calm place.',
    }),
    noscript: i18n._({
      id: 'page.noscript',
      message: 'Alder needs JavaScript to show your account. Please turn it on and load this page again.',
    }),
    notLoaded: i18n._({
      id: 'page.not_loaded',
      message: "Alder didn't load completely. Please check your connection and try again.",
    }),
    tryAgain: i18n._({ id: 'page.try_again', message: 'Try Again' }),
  }
}

const escaped = (text: string): string => htmlText(markup`${text}`)

/** Returns the built page in a language. */
export function translatePage(page: string, translator: Translator): string {
  const { description, noscript, notLoaded, tryAgain } = pageTexts(translator)
  const { language } = translator
  return page
    .replace(/(<html[^>]*?) lang="en"/, `$1 lang="${language}" dir="${directionOf(language)}"`)
    .replace(/(name="description"\s+content=")[^"]*/, (_all, before: string) => before + escaped(description))
    .replace(/(<noscript>)[^<]*/, (_all, before: string) => before + escaped(noscript))
    .replace(
      /(id="not-loaded"[^>]*>\s*<p>)[^<]*(<\/p>\s*<button type="button">)[^<]*/,
      (_all, before: string, between: string) => before + escaped(notLoaded) + between + escaped(tryAgain),
    )
}

type Manifest = { description?: string; shortcuts?: { name: string; url: string }[] }

/** Reads the built web app manifest, which contains the name of the installed app. Returns null if there is no build. */
export const readWebManifest = (root: string) => readBuildFile(root, 'manifest.webmanifest') as Manifest | null

/** Returns the manifest in a language. The text of a shortcut is found by the address that the shortcut opens. */
export function translateManifest(
  manifest: Manifest,
  translator: Translator,
): Manifest & { lang: string; dir: string } {
  const { i18n, language } = translator
  const names: Partial<Record<string, string>> = {
    '/transfer': i18n._({ id: 'page.shortcut.transfer', message: 'Send Money' }),
    '/add-money': i18n._({ id: 'page.shortcut.add_money', message: 'Add Money' }),
    '/transactions': i18n._({ id: 'page.shortcut.transactions', message: 'Transactions' }),
  }
  return {
    ...manifest,
    lang: language,
    dir: directionOf(language),
    description: i18n._({ id: 'page.tagline', message: 'A bank in your pocket.' }),
    shortcuts: (manifest.shortcuts ?? []).map((shortcut) => ({
      ...shortcut,
      name: names[shortcut.url] ?? shortcut.name,
    })),
  }
}
