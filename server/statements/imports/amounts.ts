import { parseDigits } from '#contract/amounts.ts'
import { DECIMAL_MARKS, type DecimalMark } from '#contract/statement-formats.ts'
import { plainText } from '#server/statements/imports/normalize-cell.ts'
import { parseCurrency } from '#server/statements/imports/currencies.ts'
import { type EntryDirection } from '#server/statements/imports/bank-vocabulary.ts'

/**
 * The largest number of digits before the decimals of an amount, and the largest number of characters in its cell. No bank's
 * file has more.
 */
const WHOLE_DIGITS = 15
const MAX_CELL = 60

/**
 * A cell that contains an amount. `digits`: the text from the first digit to the last, with its separators. `isBelow`: the
 * amount is below zero, by a minus or by brackets. `isSigned`: it has a plus, a minus or brackets. `direction`: money in or
 * money out, from a word such as 'CR' or 'DR'; null without such a word. `currency`: the ISO 4217 code, or the text as written;
 * null if the cell names no currency.
 */
export type AmountCell = {
  digits: string
  isBelow: boolean
  isSigned: boolean
  direction: EntryDirection | null
  currency: string | null
}

/** Every character that files use as a minus: hyphens, dashes and the minus sign. */
const DASHES = /[\u2010-\u2015\u2212\uFE58]/g

const SIDES: ReadonlyMap<string, EntryDirection> = new Map(
  Object.entries({
    cr: 'in',
    crdt: 'in',
    credit: 'in',
    c: 'in',
    h: 'in',
    haben: 'in',
    dr: 'out',
    db: 'out',
    dbit: 'out',
    debit: 'out',
    d: 'out',
    s: 'out',
    soll: 'out',
  } as const),
)

