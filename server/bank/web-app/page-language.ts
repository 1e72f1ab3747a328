import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { directionOf, isLanguage, type Language, SOURCE_LANGUAGE } from '#contract/languages.ts'
import type { Deps } from '#server/platform/deps.ts'
import { readJson } from '#server/platform/http/built.ts'
import { markup, written } from '#server/platform/markup.ts'
import type { Translator } from '#server/platform/translations.ts'

/** The cookie in which the app says what it speaks on this device, so that what it comes with does too. */
const LANGUAGE_COOKIE = 'alder-language'

/** The language that the app will begin in (web/i18n/language.ts), as far as a server can tell. */
export function firstLanguage(c: Context, { policy }: Pick<Deps, 'policy'>): Language {
  const chosen = getCookie(c, LANGUAGE_COOKIE)
  if (isLanguage(chosen)) return chosen
  const asked = policy.firstLanguage === 'browser' ? (c.req.header('accept-language') ?? '').split(',') : []
  return asked.map((tag) => tag.trim().split(/[-;]/)[0]).find(isLanguage) ?? SOURCE_LANGUAGE
}

/** What the page says before the app speaks: to search engines, and where there is no JavaScript or its files don't come. */
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

const escaped = (text: string): string => written(markup`${text}`)

/** The built page in a language. */
export function pageIn(page: string, say: Translator): string {
  const { description, noscript, notLoaded, tryAgain } = pageTexts(say)
  const { language } = say
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

/** What an installed app is called by the system around it, as the build has it. Null without a build. */
export const readManifest = (root: string) => readJson(root, 'manifest.webmanifest') as Manifest | null

/** The same in a language. A shortcut is known by the page it opens. */
export function manifestIn(manifest: Manifest, say: Translator): Manifest & { lang: string; dir: string } {
  const { i18n, language } = say
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
