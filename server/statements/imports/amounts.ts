import { digitsOf } from '#contract/amounts.ts'
import { DECIMAL_MARKS, type DecimalMark } from '#contract/statement-formats.ts'
import { plainText } from '#server/statements/imports/cells.ts'
import { currencyNamed } from '#server/statements/imports/currencies.ts'
import { type Direction } from '#server/statements/imports/words.ts'

/** No bank's file has more digits before the decimals, nor longer cells with an amount in them. */
const WHOLE_DIGITS = 15
const CELL_MOST = 60

/**
 * A cell that has an amount in it. `digits`: what stands between the first digit and the last, with its marks. `direction`:
 * what 'CR', 'DR' and the like say. `currency`: ISO 4217 or as it is written; null where the cell names none.
 */
export type AmountCell = {
  digits: string
  isBelow: boolean
  isSigned: boolean
  direction: Direction | null
  currency: string | null
}

/** Every line that is a minus to somebody: hyphens, dashes, the minus sign. */
const DASHES = /[\u2010-\u2015\u2212\uFE58]/g

const SIDES: ReadonlyMap<string, Direction> = new Map(
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

/** What stands before and after the digits, in words and signs; null where something else stands there. */
function affixesOf(text: string): Pick<AmountCell, 'isBelow' | 'isSigned' | 'direction' | 'currency'> | null {
  const signs = text.match(/[-+]/g) ?? []
  const inBrackets = /^[^()]*\([^()]*\)[^()]*$/.test(text)
  if (/[()]/.test(text) && !inBrackets) return null
  if (signs.length > 1 || (inBrackets && signs[0] === '+')) return null
  const found = { direction: null as Direction | null, currency: null as string | null }
  for (const word of text.split(/[\s()+\-#]+/).filter((part) => part !== '')) {
    const direction = SIDES.get(word.toLowerCase().replaceAll('.', ''))
    const currency = direction === undefined ? currencyNamed(word) : null
    if (direction !== undefined && found.direction === null) found.direction = direction
    else if (currency !== null && found.currency === null) found.currency = currency
    else if (currency === null || currency !== found.currency) return null
  }
  return { ...found, isBelow: inBrackets || signs[0] === '-', isSigned: inBrackets || signs.length > 0 }
}

/** Reads what stands around the digits of an amount; null for a cell that has no amount in it, or more than one. */
export function amountCell(text: string): AmountCell | null {
  if (text.length > CELL_MOST) return null
  const plain = plainText(text)
    .replaceAll(DASHES, '-')
    // The Arabic marks have one meaning each, and '25,-' is 25 without cents.
    .replaceAll('\u066C', '')
    .replaceAll('\u066B', '.')
    .replace(/[.,][-=]{1,2}(?=$|\s)/, '')
  const [, before = '', digits = '', after = ''] =
    /^((?:[^\d.,]|\.(?!\d))*)([.,]?\d(?:[\d.,'’ ]*\d)?)(\D*)$/.exec(plain) ?? []
  if (digits === '') return null
  // '#' keeps the place of the digits.
  const affixes = affixesOf(`${before}#${after}`)
  return affixes && { digits, ...affixes }
}

/** Thousands as India parts them: '12,34,567.89'. */
const INDIAN = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/

/**
 * The cents of digits with their marks, by the reader of all amounts; null where they are none. Exponents and thirds of a cent are no
 * amounts; zeros behind the cents say nothing.
 */
export function centsOf(digits: string, mark: DecimalMark): bigint | null {
  const found = digitsOf(mark === '.' && INDIAN.test(digits) ? digits.replaceAll(',', '') : digits, mark)
  if (!found || found.whole.length > WHOLE_DIGITS || !/^\d{0,2}0*$/.test(found.fraction)) return null
  return BigInt(found.whole + found.fraction.slice(0, 2).padEnd(2, '0'))
}

/** One mark and three digits behind it: thousands to some, and a slip with three decimals to others. */
const isThreeBehindOne = (digits: string): boolean => /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)

/** The marks with which digits are an amount, and whether it matters which. '1,400' is 1.40 or 1,400.00; '12.345' can be nothing but thousands. */
export function marksOf(digits: string): { marks: DecimalMark[]; isAmbiguous: boolean } {
  const readings = DECIMAL_MARKS.map((mark) => ({ mark, cents: centsOf(digits, mark) })).filter(
    ({ cents }) => cents !== null,
  )
  return {
    marks: readings.map(({ mark }) => mark),
    isAmbiguous: isThreeBehindOne(digits) || (readings.length > 1 && readings[0]?.cents !== readings[1]?.cents),
  }
}

/** The cents of digits that only one mark makes an amount, or else with `mark`; null where they are none, or nothing tells the mark. */
export function readCents(digits: string, mark: DecimalMark | null): bigint | null {
  const { marks, isAmbiguous } = marksOf(digits)
  if (!isAmbiguous) return marks[0] === undefined ? null : centsOf(digits, marks[0])
  return mark === null ? null : centsOf(digits, mark)
}

/** The cents of a cell, below zero where it says so; null where it has none. */
export function centsIn(text: string, mark: DecimalMark): bigint | null {
  const found = amountCell(text)
  const cents = found && readCents(found.digits, mark)
  return cents === null || !found ? null : found.isBelow ? -cents : cents
}

/** The decimal mark of a file. `isSure`: its amounts say so, or none of them has two readings. */
export type MarkReading = { mark: DecimalMark; isSure: boolean }

/**
 * The decimal mark that the amounts of one file have. Where none of them says, it is `usual`, the mark of the file's
 * language, provided that it takes the marks found for thousands: nobody writes three decimals of a dollar.
 */
export function markReadingOf(digits: readonly string[], usual: DecimalMark | null): MarkReading {
  const read = digits.map((text) => ({ text, ...marksOf(text) }))
  const ambiguous = read.filter(({ isAmbiguous }) => isAmbiguous)
  const said = new Set(read.flatMap(({ marks, isAmbiguous }) => (marks.length === 1 && !isAmbiguous ? marks : [])))
  const [only] = said
  if (said.size === 1 && only) return { mark: only, isSure: true }
  if (ambiguous.length === 0) return { mark: usual ?? '.', isSure: true }
  const isUsual = said.size === 0 && usual !== null && ambiguous.every(({ text }) => !text.includes(usual))
  return { mark: usual ?? '.', isSure: isUsual }
}
