import { i18n } from '@lingui/core'
import { intlLocale } from '#contract/languages.ts'

/** A format that follows the language in force. `make` is called once for each language. */
export function perLanguage<Format>(make: (locale: string) => Format): () => Format {
  const made = new Map<string, Format>()
  return () => {
    const { locale } = i18n
    let format = made.get(locale)
    if (format === undefined) {
      format = make(intlLocale(locale))
      made.set(locale, format)
    }
    return format
  }
}
