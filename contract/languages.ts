/**
 * The languages of the bank, each with what its own speakers call it. A language is here once all its texts are
 * translated in `locales/`.
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

/** What the texts in the code are written in. */
export const SOURCE_LANGUAGE: Language = 'en'

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as [Language, ...Language[]]

export const isLanguage = (code: string | undefined): code is Language =>
  code !== undefined && Object.hasOwn(LANGUAGES, code)

/** A language as it was kept; the source language where the bank no longer has it. */
export const languageOf = (code: string): Language => (isLanguage(code) ? code : SOURCE_LANGUAGE)

/** The locale by which `Intl` writes a language, where its code alone is not enough. */
const INTL_LOCALES: Record<string, string> = {
  en: 'en-US',
  pt: 'pt-BR',
  zh: 'zh-CN',
  // With the digits that amounts are typed in and that card numbers have.
  ar: 'ar-u-nu-latn',
}

/** The locale by which `Intl` writes a language. */
export const intlLocale = (language: string): string => INTL_LOCALES[language] ?? language

/** Which way a language is read. */
export const directionOf = (language: string): 'ltr' | 'rtl' => LANGUAGES[languageOf(language)].direction
