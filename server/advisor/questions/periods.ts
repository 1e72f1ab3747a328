import { intlLocale, type Language } from '#contract/languages.ts'
import { yearIn } from '#server/advisor/questions/amounts.ts'
import { IS_UNSPACED, normalize } from '#server/advisor/questions/normalize.ts'
import { finderMap, type Relative, RELATIVE, scoreOf, WORDS, wordsIn } from '#server/advisor/questions/words.ts'
import { addDays } from '#server/calendar/days.ts'
import { firstDayOfMonth, lastDayOfMonth, monthOf, yearOf } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { toBankZone } from '#server/platform/time-zone.ts'

const PERIOD = /^(?:(\d{4})(?:-(\d\d)(?:-(\d\d))?)?|(\d{4}-\d\d-\d\d)\/(\d{4}-\d\d-\d\d))$/

/**
 * Returns the first and last day of '2026', '2026-07', '2026-07-14' or '2026-07-01/2026-07-07'. Returns null for other texts.
 */
export function daysOf(period: string): { from: string; to: string } | null {
  const [, year, month, day, first, last] = PERIOD.exec(period) ?? []
  if (first !== undefined && last !== undefined)
    return isDay(first) && isDay(last) && first <= last ? { from: first, to: last } : null
  if (year === undefined) return null
  if (month === undefined) return { from: `${year}-01-01`, to: `${year}-12-31` }
  if (Number(month) < 1 || Number(month) > MONTHS) return null
  if (day !== undefined) return isDay(period) ? { from: period, to: period } : null
  const from = `${year}-${month}-01`
  return { from, to: lastDayOfMonth(from) }
}

export const isPeriod = (period: string): boolean => daysOf(period) !== null

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Returns whether a period is a calendar month, such as '2026-07'. */
export const isMonth = (period: string): boolean => period.length === 7

const MONTHS = 12

/** Formats a month; `month` is 0 for January. */
const monthText = (year: number, month: number): string => `${year}-${String(month + 1).padStart(2, '0')}`

/** The time that a question names. */
export type NamedPeriod = {
  /**
   * The latest past period and the next future period of that name. Null if the question names no time, or names the current
   * month.
   */
  past: string | null
  ahead: string | null
  isNamed: boolean
  /** Whether the question names a time that no reply covers, or two times. */
  isUnread: boolean
  /** The number of the day, so that it is not read as an amount. */
  day: number | null
}

type Finders = {
  relative: ReturnType<typeof finderMap<Relative>>
  /** In the order of the calendar, beginning with January. */
  months: readonly (readonly RegExp[])[]
  days: readonly RegExp[]
  weekdays: RegExp
}

const finderCache = new Map<Language, Finders>()

function findersIn(language: Language): Finders {
  const cached = finderCache.get(language)
  if (cached) return cached
  const names = Array.from({ length: MONTHS }, (_, month) => namesOf(month, language))
  const finders = {
    relative: finderMap(WORDS[language].periods),
    months: names.map((spellings) => spellings.map(monthFinder)),
    days: names.map((spellings) => dayFinder(spellings)),
    weekdays: weekdayFinder(language),
  }
  finderCache.set(language, finders)
  return finders
}

/** Reads the time in a normalized question. */
export function parsePeriod(text: string, language: Language, now: Date): NamedPeriod {
  const { months, days, weekdays } = findersIn(language)
  const [relativeCodes, remainingText] = relativeIn(text, language)
  const namedMonths = months.flatMap((names, month) => (names.some((name) => name.test(remainingText)) ? [month] : []))
  const year = yearIn(text)
  const [first] = namedMonths
  const numbers = first === undefined ? null : (days[first]?.exec(remainingText) ?? null)
  const day = numbers ? Number(numbers[1] ?? numbers[2] ?? numbers[3]) : null
  const none = {
    past: null,
    ahead: null,
    isNamed: false,
    isUnread: relativeCodes.has('unread') || weekdays.test(remainingText),
    day,
  }
  relativeCodes.delete('unread')
  if (first === undefined && relativeCodes.size === 0 && year === null) return none
  const namedPeriod = { ...none, isNamed: true }
  if (namedMonths.length > 1) return { ...namedPeriod, isUnread: true }
  if (first !== undefined) {
    const inYear = year ?? yearMeant(relativeCodes, now)
    if ([...relativeCodes].some((range) => !range.endsWith('_year'))) return { ...namedPeriod, isUnread: true }
    return { ...namedPeriod, ...monthNamed(first, inYear, day, now) }
  }
  if (relativeCodes.size > 1 || (relativeCodes.size === 1 && year !== null))
    return { ...namedPeriod, ...whenOf(relativeCodes, now), isUnread: true }
  const [relativeCode] = relativeCodes
  const period = relativeCode === undefined ? String(year) : (PERIODS[relativeCode]?.(now) ?? null)
  return { ...namedPeriod, past: period, ahead: period }
}

/** If a question compares this month with last month, returns last month. */
const whenOf = (relative: ReadonlySet<Relative>, now: Date) =>
  relative.size === 2 && relative.has('this_month') && relative.has('last_month')
    ? { past: PERIODS.last_month?.(now) ?? null }
    : {}

