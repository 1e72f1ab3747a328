import { bankZone, localDayOf } from '#server/platform/time-zone.ts'
import { readFileSync } from 'node:fs'
import { type I18n, setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { intlLocale, LANGUAGE_CODES, SOURCE_LANGUAGE } from '#contract/languages.ts'
import { type Asset, formatAmount, type FormatOptions } from '#contract/money.ts'
import { textId } from '#contract/code-texts.ts'
import { type TextOf, TEXTS } from '#contract/texts.ts'
import { messagesOf } from '#locales/catalog.ts'

/** The bank's texts and formats in one language. */
export type Translator = {
  /** The code of the language, such as 'en'. */
  language: string
  i18n: I18n
  /** Returns the text for a code that server and client share. */
  textOf: TextOf
  amount(amountMinor: number, asset: Asset, options?: Omit<FormatOptions, 'language'>): string
  /** Returns the text for the day of a date or of an instant: 'September 4, 2026'. */
  day(when: string): string
  /** Returns the text for an instant: 'August 28, 2026 at 9:41 AM EDT'. */
  moment(instant: string): string
  /** Returns the name of the bank's time zone: 'Eastern Time'. */
  zone(): string
}

export type Translations = {
  /**
   * Returns the translator of a language. Returns the English one if the bank does not have that language, or if `language` is
   * null.
   */
  in(language: string | null): Translator
}

/** The bank's texts in each language as PO files, by the language's code. */
export type Catalogs = Readonly<Record<string, string>>

/** The folders whose texts the server uses. */
const SAID = ['server/', 'contract/']

/** Reads the catalog of every language. Throws if one is missing. */
export function readCatalogs(): Catalogs {
  const fileOf = (language: string) => new URL(`../../locales/${language}.po`, import.meta.url)
  return Object.fromEntries(LANGUAGE_CODES.map((language) => [language, readFileSync(fileOf(language), 'utf8')]))
}

/** Opens the catalogs; each is parsed when its language is first used. Texts missing from a catalog appear in English. */
export function openTranslations(catalogs: Catalogs): Translations {
  const translators = new Map<string, Translator>()
  return {
    in: (wantedLanguage) => {
      const language =
        wantedLanguage !== null && Object.hasOwn(catalogs, wantedLanguage) ? wantedLanguage : SOURCE_LANGUAGE
      const cached = translators.get(language)
      if (cached) return cached
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
    day: (instant) => days.format(localDayOf(instant)),
    moment: (instant) => moments.format(new Date(instant)),
    zone: () => zones.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? bankZone(),
  }
}
