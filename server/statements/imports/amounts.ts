import { parseDigits } from '#contract/amounts.ts'
import { DECIMAL_MARKS, type DecimalMark } from '#contract/statement-formats.ts'
import { plainText } from '#server/statements/imports/normalize-cell.ts'
import { parseCurrency } from '#server/statements/imports/currencies.ts'
import { type EntryDirection } from '#server/statements/imports/bank-vocabulary.ts'

/** The largest number of digits before the decimals of an amount, and of characters in its cell. No bank's file has more. */
const WHOLE_DIGITS = 15
const CELL_MOST = 60

/**
 * A cell that contains an amount. `digits`: the text from the first digit to the last, with its separators. `direction`: money
 * in or money out, from a word such as 'CR' or 'DR'; null without such a word. `currency`: the ISO 4217 code, or the text as
 * written; null if the cell names no currency.
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

/** Returns the amount in a cell with the words and signs around it, or null for a cell that has no amount or more than one. */
export function amountCell(text: string): AmountCell | null {
  if (text.length > CELL_MOST) return null
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
 * Converts digits with separators to cents. Returns null if they are no amount: exponents and fractions of a cent are not
 * allowed, but further zeros after the cents are. All amounts are read by the same parser.
 */
export function centsOfDigits(digits: string, mark: DecimalMark): bigint | null {
  const number = parseDigits(mark === '.' && INDIAN.test(digits) ? digits.replaceAll(',', '') : digits, mark)
  if (!number || number.whole.length > WHOLE_DIGITS || !/^\d{0,2}0*$/.test(number.fraction)) return null
  return BigInt(number.whole + number.fraction.slice(0, 2).padEnd(2, '0'))
}

/**
 * Returns whether digits have one separator with three digits after it. The separator may separate thousands. It may also be a
 * decimal mark, if the third decimal is a typing error.
 */
const isThreeBehindOne = (digits: string): boolean => /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)

/**
 * Returns the decimal marks with which some digits are an amount. `isAmbiguous`: the choice of the mark changes the amount.
 * '1,400' is 1.40 or 1,400.00; in '12.345' the separator can only separate thousands.
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
 * Returns the cents of digits. If both decimal marks are possible, `mark` decides. Returns null if the digits are no
 * amount, or the mark is unknown.
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

/** The decimal mark of a file. `isSure`: the amounts of the file prove the mark, or no amount depends on it. */
export type MarkReading = { mark: DecimalMark; isSure: boolean }

/**
 * Returns the decimal mark that the amounts of one file use. The mark is sure if some amounts prove it, or if no amount is
 * ambiguous. Without proof, the result is `usual`, the mark of the file's language. This result is sure only if it makes all
 * ambiguous separators thousands separators, because dollars never have three decimals.
 */
export function markReadingOf(digits: readonly string[], usual: DecimalMark | null): MarkReading {
  const read = digits.map((text) => ({ text, ...possibleMarksOf(text) }))
  const ambiguous = read.filter(({ isAmbiguous }) => isAmbiguous)
  const certainMarks = new Set(
    read.flatMap(({ marks, isAmbiguous }) => (marks.length === 1 && !isAmbiguous ? marks : [])),
  )
  const [only] = certainMarks
  if (certainMarks.size === 1 && only) return { mark: only, isSure: true }
  if (ambiguous.length === 0) return { mark: usual ?? '.', isSure: true }
  const isUsual = certainMarks.size === 0 && usual !== null && ambiguous.every(({ text }) => !text.includes(usual))
  return { mark: usual ?? '.', isSure: isUsual }
}
