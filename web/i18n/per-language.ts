import { i18n } from '@lingui/core'
import { intlLocale } from '#contract/languages.ts'

/** Returns a function that returns the format of the current language. `createFormat` is called once per language. */
export function perLanguage<Format>(createFormat: (locale: string) => Format): () => Format {
  const cache = new Map<string, Format>()
  return () => {
    const { locale } = i18n
    let format = cache.get(locale)
    if (format === undefined) {
      format = createFormat(intlLocale(locale))
      cache.set(locale, format)
    }
    return format
  }
}
