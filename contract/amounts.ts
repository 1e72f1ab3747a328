import { intlLocale } from '#contract/languages.ts'
import { type Asset, ASSETS, MAX_AMOUNT_MINOR } from '#contract/money.ts'

/** The marks that a language writes before decimals and between thousands. */
export type Marks = { decimal: string; group: string }

const ENGLISH_MARKS: Marks = { decimal: '.', group: ',' }

export function marksOf(locale: string): Marks {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.6)
  const mark = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value ?? ENGLISH_MARKS[type]
  return { decimal: mark('decimal'), group: mark('group') }
}

/** The marks of each locale. They are cached because creating an `Intl.NumberFormat` takes as long as reading fifty amounts. */
const marksCache = new Map<string, Marks>()

function marksIn(language: string): Marks {
  const locale = intlLocale(language)
  const marks = marksCache.get(locale) ?? marksOf(locale)
  marksCache.set(locale, marks)
  return marks
}

/** Full-width digits, marks and dollar signs, which Chinese and Japanese keyboards type. */
const FULL_WIDTH = /[\uFF04\uFF0C\uFF0E\uFF10-\uFF19]/g
const FULL_WIDTH_OFFSET = 0xfee0

/** Arabic and Persian digits. */
const ARABIC_DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g

/** Invisible characters that set the direction of text. The bank itself writes them around amounts. */
const DIRECTION_CHARACTERS = /[\u200E\u200F\u2066-\u2069]/g

/**
 * Every space except tabs and line breaks. Tabs and line breaks separate the cells of a table, and each cell is an amount of
 * its own.
 */
const SPACE = /[^\S\t\n\v\f\r\u2028\u2029]/g

/** Returns a text in which each digit and mark has one form: every space becomes ' ', and every apostrophe "'". */
const normalized = (text: string): string =>
  text
    .replace(DIRECTION_CHARACTERS, '')
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replace(ARABIC_DIGITS, (character) => String(character.charCodeAt(0) & 0xf))
    .replaceAll(SPACE, ' ')
    .replaceAll('’', "'")
    .trim()

/** The Arabic marks have the same meaning in every language. The meaning of a point and a comma depends on the language. */
const ARABIC_MARKS = { decimal: '\u066B', group: '\u066C' } as const
const GROUP_MARKS = [',', '.', ' ', "'", ARABIC_MARKS.group]
const DECIMAL_MARKS = [',', '.', ARABIC_MARKS.decimal]

/** The digits of an amount: the whole number without its group marks, and the decimals. */
type Digits = { whole: string; fraction: string }

