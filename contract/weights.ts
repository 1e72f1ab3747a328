import { intlLocale } from '#contract/languages.ts'

/** The cache of number formats. Creating a format takes as long as writing many weights with it. */
const formats = new Map<string, Intl.NumberFormat>()

function formatFor(language: string): Intl.NumberFormat {
  const cachedFormat = formats.get(language)
  if (cachedFormat) return cachedFormat
  const format = new Intl.NumberFormat(intlLocale(language), {
    style: 'unit',
    unit: 'kilogram',
    maximumFractionDigits: 1,
  })
  formats.set(language, format)
  return format
}

/** Returns a weight in grams as text in kilograms, by the rules of a language, with at most one decimal: '123 kg', '1.6 kg'. */
export function formatKilograms(grams: number, language: string): string {
  return formatFor(language).format(grams / 1000)
}
