import { i18n } from '@lingui/core'
import { formatKilograms } from '#contract/weights.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

/** Returns '123 kg' for 123,000 grams, to one decimal, by the rules of the current language. */
export const kilogramText = (grams: number): string => formatKilograms(grams, i18n.locale)

const GRAMS = perLanguage((locale) => new Intl.NumberFormat(locale, { style: 'unit', unit: 'gram' }))

/** Returns a weight such as '214 g'. */
export const gramText = (grams: number): string => GRAMS().format(grams)
