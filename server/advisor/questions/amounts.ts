import { englishAmount, marksOf } from '#contract/amount-marks.ts'
import { intlLocale } from '#contract/languages.ts'
import { parseAmount } from '#contract/money.ts'
import { plainDigits } from '#server/advisor/questions/normalise.ts'

/** A number with what may part its thousands and its cents. */
const NUMBER = /\d+(?:(?:[.,'\u066B\u066C]| (?=\d{3}(?!\d)))\d+)*/g

/** Times so much, where it is written right after the number. */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^\s?(?:k|mil|tys)\b/i, 1_000],
  [/^\s?千/, 1_000],
  [/^\s?[万萬]/, 10_000],
  [/^\s?(?:آلاف|الف|ألف)/, 1_000],
]

/** The first amount that a question names, US cents; null where it names none. Numbers of years are not meant. */
export function amountIn(question: string, language: string): number | null {
  const text = plainDigits(question.normalize('NFKC'))
  const marks = marksOf(intlLocale(language))
  for (const match of text.matchAll(NUMBER)) {
    const typed = match[0].replaceAll(/[ ']/g, '')
    const minor = parseAmount(englishAmount(typed, marks), 'USD') ?? parseAmount(typed, 'USD')
    if (minor === null || minor === 0) continue
    const after = text.slice(match.index + match[0].length)
    if (/^\s?(?:%|٪)/.test(after)) continue
    const times = UNITS.find(([unit]) => unit.test(after))?.[1] ?? 1
    // More than anybody has would only be laughed at.
    if (minor * times <= 1_000_000_000_00) return minor * times
  }
  return null
}
