import type { DateFormat, DecimalMark } from '#contract/statement-formats.ts'

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

/** What stands around an amount: spaces of all kinds, and the dollar by its names. */
const AROUND = /[\s\u00A0\u202F\u2009]|US\$|USD|\$/gi
const FOREIGN = /[€£¥₹₽₩]|\b(?:EUR|GBP|CHF|JPY|CNY|AUD|CAD|SEK|NOK|DKK|PLN|BRL|MXN|INR)\b/i

export const isForeign = (text: string): boolean => FOREIGN.test(text)

export const withoutCurrency = (text: string): string => text.replace(FOREIGN, '')

/** Any of some words by itself, in any letters; `anywhere`: those of languages that put no spaces between words. */
export function words(alternatives: string, anywhere?: string): RegExp {
  const alone = String.raw`(?<![\p{L}\p{N}])(?:${alternatives})(?![\p{L}\p{N}])`
  return new RegExp(anywhere === undefined ? alone : `${alone}|${anywhere}`, 'iu')
}

/**
 * An amount in cents, read digit by digit; null where it is none. '(12.50)' and '12.50-' are below zero; exponents and thirds of
 * a cent are no amounts.
 */
export function readCents(text: string, mark: DecimalMark): bigint | null {
  let rest = text.replace(AROUND, '').replaceAll('−', '-')
  let isBelow = false
  if (/^\(.+\)$/.test(rest)) [rest, isBelow] = [rest.slice(1, -1), true]
  if (/^-|-$/.test(rest)) [rest, isBelow] = [rest.replace(/^-|-$/, ''), true]
  else rest = rest.replace(/^\+/, '')
  const groups = mark === '.' ? "[,'’]" : "[.'’]"
  const pattern = new RegExp(String.raw`^(\d{1,15}|\d{1,3}(?:${groups}\d{3}){1,5})?(?:[${mark}](\d{0,2})0*)?$`)
  const match = pattern.exec(rest)
  if (!match || !/\d/.test(rest)) return null
  const whole = (match[1] ?? '0').replaceAll(/\D/g, '')
  const cents = BigInt(whole) * 100n + BigInt((match[2] ?? '').padEnd(2, '0') || '0')
  return isBelow ? -cents : cents
}