/** Returns the meaning of the words and signs around the digits, or null if the cell has any other text. */
function affixesOf(text: string): Pick<AmountCell, 'isBelow' | 'isSigned' | 'direction' | 'currency'> | null {
  const signs = text.match(/[-+]/g) ?? []
  const inBrackets = /^[^()]*\([^()]*\)[^()]*$/.test(text)
  if (/[()]/.test(text) && !inBrackets) return null
  if (signs.length > 1 || (inBrackets && signs[0] === '+')) return null
  const signals = { direction: null as EntryDirection | null, currency: null as string | null }
  for (const word of text.split(/[\s()+\-#]+/).filter((part) => part !== '')) {
    const direction = SIDES.get(word.toLowerCase().replaceAll('.', ''))
    const currency = direction === undefined ? parseCurrency(word) : null
    if (direction !== undefined && signals.direction === null) signals.direction = direction
    else if (currency !== null && signals.currency === null) signals.currency = currency
    else if (currency === null || currency !== signals.currency) return null
  }
  return { ...signals, isBelow: inBrackets || signs[0] === '-', isSigned: inBrackets || signs.length > 0 }
}

/**
 * Returns the amount in a cell with the words and signs around it. Returns null for a cell with no amount, with more than one,
 * or with any other text.
 */
export function amountCell(text: string): AmountCell | null {
  if (text.length > MAX_CELL) return null
  const plainCell = plainText(text)
    .replaceAll(DASHES, '-')
    // Arabic separators have one meaning each. '25,-' is 25 without cents.
    .replaceAll('\u066C', '')
    .replaceAll('\u066B', '.')
    .replace(/[.,][-=]{1,2}(?=$|\s)/, '')
  const [, before = '', digits = '', after = ''] =
    /^((?:[^\d.,]|\.(?!\d))*)([.,]?\d(?:[\d.,'’ ]*\d)?)(\D*)$/.exec(plainCell) ?? []
  if (digits === '') return null
  // '#' takes the place of the digits.
  const affixes = affixesOf(`${before}#${after}`)
  return affixes && { digits, ...affixes }
}

/** Thousands in the Indian grouping: '12,34,567.89'. */
const INDIAN = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/

/**
 * Converts digits with separators to cents. Returns null if they are no amount. A fraction of a cent is not allowed: '1.005' is
 * no amount, but '1.500' is. All amounts are read by the same parser.
 */
export function centsOfDigits(digits: string, mark: DecimalMark): bigint | null {
  const number = parseDigits(mark === '.' && INDIAN.test(digits) ? digits.replaceAll(',', '') : digits, mark)
  if (!number || number.whole.length > WHOLE_DIGITS || !/^\d{0,2}0*$/.test(number.fraction)) return null
  return BigInt(number.whole + number.fraction.slice(0, 2).padEnd(2, '0'))
}

/**
 * Returns whether digits have one separator with three digits after it, as '1,400' or '12.345'. The separator probably
 * separates thousands. But it may also be a decimal mark with one decimal too many.
 */
const isThreeBehindOne = (digits: string): boolean => /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)

/**
 * Returns the decimal marks with which the digits are a valid amount. `isAmbiguous`: the digits alone do not prove which mark
 * is meant. '1,400' is 1.40 or 1,400.00. '12.345' is valid only as 12,345.00, but it is ambiguous too, because a decimal mark
 * with one decimal too many looks the same.
 */
export function possibleMarksOf(digits: string): { marks: DecimalMark[]; isAmbiguous: boolean } {
  const readings = DECIMAL_MARKS.map((mark) => ({ mark, cents: centsOfDigits(digits, mark) })).filter(
    ({ cents }) => cents !== null,
  )
  return {
    marks: readings.map(({ mark }) => mark),
    isAmbiguous: isThreeBehindOne(digits) || (readings.length > 1 && readings[0]?.cents !== readings[1]?.cents),
  }
}

/**
 * Returns the cents of digits. If the digits are ambiguous, `mark` decides. Returns null if the digits are no amount, or if
 * they are ambiguous and `mark` is null.
 */
export function readCents(digits: string, mark: DecimalMark | null): bigint | null {
  const { marks, isAmbiguous } = possibleMarksOf(digits)
  if (!isAmbiguous) return marks[0] === undefined ? null : centsOfDigits(digits, marks[0])
  return mark === null ? null : centsOfDigits(digits, mark)
}

/** Returns the cents of a cell, negative if the cell has a minus, or null if it has no amount. */
export function centsIn(text: string, mark: DecimalMark): bigint | null {
  const amount = amountCell(text)
  const cents = amount && readCents(amount.digits, mark)
  return cents === null || !amount ? null : amount.isBelow ? -cents : cents
}

/** The decimal mark of a file. If `isSure` is false, the mark is a guess on which some amounts depend. */
export type MarkReading = { mark: DecimalMark; isSure: boolean }

/**
 * Returns the decimal mark that the amounts of one file use. If some amounts prove one mark, it is that mark. Otherwise it is
 * `usual`, the mark of the file's language, or '.' if the language is unknown. Then the mark is sure if no amount is
 * ambiguous. It is also sure if the language is known, no amount proves a mark, and no ambiguous amount contains `usual`: all
 * their separators separate thousands.
 */
export function markReadingOf(digits: readonly string[], usual: DecimalMark | null): MarkReading {
  const digitReadings = digits.map((text) => ({ text, ...possibleMarksOf(text) }))
  const ambiguous = digitReadings.filter(({ isAmbiguous }) => isAmbiguous)
  const certainMarks = new Set(
    digitReadings.flatMap(({ marks, isAmbiguous }) => (marks.length === 1 && !isAmbiguous ? marks : [])),
  )
  const [onlyMark] = certainMarks
  if (certainMarks.size === 1 && onlyMark) return { mark: onlyMark, isSure: true }
  if (ambiguous.length === 0) return { mark: usual ?? '.', isSure: true }
  const isUsual = certainMarks.size === 0 && usual !== null && ambiguous.every(({ text }) => !text.includes(usual))
  return { mark: usual ?? '.', isSure: isUsual }
}
