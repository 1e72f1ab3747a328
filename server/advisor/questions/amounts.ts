import { readAmount } from '#contract/amounts.ts'
import { IS_UNSPACED, plainDigits } from '#server/advisor/questions/normalise.ts'
import { WORDS, wordsIn } from '#server/advisor/questions/words.ts'

/** A number with what may part its thousands and its cents. */
const NUMBER = /\d+(?:(?:[.,'\u066B\u066C]| (?=\d{3}(?!\d)))\d+)*/g

const WORD_END = String.raw`(?![\p{L}\p{N}])`

/** Finds any of the words at the beginning of a text; of a script without spaces, whatever follows them. */
function beginsWith(words: readonly string[]): RegExp {
  const any = words.toSorted((one, other) => other.length - one.length)
  return new RegExp(
    String.raw`^\s?(?:${any.map((word) => word + (IS_UNSPACED.test(word) ? '' : WORD_END)).join('|')})`,
    'iu',
  )
}

const all = (list: 'scales' | 'times') => Object.values(WORDS).flatMap((words) => wordsIn(words[list]))

/** What makes the number before it another one, and is not read: '10 thousand', '2 Mio.', '5 mille', '50 cents'. */
const SCALE_AFTER = beginsWith([...all('scales'), 'm', 'tys'])
/** What is counted in time is no money: '6 months', '6 Monate', '6个月'. */
const TIME_AFTER = beginsWith(all('times'))
/** What goes on with an amount behind its unit: '3千万', '1万5千'. */
const MORE_AFTER = /^[\d千万萬]/

/** A unit multiplies the number that it follows. 'mil' does so in Spanish; in English it is a million. */
const UNITS: readonly { written: RegExp; times: number; language?: string }[] = [
  { written: beginsWith(['k', '千']), times: 1_000 },
  { written: beginsWith(['万', '萬']), times: 10_000 },
  ...Object.entries(WORDS).flatMap(([language, { thousand }]) =>
    thousand === '' ? [] : [{ written: beginsWith(wordsIn(thousand)), times: 1_000, language }],
  ),
]

function unitOf(after: string, spoken: string): { times: number; rest: string } {
  for (const { written, times, language } of UNITS) {
    const found = language !== undefined && language !== spoken ? null : written.exec(after)
    if (found) return { times, rest: after.slice(found[0].length) }
  }
  return { times: 1, rest: after }
}

/** A number alone that is more likely a year than an amount. */
const isYear = (written: string, before: string, after: string): boolean =>
  /^(?:19|20)\d\d$/.test(written) &&
  !/\p{Sc}\s?$/u.test(before) &&
  !/^\s?(?:\p{Sc}|us\s?\$|usd|d[oó]l|美|ドル|دولار)/iu.test(after)

/** '1e3' is no amount, and neither are its parts. */
const EXPONENT_AFTER = /^e[+-]?\d/i
const EXPONENT_BEFORE = /\de[+-]?$/i

/** What makes the number after it less than nothing; a dash between two words does not. */
const MINUS_BEFORE = /(?:(?:^|[\s(])[-\u2212]\$?|\$\s?[-\u2212]\s?|(?:minus|负|マイナス|ناقص)\s?\$?)$/iu

/** The first year that a question names; null where it names none. */
export function yearIn(question: string): number | null {
  const text = plainDigits(question.normalize('NFKC'))
  const year = [...text.matchAll(NUMBER)].find((match) =>
    isYear(match[0], text.slice(0, match.index), text.slice(match.index + match[0].length)),
  )
  return year ? Number(year[0]) : null
}

/** The first amount that a question names, US cents, signed; null where it names none. Numbers of years are not meant, nor `day`. */
export function amountIn(question: string, language: string, day: number | null = null): number | null {
  const text = plainDigits(question.normalize('NFKC'))
  for (const match of text.matchAll(NUMBER)) {
    const reading = readAmount(match[0], { language, asset: 'USD' })
    const after = text.slice(match.index + match[0].length)
    if (Number(match[0]) === day) continue
    if (/^\s?(?:%|٪)/.test(after) || TIME_AFTER.test(after)) continue
    const before = text.slice(0, match.index)
    if (EXPONENT_AFTER.test(after) || EXPONENT_BEFORE.test(before)) continue
    if (isYear(match[0], before, after)) continue
    // What may be one of two amounts is none: the customer is asked for it.
    if (reading.state === 'unsure') return null
    if (reading.state !== 'read' || reading.amountMinor === 0) continue
    const minor = reading.amountMinor
    const { times, rest } = unitOf(after, language)
    // No part of an amount is the amount: the customer is asked for it.
    if (SCALE_AFTER.test(rest) || (times > 1 && MORE_AFTER.test(rest))) return null
    // More than anybody has would only be laughed at.
    if (minor * times <= 1_000_000_000_00) return (MINUS_BEFORE.test(before) ? -minor : minor) * times
  }
  return null
}
