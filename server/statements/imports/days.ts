import { DATE_FORMATS, type DateFormat } from '#contract/statement-formats.ts'
import { monthNamed } from '#server/statements/words/months.ts'
import { plainText } from '#server/statements/imports/cells.ts'

/** No payment that anybody imports is older. */
export const FIRST_DAY = '1990-01-01'

/** A day is written in fewer characters, with its time. */
const DAY_MOST = 60

type Part = 'y' | 'm' | 'd'
const ORDERS: Record<'ymd' | 'dmy' | 'mdy', readonly [Part, Part, Part]> = {
  ymd: ['y', 'm', 'd'],
  dmy: ['d', 'm', 'y'],
  mdy: ['m', 'd', 'y'],
}

/** A day as YYYY-MM-DD; null where there is no such day: the 31st of February would be one of March. */
function dayWritten(year: string, month: number, dayOfMonth: string): string | null {
  if (!/^(?:\d{4}|\d{2})$/.test(year) || !/^\d{1,2}$/.test(dayOfMonth)) return null
  const whole = year.length === 2 ? `20${year}` : year
  const day = `${whole}-${String(month).padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
  const instant = Date.parse(day)
  return Number.isNaN(instant) || new Date(instant).toISOString().slice(0, 10) !== day ? null : day
}

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Day 25,569 of a spreadsheet is 1 January 1970. */
const EXCEL_EPOCH = 25_569
function excelDay(text: string): string | null {
  return /^\d{5}(?:[.,]\d{1,12})?$/.test(text) ? dayAt((Number.parseInt(text, 10) - EXCEL_EPOCH) * 86_400_000) : null
}

function unixDay(text: string): string | null {
  if (/^\d{13}$/.test(text)) return dayAt(Number(text))
  return /^\d{10}(?:\.\d{1,9})?$/.test(text) ? dayAt(Number.parseInt(text, 10) * 1000) : null
}

/** Eight digits, and the time behind them in two, four or six. */
function compactDay(text: string, format: 'ymd' | 'dmy' | 'mdy'): string | null | undefined {
  const [digits = '', time = ''] = /^(\d{8})((?:\d{2}){0,3}(?:$|\D.*)|$)/.exec(text)?.slice(1) ?? []
  if (digits === '') return undefined
  if (format === 'ymd') return dayWritten(digits.slice(0, 4), Number(digits.slice(4, 6)), digits.slice(6))
  if (/^\d/.test(time)) return null
  const [first, second, year] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)]
  return format === 'dmy' ? dayWritten(year, Number(second), first) : dayWritten(year, Number(first), second)
}

/** '2026年8月3日' says itself which is which. */
const NAMED_PARTS = /^(\d{4}|\d{2})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/u

/** Words between the parts of a day: '3 de agosto de 2026'. */
const BETWEEN = new Set(['de', 'di', 'of', 'del', 'do', 'the', 'من'])
/** '3rd', '1er', '1º'. */
const ORDINAL = /^(\d{1,2})(?:st|nd|rd|th|er|e|º|ª|o|a)$/i
/** What may stand behind a day: a time and its zone. */
const TIME = /^[\d:.,+TZ\p{L}()[\]/_\s-]*$/u

/** The three parts of a day in the order in which they stand, and a month by its name; null where there are no three. */
function partsOf(text: string): { parts: string[]; named: number | null } | null {
  // The time of ISO 8601, and the day of a week in front.
  const tokens = text
    .replace(/(\d)T(?=\d)/, '$1 ')
    .split(/[\s.,/\-–—'’_]+/u)
    .filter((token) => token !== '' && !BETWEEN.has(token.toLowerCase()))
    .map((token) => token.replace(ORDINAL, '$1'))
  const start = tokens.findIndex((token) => /^\d/.test(token) || monthNamed(token) !== null)
  if (start < 0 || start > 1) return null
  const parts = tokens.slice(start, start + 3)
  if (parts.length < 3 || !TIME.test(tokens.slice(start + 3).join(' '))) return null
  const at = parts.findIndex((part) => /^\p{L}/u.test(part))
  if (at > 1 || parts.some((part, index) => index !== at && !/^\d{1,4}$/.test(part))) return null
  return { parts, named: at < 0 ? null : at }
}

/** '3 Aug 2026', 'Aug 3, 2026' and '2026 Aug 3' have one order each; '03-Aug-26' has the year last, unless `format` puts it first. */
function orderOf(parts: readonly string[], named: number | null, format: 'ymd' | 'dmy' | 'mdy'): readonly Part[] {
  if (named === 0) return ORDERS.mdy
  if (named === null) return ORDERS[format]
  if (parts[0]?.length === 4) return ORDERS.ymd
  return format === 'ymd' && parts[2]?.length !== 4 ? ORDERS.ymd : ORDERS.dmy
}

function writtenDay(text: string, format: 'ymd' | 'dmy' | 'mdy'): string | null {
  const named = NAMED_PARTS.exec(text)
  if (named) return dayWritten(named[1] ?? '', Number(named[2]), named[3] ?? '')
  const compact = compactDay(text, format)
  if (compact !== undefined) return compact
  const found = partsOf(text)
  if (!found) return null
  const order = orderOf(found.parts, found.named, format)
  const of = (part: Part) => found.parts[order.indexOf(part)] ?? ''
  const monthText = of('m')
  const month = /^\d{1,2}$/.test(monthText) ? Number(monthText) : monthNamed(monthText)
  if (month === null || month < 1 || month > 12) return null
  return dayWritten(of('y'), month, of('d'))
}

/** The day of a text as YYYY-MM-DD, whatever time stands behind it; null where it is none. */
export function readDay(text: string, format: DateFormat): string | null {
  if (text.length > DAY_MOST) return null
  const plain = plainText(text)
  if (!/\d/.test(plain)) return null
  if (format === 'excel') return excelDay(plain)
  return format === 'unix' ? unixDay(plain) : writtenDay(plain, format)
}

/** How the days of a file are written. `isSure`: nothing else is likely. */
export type DayReading = { format: DateFormat; share: number; isSure: boolean }

/** What else is known. `mayBeAmerican`: the month may come first; `isAmerican`: it does where nothing says otherwise. */
export type DayHints = { today: string; isAmerican: boolean; mayBeAmerican: boolean }

type Candidate = { format: DateFormat; days: (string | null)[]; share: number }

/** Days in order, up or down: a statement is sorted. Few days say nothing. */
function isSorted(days: readonly (string | null)[]): boolean {
  const known = days.filter((day) => day !== null)
  if (new Set(known).size < 4) return false
  const steps = known.slice(1).map((day, index) => day.localeCompare(known[index] ?? day))
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0)
}

/**
 * Whether days of two-digit years begin with their year: it differs less from line to line than the day. Null where the lines do
 * not say.
 */
function yearComesFirst(cells: readonly string[]): boolean | null {
  const short = cells.flatMap((cell) => {
    const found = partsOf(plainText(cell))
    const [first = '', , last = ''] = found?.parts ?? []
    return /^\d{1,2}$/.test(first) && /^\d{1,2}$/.test(last) ? [{ first, last }] : []
  })
  const firsts = new Set(short.map(({ first }) => first)).size
  const lasts = new Set(short.map(({ last }) => last)).size
  return firsts === lasts ? null : firsts < lasts
}

/** Those with the most days that hold; all where the most is none. */
function most(candidates: readonly Candidate[], holds: (day: string) => boolean): readonly Candidate[] {
  const counts = candidates.map(({ days }) => days.filter((day) => day !== null && holds(day)).length)
  return candidates.filter((_one, index) => counts[index] === Math.max(...counts))
}

const someOf = (kept: readonly Candidate[], from: readonly Candidate[]) => (kept.length > 0 ? kept : from)

/** Of readings that differ, those that the file itself speaks for: nothing is booked in the future, and a statement is sorted. */
function withEvidence(candidates: readonly Candidate[], cells: readonly string[], today: string): readonly Candidate[] {
  const past = most(candidates, (day) => day <= today)
  const yearFirst = yearComesFirst(cells)
  const byYear = someOf(
    past.filter(({ format }) => yearFirst === null || (format === 'ymd') === yearFirst),
    past,
  )
  return someOf(
    byYear.filter(({ days }) => isSorted(days)),
    byYear,
  )
}

/** Without evidence: what convention says. With points between them, the day comes first everywhere. */
function conventional(cells: readonly string[], { mayBeAmerican, isAmerican }: DayHints): DateFormat | null {
  // Nobody in America writes months by their names in the middle, or Arabic digits.
  const isElsewhere = cells.some((cell) => /\p{L}{3}|[\u0660-\u0669\u06F0-\u06F9]/u.test(cell))
  // Eight digits in a row say nothing of their order.
  if (cells.some((cell) => /^\d{8}$/.test(cell))) return null
  if (isElsewhere || !mayBeAmerican || cells.some((cell) => /\d\.\d+\.\d/.test(cell))) return 'dmy'
  return isAmerican ? 'mdy' : null
}

const sameDays = (one: Candidate, other: Candidate) => String(one.days) === String(other.days)

/** How most of some cells are written, and how many of them; null where none is a day. */
export function dayReadingOf(cells: readonly string[], hints: DayHints): DayReading | null {
  const candidates: Candidate[] = DATE_FORMATS.map((format) => {
    const days = cells
      .map((cell) => readDay(cell, format))
      .map((day) => (day !== null && day >= FIRST_DAY ? day : null))
    return { format, days, share: days.filter((day) => day !== null).length / Math.max(1, cells.length) }
  })
  const share = Math.max(...candidates.map((one) => one.share))
  if (share === 0) return null
  const best = candidates.filter((one) => one.share === share)
  const left = withEvidence(best, cells, hints.today)
  const [first] = left
  if (!first) return null
  if (left.every((one) => sameDays(one, first))) return { format: first.format, share, isSure: true }
  const convention = conventional(cells, hints)
  const usual = left.find(({ format }) => format === convention)
  return { format: (usual ?? first).format, share, isSure: usual !== undefined }
}
