import { digitsOf } from '#contract/amounts.ts'
import { type DateFormat, DECIMAL_MARKS, type DecimalMark } from '#contract/statement-formats.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** No payment that anybody imports is older. */
const FIRST_DAY = '1990-01-01'

const ORDERS: Record<DateFormat, readonly ['y' | 'm' | 'd', 'y' | 'm' | 'd', 'y' | 'm' | 'd']> = {
  ymd: ['y', 'm', 'd'],
  dmy: ['d', 'm', 'y'],
  mdy: ['m', 'd', 'y'],
}

/** A month as a number or an English name. */
function monthOf(text: string): number {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  return MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1
}

const isYear = (text: string) => /^(?:\d{4}|\d{2})$/.test(text)

/** The day of a text as YYYY-MM-DD, whatever time stands behind it; null where it is none, or too long ago. */
export function readDay(text: string, format: DateFormat): string | null {
  const compact = format === 'ymd' ? /^(\d{4})(\d{2})(\d{2})(?:\D.*|\d{6}.*)?$/.exec(text.trim()) : null
  const parts =
    compact?.slice(1, 4) ??
    /^(\d{1,4})\s?[-/. ]\s?(\d{1,2}|[A-Za-z]{3,9})\.?\s?[-/. ,]\s?(\d{1,4})(?:[T ,].{0,30})?$/
      .exec(text.trim())
      ?.slice(1, 4) ??
    /^([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})$/.exec(text.trim())?.slice(1, 4)
  if (!parts) return null
  const isNamed = /^[A-Za-z]/.test(parts[0] ?? '')
  // 'Aug 28, 2026' says itself which is which.
  const order = isNamed ? ORDERS.mdy : ORDERS[format]
  const of = (part: 'y' | 'm' | 'd') => parts[order.indexOf(part)] ?? ''
  const [year, month, dayOfMonth] = [of('y'), monthOf(of('m')), of('d')]
  if (!isYear(year) || !/^\d{1,2}$/.test(dayOfMonth) || month < 1 || month > 12) return null
  const whole = year.length === 2 ? `20${year}` : year
  const day = `${whole}-${String(month).padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
  const instant = Date.parse(day)
  // The 31st of February would be one of March.
  if (Number.isNaN(instant) || new Date(instant).toISOString().slice(0, 10) !== day || day < FIRST_DAY) return null
  return day
}

const DOLLAR = /^\s*(?:US\$|USD|\$)\s*|\s*(?:US\$|USD|\$)\s*$/gi
const withoutDollar = (text: string): string => text.replace(DOLLAR, '').trim()

const FOREIGN = /[€£¥₹₽₩]|\b(?:EUR|GBP|CHF|JPY|CNY|AUD|CAD|SEK|NOK|DKK|PLN|BRL|MXN|INR)\b/i

export const isForeign = (text: string): boolean => FOREIGN.test(text)

export const withoutCurrency = (text: string): string => text.replace(FOREIGN, '')

/** Any of some words by itself, in any letters; `anywhere`: those of languages that put no spaces between words. */
export function words(alternatives: string, anywhere?: string): RegExp {
  const alone = String.raw`(?<![\p{L}\p{N}])(?:${alternatives})(?![\p{L}\p{N}])`
  return new RegExp(anywhere === undefined ? alone : `${alone}|${anywhere}`, 'iu')
}

/** An amount without its sign and its dollar, and whether it is below zero: '(12.50)' and '12.50-' are, too. */
function signed(text: string): { rest: string; isBelow: boolean } {
  const rest = withoutDollar(text).replaceAll('−', '-')
  const inside = /^\((.+)\)$/.exec(rest)?.[1]
  if (inside !== undefined) return { rest: withoutDollar(inside), isBelow: true }
  if (/^-|-$/.test(rest)) return { rest: withoutDollar(rest.replace(/^-|-$/, '')), isBelow: true }
  return { rest: withoutDollar(rest.replace(/^\+/, '')), isBelow: false }
}

/** No bank's file has more digits before the decimals. */
const WHOLE_DIGITS = 15

/**
 * An amount in cents, by the reader of all amounts; null where it is none. Exponents and thirds of a cent are no amounts;
 * zeros behind the cents say nothing.
 */
export function readCents(text: string, mark: DecimalMark): bigint | null {
  const { rest, isBelow } = signed(text)
  const digits = digitsOf(rest, mark)
  if (!digits || digits.whole.length > WHOLE_DIGITS || !/^\d{0,2}0*$/.test(digits.fraction)) return null
  const cents = BigInt(digits.whole + digits.fraction.slice(0, 2).padEnd(2, '0'))
  return isBelow ? -cents : cents
}

/** The decimal mark that some amounts of one file have; null where none of them says so, or they differ. */
export function markOf(texts: readonly string[]): DecimalMark | null {
  const said = texts.flatMap((text) => {
    const marks = DECIMAL_MARKS.filter((mark) => readCents(text, mark) !== null)
    return marks.length === 1 ? marks : []
  })
  const [mark = null] = said
  return said.every((one) => one === mark) ? mark : null
}

/**
 * An amount in cents out of a file that does not name its decimal mark. Where either mark could be meant, it is the one of
 * the file's other amounts; null where those do not say.
 */
export function readCentsOf(text: string, fileMark: DecimalMark | null): bigint | null {
  const readings = new Set(DECIMAL_MARKS.flatMap((mark) => readCents(text, mark) ?? []))
  if (readings.size === 1) return [...readings][0] ?? null
  return fileMark === null ? null : readCents(text, fileMark)
}
