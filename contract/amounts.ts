import { intlLocale } from '#contract/languages.ts'
import { type Asset, ASSETS, MAX_AMOUNT_MINOR } from '#contract/money.ts'

/** What a language writes between the whole and its decimals, and between thousands. */
export type Marks = { decimal: string; group: string }

const ENGLISH_MARKS: Marks = { decimal: '.', group: ',' }

/** The marks of a locale. */
export function marksOf(locale: string): Marks {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.6)
  const mark = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value ?? ENGLISH_MARKS[type]
  return { decimal: mark('decimal'), group: mark('group') }
}

/** Making a format costs as much as fifty amounts read with it. */
const known = new Map<string, Marks>()

function marksIn(language: string): Marks {
  const locale = intlLocale(language)
  const marks = known.get(locale) ?? marksOf(locale)
  known.set(locale, marks)
  return marks
}

/** Digits, marks and the dollar as Chinese and Japanese keyboards type them, as wide as a letter. */
const FULL_WIDTH = /[\uFF04\uFF0C\uFF0E\uFF10-\uFF19]/g
const FULL_WIDTH_OFFSET = 0xfee0

/** Arabic and Persian digits. */
const EASTERN = /[\u0660-\u0669\u06F0-\u06F9]/g

/** Marks of direction, which the bank itself writes around amounts. */
const DIRECTION = /[\u200E\u200F\u2066-\u2069]/g

/** Every space except tabs and line breaks: those part the cells of a table, and two cells are two amounts. */
const SPACE = /[^\S\t\n\v\f\r\u2028\u2029]/g

/** A text with one spelling for each digit and mark: every space is ' ', every apostrophe "'". */
const spelled = (text: string): string =>
  text
    .replace(DIRECTION, '')
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replace(EASTERN, (character) => String(character.charCodeAt(0) & 0xf))
    .replaceAll(SPACE, ' ')
    .replaceAll('’', "'")
    .trim()

/** The Arabic marks have one meaning in every language; a point and a comma do not. */
const ARABIC = { decimal: '\u066B', group: '\u066C' } as const
const GROUPS = [',', '.', ' ', "'", ARABIC.group]
const DECIMALS = [',', '.', ARABIC.decimal]

/** Digits of an amount: the whole, without its marks, and the decimals. */
type Digits = { whole: string; fraction: string }

