import { DATE_FORMATS, type DateFormat } from '#contract/statement-formats.ts'
import { parseMonthName } from '#server/statements/words/months.ts'
import { plainText } from '#server/statements/imports/normalize-cell.ts'

/** The earliest day of a payment that can be imported. */
export const FIRST_DAY = '1990-01-01'

/** The number of characters allowed in a day with its time. */
const MAX_DAY = 60

type Part = 'y' | 'm' | 'd'
const ORDERS: Record<'ymd' | 'dmy' | 'mdy', readonly [Part, Part, Part]> = {
  ymd: ['y', 'm', 'd'],
  dmy: ['d', 'm', 'y'],
  mdy: ['m', 'd', 'y'],
}

/** Returns a day as YYYY-MM-DD, or null if it does not exist. JavaScript would turn February 31 into a day of March. */
function toIsoDay(year: string, month: number, dayOfMonth: string): string | null {
  if (!/^(?:\d{4}|\d{2})$/.test(year) || !/^\d{1,2}$/.test(dayOfMonth)) return null
  const whole = year.length === 2 ? `20${year}` : year
  const day = `${whole}-${String(month).padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
  const instant = Date.parse(day)
  return Number.isNaN(instant) || new Date(instant).toISOString().slice(0, 10) !== day ? null : day
}

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Day 25,569 of a spreadsheet is January 1, 1970. */
const EXCEL_EPOCH = 25_569
function excelDay(text: string): string | null {
  return /^\d{5}(?:[.,]\d{1,12})?$/.test(text) ? dayAt((Number.parseInt(text, 10) - EXCEL_EPOCH) * 86_400_000) : null
}

function unixDay(text: string): string | null {
  if (/^\d{13}$/.test(text)) return dayAt(Number(text))
  return /^\d{10}(?:\.\d{1,9})?$/.test(text) ? dayAt(Number.parseInt(text, 10) * 1000) : null
}

/**
 * Reads a day of eight digits. If the year is first, two, four or six digits of a time may follow. Returns null if the digits
 * are no day, and undefined for any other text.
 */
function compactDay(text: string, format: 'ymd' | 'dmy' | 'mdy'): string | null | undefined {
  const [digits = '', time = ''] = /^(\d{8})((?:\d{2}){0,3}(?:$|\D.*)|$)/.exec(text)?.slice(1) ?? []
  if (digits === '') return undefined
  if (format === 'ymd') return toIsoDay(digits.slice(0, 4), Number(digits.slice(4, 6)), digits.slice(6))
  if (/^\d/.test(time)) return null
  const [first, second, year] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)]
  return format === 'dmy' ? toIsoDay(year, Number(second), first) : toIsoDay(year, Number(first), second)
}

/** A day with a word for each part, such as '2026年8月3日'. */
const NAMED_PARTS = /^(\d{4}|\d{2})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/u

/** Words between the parts of a day, as in '3 de agosto de 2026'. */
const BETWEEN = new Set(['de', 'di', 'of', 'del', 'do', 'the', 'من'])
/** An ordinal number: '3rd', '1er', '1º'. */
const ORDINAL = /^(\d{1,2})(?:st|nd|rd|th|er|e|º|ª|o|a)$/i
/** The text that may follow a day: a time and its zone. */
const TIME = /^[\d:.,+TZ\p{L}()[\]/_\s-]*$/u

/**
 * Returns the three parts of a day in their written order. `named`: the index of a month's name among them; null without one.
 * Returns null if the text does not have three parts.
 */
function partsOf(text: string): { parts: string[]; named: number | null } | null {
  // ISO 8601 puts a 'T' before the time. One leading word, such as a day of the week, is skipped.
  const tokens = text
    .replace(/(\d)T(?=\d)/, '$1 ')
    .split(/[\s.,/\-–—'’_]+/u)
    .filter((token) => token !== '' && !BETWEEN.has(token.toLowerCase()))
    .map((token) => token.replace(ORDINAL, '$1'))
  const start = tokens.findIndex((token) => /^\d/.test(token) || parseMonthName(token) !== null)
  if (start < 0 || start > 1) return null
  const parts = tokens.slice(start, start + 3)
  if (parts.length < 3 || !TIME.test(tokens.slice(start + 3).join(' '))) return null
  const namedIndex = parts.findIndex((part) => /^\p{L}/u.test(part))
  if (namedIndex > 1 || parts.some((part, index) => index !== namedIndex && !/^\d{1,4}$/.test(part))) return null
  return { parts, named: namedIndex < 0 ? null : namedIndex }
}

/**
 * Returns the order of a day's parts. '3 Aug 2026', 'Aug 3, 2026' and '2026 Aug 3' have one possible order each. '03-Aug-26'
 * has the year last, unless `format` puts it first.
 */
function orderOf(parts: readonly string[], namedIndex: number | null, format: 'ymd' | 'dmy' | 'mdy'): readonly Part[] {
  if (namedIndex === 0) return ORDERS.mdy
  if (namedIndex === null) return ORDERS[format]
  if (parts[0]?.length === 4) return ORDERS.ymd
  return format === 'ymd' && parts[2]?.length !== 4 ? ORDERS.ymd : ORDERS.dmy
}

function dayInFormat(text: string, format: 'ymd' | 'dmy' | 'mdy'): string | null {
  const namedParts = NAMED_PARTS.exec(text)
  if (namedParts) return toIsoDay(namedParts[1] ?? '', Number(namedParts[2]), namedParts[3] ?? '')
  const compact = compactDay(text, format)
  if (compact !== undefined) return compact
  const date = partsOf(text)
  if (!date) return null
  const partOrder = orderOf(date.parts, date.named, format)
  const textOf = (part: Part) => date.parts[partOrder.indexOf(part)] ?? ''
  const monthText = textOf('m')
  const month = /^\d{1,2}$/.test(monthText) ? Number(monthText) : parseMonthName(monthText)
  if (month === null || month < 1 || month > 12) return null
  return toIsoDay(textOf('y'), month, textOf('d'))
}

/** Returns the day in a text as YYYY-MM-DD and ignores a time after it. Returns null if the text is no day. */
export function readDay(text: string, format: DateFormat): string | null {
  if (text.length > MAX_DAY) return null
  const plainCell = plainText(text)
  if (!/\d/.test(plainCell)) return null
  if (format === 'excel') return excelDay(plainCell)
  return format === 'unix' ? unixDay(plainCell) : dayInFormat(plainCell, format)
}

/**
 * The format of the days in a file. `share`: the share of the cells that have this format. `isSure`: no other format is likely.
 */
export type DayReading = { format: DateFormat; share: number; isSure: boolean }

/**
 * Further hints for days. `mayBeAmerican`: the month may come first. `isAmerican`: the month comes first if nothing speaks
 * against it.
 */
export type DayHints = { today: string; isAmerican: boolean; mayBeAmerican: boolean }

type Candidate = { format: DateFormat; days: (string | null)[]; share: number }

/**
 * Returns whether days are in ascending or descending order, as in a statement. Fewer than four different days prove nothing.
 */
function isSorted(days: readonly (string | null)[]): boolean {
  const datedDays = days.filter((day) => day !== null)
  if (new Set(datedDays).size < 4) return false
  const steps = datedDays.slice(1).map((day, index) => day.localeCompare(datedDays[index] ?? day))
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0)
}

/**
 * Returns whether days with two-digit years begin with the year. The year is the part with fewer different values, because the
 * day of the month changes more often. Returns null if both parts have equally many values.
 */
function yearComesFirst(cells: readonly string[]): boolean | null {
  const outerParts = cells.flatMap((cell) => {
    const parts = partsOf(plainText(cell))
    const [first = '', , last = ''] = parts?.parts ?? []
    return /^\d{1,2}$/.test(first) && /^\d{1,2}$/.test(last) ? [{ first, last }] : []
  })
  const firstCount = new Set(outerParts.map(({ first }) => first)).size
  const lastCount = new Set(outerParts.map(({ last }) => last)).size
  return firstCount === lastCount ? null : firstCount < lastCount
}

/** Returns the candidates for which the most days pass a test. If no day passes, these are all candidates. */
function keepBestCandidates(candidates: readonly Candidate[], holds: (day: string) => boolean): readonly Candidate[] {
  const counts = candidates.map(({ days }) => days.filter((day) => day !== null && holds(day)).length)
  return candidates.filter((_candidate, index) => counts[index] === Math.max(...counts))
}

const someOf = (candidates: readonly Candidate[], from: readonly Candidate[]) =>
  candidates.length > 0 ? candidates : from

/** Returns the candidates that the file supports: a payment has no booking day in the future, and a statement is sorted. */
function withEvidence(candidates: readonly Candidate[], cells: readonly string[], today: string): readonly Candidate[] {
  const pastCandidates = keepBestCandidates(candidates, (day) => day <= today)
  const yearFirst = yearComesFirst(cells)
  const byYear = someOf(
    pastCandidates.filter(({ format }) => yearFirst === null || (format === 'ymd') === yearFirst),
    pastCandidates,
  )
  return someOf(
    byYear.filter(({ days }) => isSorted(days)),
    byYear,
  )
}

/**
 * Returns the conventional format for a file without evidence; null if there is none. A day with points never begins with the
 * month.
 */
function conventional(cells: readonly string[], { mayBeAmerican, isAmerican }: DayHints): DateFormat | null {
  // American files have no month names in the middle and no Arabic digits.
  const isElsewhere = cells.some((cell) => /\p{L}{3}|[\u0660-\u0669\u06F0-\u06F9]/u.test(cell))
  // Eight digits in a row give no hint of their order.
  if (cells.some((cell) => /^\d{8}$/.test(cell))) return null
  if (isElsewhere || !mayBeAmerican || cells.some((cell) => /\d\.\d+\.\d/.test(cell))) return 'dmy'
  return isAmerican ? 'mdy' : null
}

const sameDays = (candidate: Candidate, otherCandidate: Candidate) =>
  String(candidate.days) === String(otherCandidate.days)

/**
 * Returns the format that most of some cells have, and the share of cells that have it. Returns null if no cell is a day.
 */
export function dayReadingOf(cells: readonly string[], hints: DayHints): DayReading | null {
  const candidates: Candidate[] = DATE_FORMATS.map((format) => {
    const days = cells
      .map((cell) => readDay(cell, format))
      .map((day) => (day !== null && day >= FIRST_DAY ? day : null))
    return { format, days, share: days.filter((day) => day !== null).length / Math.max(1, cells.length) }
  })
  const share = Math.max(...candidates.map((candidate) => candidate.share))
  if (share === 0) return null
  const bestCandidates = candidates.filter((candidate) => candidate.share === share)
  const remainingCandidates = withEvidence(bestCandidates, cells, hints.today)
  const [first] = remainingCandidates
  if (!first) return null
  if (remainingCandidates.every((candidate) => sameDays(candidate, first)))
    return { format: first.format, share, isSure: true }
  const convention = conventional(cells, hints)
  const usual = remainingCandidates.find(({ format }) => format === convention)
  return { format: (usual ?? first).format, share, isSure: usual !== undefined }
}