/** Splits a number at its marks. Returns null if the text has no digit, or anything besides digits and marks. */
function splitAtMarks(text: string): { parts: string[]; marks: string[] } | null {
  // A text of more than 100 characters is not an amount.
  if (text.length > 100 || !/^[\d., '\u066B\u066C]+$/.test(text) || !/\d/.test(text)) return null
  return { parts: text.split(/\D/), marks: text.match(/\D/g) ?? [] }
}

/**
 * Joins the groups of digits of a whole number. A single group is returned as it is. If there are several groups, the first
 * must have one to three digits and must not begin with a zero, and each other group must have three digits. All marks between
 * the groups must be the same, and `allowedMarks` must contain the mark. Returns null if the groups break these rules.
 */
function joinGroups(
  parts: readonly string[],
  marks: readonly string[],
  allowedMarks: readonly string[],
): string | null {
  const [first = '', ...laterParts] = parts
  if (laterParts.length === 0) return first
  const [mark = ''] = marks
  if (!allowedMarks.includes(mark) || marks.some((other) => other !== mark)) return null
  return /^[1-9]\d{0,2}$/.test(first) && laterParts.every((part) => part.length === 3) ? parts.join('') : null
}

/** Reads a number without decimals. Returns null for any other text. */
function readWhole(text: string, groupMarks: readonly string[]): Digits | null {
  const split = splitAtMarks(text)
  const whole = split && joinGroups(split.parts, split.marks, groupMarks)
  return whole ? { whole, fraction: '' } : null
}

/** Reads a number whose last mark is the decimal mark. Returns null for any other text. */
function readDecimal(
  text: string,
  { decimalMarks, groupMarks }: { decimalMarks: readonly string[]; groupMarks: readonly string[] },
): Digits | null {
  const split = splitAtMarks(text)
  const mark = split?.marks.at(-1)
  if (!split || mark === undefined || !decimalMarks.includes(mark)) return null
  const otherMarks = split.marks.slice(0, -1)
  const whole = otherMarks.includes(mark) ? null : joinGroups(split.parts.slice(0, -1), otherMarks, groupMarks)
  return whole === null ? null : { whole, fraction: split.parts.at(-1) ?? '' }
}

/**
 * Returns the digits of a number whose decimal mark is known. Any other mark may separate the thousands. Returns null if the
 * text is not such a number.
 */
export function parseDigits(text: string, decimal: ',' | '.'): Digits | null {
  const bare = normalized(text)
  const groupMarks = GROUP_MARKS.filter((mark) => mark !== decimal)
  return readWhole(bare, groupMarks) ?? readDecimal(bare, { decimalMarks: [decimal], groupMarks })
}

/** The meaning of the text in an amount field. Amounts are in minor units of the asset. */
export type AmountReading =
  | { state: 'empty' }
  | { state: 'invalid' }
  | { state: 'too_large' }
  /** The text can mean each of these one or two amounts. Only the author of the text can choose the right one. */
  | { state: 'unsure'; readings: readonly number[] }
  | { state: 'read'; amountMinor: number }

const INVALID: AmountReading = { state: 'invalid' }

function minorOf({ whole, fraction }: Digits, decimals: number): bigint {
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

function sureReading(digits: Digits, decimals: number): AmountReading {
  const minor = minorOf(digits, decimals)
  return minor <= BigInt(MAX_AMOUNT_MINOR) ? { state: 'read', amountMinor: Number(minor) } : { state: 'too_large' }
}

function unsureReading(candidates: readonly Digits[], decimals: number): AmountReading {
  const readings = candidates
    .map((digits) => minorOf(digits, decimals))
    .filter((minor) => minor > 0n && minor <= BigInt(MAX_AMOUNT_MINOR))
    .map(Number)
  return readings.length === 0 ? INVALID : { state: 'unsure', readings }
}

/** Returns a text without the asset's symbol at its beginning or end. */
function withoutSymbol(text: string, asset: Asset): string {
  const { symbol } = ASSETS[asset]
  if (symbol === '') return text
  if (text.startsWith(symbol)) return text.slice(symbol.length).trim()
  return text.endsWith(symbol) ? text.slice(0, -symbol.length).trim() : text
}

/**
 * Reads a number with three digits after its only mark, which is a point or a comma. In '1.234', the three digits are part of
 * the whole number in one language and decimals in another.
 */
function readThreeAfterMark(text: string, { decimal, group }: Marks, decimals: number): AmountReading {
  const mark = /\D/.exec(text)?.[0]
  const whole = readWhole(text, GROUP_MARKS)
  const decimalReading = readDecimal(text, { decimalMarks: DECIMAL_MARKS, groupMarks: [] })
  const isExact = decimalReading !== null && decimalReading.fraction.length <= decimals
  if (decimalReading && isExact && (mark === decimal || (mark !== group && !whole)))
    return sureReading(decimalReading, decimals)
  if (whole && !isExact && mark === group) return sureReading(whole, decimals)
  // In an asset with two decimals, '1.000' can mean 1. In '1.234', the third decimal does not exist in that asset.
  const canBeDecimal = decimalReading !== null && (isExact || /^0*$/.test(decimalReading.fraction.slice(decimals)))
  return unsureReading([...(whole ? [whole] : []), ...(canBeDecimal ? [decimalReading] : [])], decimals)
}

/**
 * Reads an amount as a person types it. The whole text must be one complete number with one meaning in `language`. Thousands
 * may be separated by the mark of that language, or by another mark if the text then has only one meaning. A text is invalid if
 * it contains a sign, letters, an exponent, too many decimals for the asset, or a group mark after a leading zero. Zero is a
 * valid amount. The caller decides whether zero is allowed.
 */
export function readAmount(text: string, { language, asset }: { language: string; asset: Asset }): AmountReading {
  if (text.trim() === '') return { state: 'empty' }
  const { decimals } = ASSETS[asset]
  const bare = withoutSymbol(normalized(text), asset)
  const marks = marksIn(language)
  if (/^\d*[.,]\d{3}$/.test(bare)) return readThreeAfterMark(bare, marks, decimals)
  const whole = readWhole(bare, GROUP_MARKS)
  if (whole) return sureReading(whole, decimals)
  const reading = readDecimal(bare, { decimalMarks: DECIMAL_MARKS, groupMarks: GROUP_MARKS })
  if (!reading || reading.fraction.length > decimals) return INVALID
  // If the point is the decimal mark, '12.' means 12, but '12,' is unfinished, because the comma separates thousands.
  const isUnfinished = reading.fraction === '' && !bare.endsWith(marks.decimal)
  return isUnfinished ? INVALID : sureReading(reading, decimals)
}

/**
 * Returns the amounts that a search text can mean, in US cents. A sign in the text is ignored. A text with two meanings results
 * in two amounts. A text that is not an amount results in an empty list.
 */
export function amountsIn(text: string, language: string): readonly number[] {
  const unsigned = text.replace(/^[\u2066-\u2069\s]*[+\u2212-]/, '').replace(/^(\s*\$)\s*[+\u2212-]/, '$1')
  const reading = readAmount(unsigned, { language, asset: 'USD' })
  return reading.state === 'read' ? [reading.amountMinor] : reading.state === 'unsure' ? reading.readings : []
}
