/**
 * The languages of the bank, each with its name in English and in the language itself. A language is added once all texts are
 * translated into it in `locales/`.
 */
export const LANGUAGES = {
  en: { name: 'English', nativeName: 'English', direction: 'ltr' },
  es: { name: 'Spanish', nativeName: 'Español', direction: 'ltr' },
  fr: { name: 'French', nativeName: 'Français', direction: 'ltr' },
  de: { name: 'German', nativeName: 'Deutsch', direction: 'ltr' },
  it: { name: 'Italian', nativeName: 'Italiano', direction: 'ltr' },
  pt: { name: 'Portuguese', nativeName: 'Português', direction: 'ltr' },
  nl: { name: 'Dutch', nativeName: 'Nederlands', direction: 'ltr' },
  pl: { name: 'Polish', nativeName: 'Polski', direction: 'ltr' },
  zh: { name: 'Chinese', nativeName: '中文', direction: 'ltr' },
  ja: { name: 'Japanese', nativeName: '日本語', direction: 'ltr' },
  ar: { name: 'Arabic', nativeName: 'العربية', direction: 'rtl' },
} as const satisfies Record<string, { name: string; nativeName: string; direction: 'ltr' | 'rtl' }>

export type Language = keyof typeof LANGUAGES

/** The language in which the texts in the code are written. */
export const SOURCE_LANGUAGE: Language = 'en'

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as [Language, ...Language[]]

export const isLanguage = (code: string | undefined): code is Language =>
  code !== undefined && Object.hasOwn(LANGUAGES, code)

/** Returns the language of a stored code, or the source language if the bank no longer offers the stored language. */
export const languageOf = (code: string): Language => (isLanguage(code) ? code : SOURCE_LANGUAGE)

/** The `Intl` locales that name a country or a kind of digits. The locale of any other language is its code. */
const INTL_LOCALES: Record<string, string> = {
  en: 'en-US',
  pt: 'pt-BR',
  zh: 'zh-CN',
  // Latin digits, because customers type amounts in Latin digits, and card numbers are in Latin digits too.
  ar: 'ar-u-nu-latn',
}

/** Returns the `Intl` locale of a language. */
export const intlLocale = (language: string): string => INTL_LOCALES[language] ?? language

/** Returns the text direction of a language. */
export const directionOf = (language: string): 'ltr' | 'rtl' => LANGUAGES[languageOf(language)].direction
