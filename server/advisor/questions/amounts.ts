import { readAmount } from '#contract/amounts.ts'
import { IS_UNSPACED, plainDigits } from '#server/advisor/questions/normalize.ts'
import { WORDS, wordsIn } from '#server/advisor/questions/words.ts'

/** A number with possible separators of thousands and cents. */
const NUMBER = /\d+(?:(?:[.,'\u066B\u066C]| (?=\d{3}(?!\d)))\d+)*/g

const WORD_END = String.raw`(?![\p{L}\p{N}])`

/**
 * Returns a pattern that finds any of the words at the beginning of a text. A word must end there, except in a script without
 * spaces.
 */
function beginsWith(words: readonly string[]): RegExp {
  const any = words.toSorted((word, other) => other.length - word.length)
  return new RegExp(
    String.raw`^\s?(?:${any.map((word) => word + (IS_UNSPACED.test(word) ? '' : WORD_END)).join('|')})`,
    'iu',
  )
}

const wordsOfAllLanguages = (list: 'scales' | 'times') => Object.values(WORDS).flatMap((words) => wordsIn(words[list]))

/** Words after a number that change its value, so that it is not read: '10 thousand', '2 Mio.', '5 mille', '50 cents'. */
const SCALE_AFTER = beginsWith([...wordsOfAllLanguages('scales'), 'm', 'tys'])
/** Units of time after a number, which is then no amount of money: '6 months', '6 Monate', '6个月'. */
const TIME_AFTER = beginsWith(wordsOfAllLanguages('times'))
/** Further digits or units after the unit of an amount: '3千万', '1万5千'. */
const MORE_AFTER = /^[\d千万萬]/

/** The units that multiply the number before them. 'mil' means a thousand in Spanish but a million in English. */
const UNITS: readonly { pattern: RegExp; times: number; language?: string }[] = [
  { pattern: beginsWith(['k', '千']), times: 1_000 },
  { pattern: beginsWith(['万', '萬']), times: 10_000 },
  ...Object.entries(WORDS).flatMap(([language, { thousand }]) =>
    thousand === '' ? [] : [{ pattern: beginsWith(wordsIn(thousand)), times: 1_000, language }],
  ),
]

function unitOf(after: string, spoken: string): { times: number; rest: string } {
  for (const { pattern, times, language } of UNITS) {
    const match = language !== undefined && language !== spoken ? null : pattern.exec(after)
    if (match) return { times, rest: after.slice(match[0].length) }
  }
  return { times: 1, rest: after }
}

/** Returns whether a bare number is more likely a year than an amount. */
const isYear = (digits: string, before: string, after: string): boolean =>
  /^(?:19|20)\d\d$/.test(digits) &&
  !/\p{Sc}\s?$/u.test(before) &&
  !/^\s?(?:\p{Sc}|us\s?\$|usd|d[oó]l|美|ドル|دولار)/iu.test(after)

/** '1e3' is not an amount, and neither are its parts. */
const EXPONENT_AFTER = /^e[+-]?\d/i
const EXPONENT_BEFORE = /\de[+-]?$/i

/** A minus sign or word before a number. A dash between two words is no minus sign. */
const MINUS_BEFORE = /(?:(?:^|[\s(])[-\u2212]\$?|\$\s?[-\u2212]\s?|(?:minus|负|マイナス|ناقص)\s?\$?)$/iu

/** Returns the first year in a question, or null. */
export function yearIn(question: string): number | null {
  const text = plainDigits(question.normalize('NFKC'))
  const year = [...text.matchAll(NUMBER)].find((match) =>
    isYear(match[0], text.slice(0, match.index), text.slice(match.index + match[0].length)),
  )
  return year ? Number(year[0]) : null
}

/** Returns the first amount in a question, as signed US cents, or null. Year numbers and the number `day` do not count. */
export function amountIn(question: string, language: string, day: number | null = null): number | null {
  const text = plainDigits(question.normalize('NFKC'))
  for (const match of text.matchAll(NUMBER)) {
    const amountReading = readAmount(match[0], { language, asset: 'USD' })
    const after = text.slice(match.index + match[0].length)
    if (Number(match[0]) === day) continue
    if (/^\s?(?:%|٪)/.test(after) || TIME_AFTER.test(after)) continue
    const before = text.slice(0, match.index)
    if (EXPONENT_AFTER.test(after) || EXPONENT_BEFORE.test(before)) continue
    if (isYear(match[0], before, after)) continue
    // A number with two possible readings is no amount, so the advisor asks the customer for it.
    if (amountReading.state === 'unsure') return null
    if (amountReading.state !== 'read' || amountReading.amountMinor === 0) continue
    const minor = amountReading.amountMinor
    const { times, rest } = unitOf(after, language)
    // A part of an amount is no amount, so the advisor asks the customer for it.
    if (SCALE_AFTER.test(rest) || (times > 1 && MORE_AFTER.test(rest))) return null
    // Larger amounts are ignored, because no customer has that much.
    if (minor * times <= 1_000_000_000_00) return (MINUS_BEFORE.test(before) ? -minor : minor) * times
  }
  return null
}
