import { intlLocale } from '#contract/languages.ts'

/** Making one costs as much as many weights written with it. */
const formats = new Map<string, Intl.NumberFormat>()

function formatFor(language: string): Intl.NumberFormat {
  const known = formats.get(language)
  if (known) return known
  const format = new Intl.NumberFormat(intlLocale(language), {
    style: 'unit',
    unit: 'kilogram',
    maximumFractionDigits: 1,
  })
  formats.set(language, format)
  return format
}

/** Writes whole grams in kilograms, by the rules of a language, to one decimal: '123 kg', '1.6 kg'. */
export function formatKilograms(grams: number, language: string): string {
  return formatFor(language).format(grams / 1000)
}