/** A number cut at its marks; null where there is anything but digits and marks in it. */
function cut(text: string): { parts: string[]; marks: string[] } | null {
  // Nothing as long is an amount.
  if (text.length > 100 || !/^[\d., '\u066B\u066C]+$/.test(text) || !/\d/.test(text)) return null
  return { parts: text.split(/\D/), marks: text.match(/\D/g) ?? [] }
}

/** Parted thousands: groups of three after a first one that does not begin with a zero, with one mark throughout. */
function grouped(parts: readonly string[], marks: readonly string[], allowed: readonly string[]): string | null {
  const [first = '', ...rest] = parts
  if (rest.length === 0) return first
  const [mark = ''] = marks
  if (!allowed.includes(mark) || marks.some((one) => one !== mark)) return null
  return /^[1-9]\d{0,2}$/.test(first) && rest.every((part) => part.length === 3) ? parts.join('') : null
}

/** A number without decimals. */
function wholeOf(text: string, groups: readonly string[]): Digits | null {
  const found = cut(text)
  const whole = found && grouped(found.parts, found.marks, groups)
  return whole ? { whole, fraction: '' } : null
}

/** A number whose last mark stands before its decimals. */
function decimalOf(text: string, { decimals, groups }: { decimals: readonly string[]; groups: readonly string[] }) {
  const found = cut(text)
  const mark = found?.marks.at(-1)
  if (!found || mark === undefined || !decimals.includes(mark)) return null
  const thousands = found.marks.slice(0, -1)
  const whole = thousands.includes(mark) ? null : grouped(found.parts.slice(0, -1), thousands, groups)
  return whole === null ? null : { whole, fraction: found.parts.at(-1) ?? '' }
}

/**
 * The digits of a number whose decimal mark is known; null where it is none. `text` may be parted by any other mark that
 * parts thousands.
 */
export function digitsOf(text: string, decimal: ',' | '.'): Digits | null {
  const bare = spelled(text)
  const groups = GROUPS.filter((mark) => mark !== decimal)
  return wholeOf(bare, groups) ?? decimalOf(bare, { decimals: [decimal], groups })
}

/** What a text says in an amount field. Amounts: minor units of the asset. */
export type AmountReading =
  | { state: 'empty' }
  | { state: 'invalid' }
  | { state: 'too_large' }
  /** One or two amounts that it may be: only who wrote it can tell. */
  | { state: 'unsure'; readings: readonly number[] }
  | { state: 'read'; amountMinor: number }

const INVALID: AmountReading = { state: 'invalid' }

function minorOf({ whole, fraction }: Digits, decimals: number): bigint {
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

function sure(digits: Digits, decimals: number): AmountReading {
  const minor = minorOf(digits, decimals)
  return minor <= BigInt(MAX_AMOUNT_MINOR) ? { state: 'read', amountMinor: Number(minor) } : { state: 'too_large' }
}

function unsure(candidates: readonly Digits[], decimals: number): AmountReading {
  const readings = candidates
    .map((digits) => minorOf(digits, decimals))
    .filter((minor) => minor > 0n && minor <= BigInt(MAX_AMOUNT_MINOR))
    .map(Number)
  return readings.length === 0 ? INVALID : { state: 'unsure', readings }
}

/** A number without its currency, in front or behind. */
function withoutSymbol(text: string, asset: Asset): string {
  const { symbol } = ASSETS[asset]
  if (symbol === '') return text
  if (text.startsWith(symbol)) return text.slice(symbol.length).trim()
  return text.endsWith(symbol) ? text.slice(0, -symbol.length).trim() : text
}

/** Three digits behind one point or comma: thousands to some, decimals to others. */
function threeBehindOne(text: string, { decimal, group }: Marks, decimals: number): AmountReading {
  const mark = /\D/.exec(text)?.[0]
  const whole = wholeOf(text, GROUPS)
  const found = decimalOf(text, { decimals: DECIMALS, groups: [] })
  const isExact = found !== null && found.fraction.length <= decimals
  if (found && isExact && (mark === decimal || (mark !== group && !whole))) return sure(found, decimals)
  if (whole && !isExact && mark === group) return sure(whole, decimals)
  // '1.000' may well be 1 of what has two decimals, '1.234' is none.
  const isRound = found !== null && (isExact || /^0*$/.test(found.fraction.slice(decimals)))
  return unsure([...(whole ? [whole] : []), ...(isRound ? [found] : [])], decimals)
}

/**
 * Reads an amount as a person writes it. It reads what is complete and can mean one thing to somebody who reads
 * `language`: thousands parted as that language parts them, or by other marks where those leave no choice. It reads
 * nothing in part: no sign, no letters, no exponent, no decimals that the asset does not have, nothing parted after a
 * leading zero. Zero is read as 0; whether it is allowed is the caller's rule.
 */
export function readAmount(text: string, { language, asset }: { language: string; asset: Asset }): AmountReading {
  if (text.trim() === '') return { state: 'empty' }
  const { decimals } = ASSETS[asset]
  const bare = withoutSymbol(spelled(text), asset)
  const marks = marksIn(language)
  if (/^\d*[.,]\d{3}$/.test(bare)) return threeBehindOne(bare, marks, decimals)
  const whole = wholeOf(bare, GROUPS)
  if (whole) return sure(whole, decimals)
  const found = decimalOf(bare, { decimals: DECIMALS, groups: GROUPS })
  if (!found || found.fraction.length > decimals) return INVALID
  // '12.' is as good as '12' where the point stands before decimals; elsewhere, '12,' is the beginning of something.
  const isOpen = found.fraction === '' && !bare.endsWith(marks.decimal)
  return isOpen ? INVALID : sure(found, decimals)
}

/**
 * The amounts that a searched text may be, US cents: whatever its sign, both of those that only who wrote it could tell
 * apart, and none where it is no amount.
 */
export function amountsIn(text: string, language: string): readonly number[] {
  const unsigned = text.replace(/^[\u2066-\u2069\s]*[+\u2212-]/, '').replace(/^(\s*\$)\s*[+\u2212-]/, '$1')
  const reading = readAmount(unsigned, { language, asset: 'USD' })
  return reading.state === 'read' ? [reading.amountMinor] : reading.state === 'unsure' ? reading.readings : []
}
