import { bankZone, shownDay } from '#server/platform/time-zone.ts'
import { readFileSync } from 'node:fs'
import { type I18n, setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { intlLocale, LANGUAGE_CODES, SOURCE_LANGUAGE } from '#contract/languages.ts'
import { type Asset, formatAmount, type FormatOptions } from '#contract/money.ts'
import { textId } from '#contract/said.ts'
import { type TextOf, TEXTS } from '#contract/texts.ts'
import { messagesOf } from '#locales/catalog.ts'

/** Says things in one language. */
export type Translator = {
  /** Its code: 'en'. */
  language: string
  i18n: I18n
  /** What a code says that both sides know. */
  textOf: TextOf
  amount(amountMinor: number, asset: Asset, options?: Omit<FormatOptions, 'language'>): string
  /** 'September 4, 2026', of a day or an instant. */
  day(when: string): string
  /** 'August 28, 2026 at 9:41 AM EDT'. */
  moment(instant: string): string
  /** What the bank's zone is called: 'Eastern Time'. */
  zone(): string
}

export type Translations = {
  /** Who speaks a language; English where the bank has no such language (any more), or none was chosen. */
  in(language: string | null): Translator
}

/** What the bank says in each language, as PO files have it, by the language's code. */
export type Catalogs = Readonly<Record<string, string>>

/** The folders whose texts the server says. */
const SAID = ['server/', 'contract/']

/** Reads the catalog of every language. Throws where one is missing. */
export function readCatalogs(): Catalogs {
  const fileOf = (language: string) => new URL(`../../locales/${language}.po`, import.meta.url)
  return Object.fromEntries(LANGUAGE_CODES.map((language) => [language, readFileSync(fileOf(language), 'utf8')]))
}

/** Each catalog is made ready when its language is first spoken. What one lacks is said in English. */
export function openTranslations(catalogs: Catalogs): Translations {
  const translators = new Map<string, Translator>()
  return {
    in: (wanted) => {
      const language = wanted !== null && Object.hasOwn(catalogs, wanted) ? wanted : SOURCE_LANGUAGE
      const known = translators.get(language)
      if (known) return known
      const translator = translatorFor(language, catalogs[language] ?? '')
      translators.set(language, translator)
      return translator
    },
  }
}

function translatorFor(language: string, catalog: string): Translator {
  const i18n = setupI18n({ locale: language, messages: { [language]: messagesOf(catalog, SAID) } })
  i18n.setMessagesCompiler(compileMessage)
  const days = new Intl.DateTimeFormat(intlLocale(language), { dateStyle: 'long', timeZone: 'UTC' })
  const moments = new Intl.DateTimeFormat(intlLocale(language), {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: bankZone(),
    timeZoneName: 'short',
  })
  const zones = new Intl.DateTimeFormat(intlLocale(language), { timeZone: bankZone(), timeZoneName: 'longGeneric' })
  return {
    language,
    i18n,
    textOf: (table, code, params = {}) =>
      i18n._(textId(table, code), params, { message: TEXTS[table][code] as string }),
    amount: (amountMinor, asset, options) => formatAmount(amountMinor, asset, { ...options, language }),
    day: (when) => days.format(shownDay(when)),
    moment: (instant) => moments.format(new Date(instant)),
    zone: () => zones.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? bankZone(),
  }
}
