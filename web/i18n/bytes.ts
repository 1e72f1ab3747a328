import { perLanguage } from '#web/i18n/per-language.ts'

const KILO = 1_000
const MEGA = KILO * KILO

const KILOBYTES = perLanguage((locale) => new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte' }))
const MEGABYTES = perLanguage(
  (locale) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: 'megabyte',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
)

/** Returns a file size such as '320 kB' or '1.2 MB'. */
export function byteText(bytes: number): string {
  return bytes < MEGA ? KILOBYTES().format(Math.ceil(bytes / KILO)) : MEGABYTES().format(bytes / MEGA)
}

const INTEGER_FORMATS = perLanguage((locale) => new Intl.NumberFormat(locale))

/** Returns a number such as '1,200'. */
export const wholeNumber = (count: number): string => INTEGER_FORMATS().format(count)
