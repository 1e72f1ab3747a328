import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { intlLocale } from '#contract/languages.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

/** A day, YYYY-MM-DD; or an instant, whose day is the one that the bank's clocks show. */
export type When = string | Date

/** The bank's zone, by its IANA name: the bank's page says it. A transaction has the day in which the server counted it, on every device. */
let zone = globalThis.document?.documentElement.dataset['timeZone'] ?? 'UTC'

/** Shows the days of another zone: for tests, which have no page. */
export function showDaysOf(timeZone: string): void {
  zone = timeZone
}

/** Formats of UTC: what they are given is what the bank's clocks show (`shown`). */
const format = (options: Intl.DateTimeFormatOptions) =>
  perLanguage((locale) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }))

const TIME = format({ hour: 'numeric', minute: '2-digit' })
const SHORT_DAY = format({ month: 'short', day: 'numeric' })
const SHORT_DAY_YEAR = format({ month: 'short', day: 'numeric', year: 'numeric' })
const WEEKDAY_DAY = format({ weekday: 'long', month: 'long', day: 'numeric' })
const WEEKDAY_DAY_YEAR = format({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
const FULL = format({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const MONTH = format({ month: 'long' })
const SHORT_MONTH = format({ month: 'short' })
const MONTH_YEAR = format({ month: 'long', year: 'numeric' })
const WHOLE_DAY = format({ month: 'long', day: 'numeric', year: 'numeric' })
const WEEKDAY = format({ weekday: 'long' })

const DAY_MS = 86_400_000
const DAY_LETTERS = 'YYYY-MM-DD'.length

const clocks = new Map<string | undefined, Intl.DateTimeFormat>()

/** How far the clocks of a zone (the device's, where none is named) are ahead of UTC at an instant, in milliseconds. */
function offsetMs(instant: Date, timeZone?: string): number {
  // Swedes write dates as ISO 8601 does: '2026-08-28 09:41:00'.
  const clock =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(timeZone, clock)
  return Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`) - Math.floor(instant.getTime() / 1000) * 1000
}

/** What UTC's clocks show when the bank's show what they do at an instant; a day is shown as what it is. */
function shown(when: When): Date {
  if (typeof when === 'string' && when.length === DAY_LETTERS) return new Date(when)
  const instant = new Date(when)
  return new Date(instant.getTime() + offsetMs(instant, zone))
}

const zoneNamed = (instant: Date, timeZoneName: 'short' | 'longGeneric'): string =>
  new Intl.DateTimeFormat(intlLocale(i18n.locale), { timeZone: zone, timeZoneName })
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone

/** Whether the device's clocks show something else than the bank's. */
const differs = (instant: Date): boolean => offsetMs(instant, zone) !== offsetMs(instant)

/** 'Eastern Time', where the device's clocks show something else than the bank's; else null. */
export const otherZone = (now: Date): string | null => (differs(now) ? zoneNamed(now, 'longGeneric') : null)

/** A time of day with the bank's zone, where the device has another: '9:41 AM EDT'. */
function withZone(text: string, when: When): string {
  const instant = new Date(when)
  return differs(instant) ? `${text}\u00a0${zoneNamed(instant, 'short')}` : text
}

/** The bank's calendar day of an instant, YYYY-MM-DD. */
export function dayOf(when: When): string {
  return shown(when).toISOString().slice(0, 10)
}

/** The day `days` before the day of `now`, YYYY-MM-DD. */
export function dayBefore(now: When, days: number): string {
  return new Date(Date.parse(dayOf(now)) - days * DAY_MS).toISOString().slice(0, 10)
}

/** The first day of the month that lies `months` before that of `now`, YYYY-MM-DD. */
export function monthStart(now: When, months = 0): string {
  const day = shown(now)
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - months, 1)).toISOString().slice(0, 10)
}

/** The last day of the month that lies `months` before that of `now`, YYYY-MM-DD. */
export function monthEnd(now: When, months = 0): string {
  return dayBefore(monthStart(now, months - 1), 1)
}

const isSameYear = (day: string, now: When | null): boolean =>
  now !== null && dayOf(now).slice(0, 4) === day.slice(0, 4)

function relativeDay(day: string, now: When | null): string | null {
  if (!now) return null
  if (day === dayOf(now)) return t({ message: 'Today', comment: 'In place of a date: alone, and as in "From Today"' })
  return day === dayBefore(now, 1) ? t`Yesterday` : null
}

/** 'Today', 'Yesterday', 'Aug 26' or, in another year, 'Dec 30, 2025'. `now` is business time. */
export function shortDay(when: When, now: When | null): string {
  const day = dayOf(when)
  return relativeDay(day, now) ?? (isSameYear(day, now) ? SHORT_DAY : SHORT_DAY_YEAR)().format(new Date(day))
}

/** 'Today', 'Yesterday' or 'Wednesday, August 26', to head a day of a list. */
export function longDay(when: When, now: When | null): string {
  const day = dayOf(when)
  return relativeDay(day, now) ?? (isSameYear(day, now) ? WEEKDAY_DAY : WEEKDAY_DAY_YEAR)().format(new Date(day))
}

/** 'Fri, Aug 28, 2026, 9:41 AM', with the bank's zone where the device has another. */
export function dateAndTime(instant: When): string {
  return withZone(FULL().format(shown(instant)), instant)
}

/** '9:41 AM', with the bank's zone where the device has another, which no line breaks. */
export function timeOfDay(instant: When): string {
  return withZone(TIME().format(shown(instant)).replace(/\s/g, '\u00a0'), instant)
}

/** 'August 28, 2026'. */
export function wholeDay(when: When): string {
  return WHOLE_DAY().format(shown(when))
}

/** 'Friday'. */
export function weekday(when: When): string {
  return WEEKDAY().format(shown(when))
}

/** 'August'. */
export function monthName(when: When): string {
  return MONTH().format(shown(when))
}

/** 'August 2026' for '2026-08'. */
export function monthAndYear(month: string): string {
  return MONTH_YEAR().format(new Date(`${month}-01`))
}

/** 'Aug' for '2026-08'. */
export function shortMonth(month: string): string {
  return SHORT_MONTH().format(new Date(`${month}-01`))
}

/** A greeting for the hour of business time. */
export function greeting(now: Date): string {
  const hour = shown(now).getUTCHours()
  if (hour < 5) return t`Good evening`
  if (hour < 12) return t`Good morning`
  return hour < 18 ? t`Good afternoon` : t`Good evening`
}