/** Returns the words for relative times in a text, and the text without them. */
function relativeIn(text: string, language: Language): [Set<Relative>, string] {
  const relatives = new Set<Relative>()
  let remainingText = text
  for (const code of RELATIVE) {
    const finders = findersIn(language).relative.find(([relativeCode]) => relativeCode === code)?.[1] ?? []
    if (scoreOf(finders, remainingText) === 0) continue
    relatives.add(code)
    for (const word of wordsIn(WORDS[language].periods[code]))
      remainingText = remainingText.replaceAll(normalize(word), ' ')
  }
  return [relatives, remainingText]
}

function yearMeant(relative: ReadonlySet<Relative>, now: Date): number | null {
  if (relative.has('last_year')) return yearOf(now) - 1
  return relative.has('this_year') ? yearOf(now) : null
}

function monthNamed(month: number, year: number | null, day: number | null, now: Date) {
  const [thisYear, thisMonth] = [yearOf(now), Number(monthOf(now).slice(5)) - 1]
  const name = (inYear: number): string | null => {
    if (day !== null) return `${monthText(inYear, month)}-${String(day).padStart(2, '0')}`
    return inYear === thisYear && month === thisMonth ? null : monthText(inYear, month)
  }
  if (year !== null) return { past: name(year), ahead: name(year) }
  return {
    past: name(month > thisMonth ? thisYear - 1 : thisYear),
    ahead: name(month < thisMonth ? thisYear + 1 : thisYear),
  }
}

const daysAgo = (now: Date, days: number): string => addDays(dayOf(now), -days)
/** Returns the weekday; 0 is Monday. */
const weekday = (now: Date): number => toBankZone(now).dayOfWeek - 1

const PERIODS: Partial<Record<Relative, (now: Date) => string | null>> = {
  this_month: () => null,
  last_month: (now) => monthOf(firstDayOfMonth(now, -1)),
  this_year: (now) => String(yearOf(now)),
  last_year: (now) => String(yearOf(now) - 1),
  today: (now) => dayOf(now),
  yesterday: (now) => daysAgo(now, 1),
  this_week: (now) => `${daysAgo(now, weekday(now))}/${daysAgo(now, weekday(now) - 6)}`,
  last_week: (now) => `${daysAgo(now, weekday(now) + 7)}/${daysAgo(now, weekday(now) + 1)}`,
}

/**
 * Returns the names of a month (0 is January): alone, beside a day, after 'in', and by number in languages that number months.
 */
function namesOf(month: number, language: Language): string[] {
  const first = new Date(Date.UTC(2026, month, 1))
  const alone = new Intl.DateTimeFormat(intlLocale(language), { month: 'long', timeZone: 'UTC' })
  const beside = new Intl.DateTimeFormat(intlLocale(language), { month: 'long', day: 'numeric', timeZone: 'UTC' })
  const name = alone.format(first)
  const names = [
    name,
    beside.formatToParts(first).find(({ type }) => type === 'month')?.value ?? name,
    wordsIn(WORDS[language].months ?? '')[month] ?? name,
    IS_UNSPACED.test(name) ? `${month + 1}月` : name,
  ]
  return [...new Set(names.map(normalize))].filter((spelling) => /\p{L}/u.test(spelling))
}

function monthFinder(name: string): RegExp {
  // '1月' is also the end of '11月', and '二月' is the end of '十二月'.
  if (IS_UNSPACED.test(name)) return new RegExp(String.raw`(?<![\d十])${name}`, 'u')
  // 'may' is also a verb.
  if (name === 'may')
    return /(?<!\p{L})(?:in|of|for|since|last|and|on) may(?!\p{L})|(?<!\p{L})may \d{4}(?!\d)|\d(?:st|nd|rd|th)? (?:of )?may(?!\p{L})/u
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:في |ال|و|وفي )?${name}(?!\p{L})`, 'u')
}

function weekdayFinder(language: Language): RegExp {
  const { format } = new Intl.DateTimeFormat(intlLocale(language), { weekday: 'long', timeZone: 'UTC' })
  const names = Array.from({ length: 7 }, (_, day) => normalize(format(new Date(Date.UTC(2026, 0, day + 1)))))
  return new RegExp(String.raw`(?<!\p{L})(?:${names.join('|')})`, 'u')
}

/** Makes a pattern for a day number beside a month's name: '14 July', 'July 14th', '14. Juli', '14 de julio', '7月14日'. */
function dayFinder(names: readonly string[]): RegExp {
  const any = names.join('|')
  const before = String.raw`(?<![\d.,])(\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s(?:of |de |di )?(?:${any})(?!\p{L})`
  const after = String.raw`(?<!\p{L})(?:${any})(?:\sthe)?\s(\d{1,2})(?:st|nd|rd|th)?(?![\d.,\p{L}])`
  return new RegExp(String.raw`${before}|${after}|(?:${any})(\d{1,2})[日号]`, 'u')
}
