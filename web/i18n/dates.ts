import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { intlLocale } from '#contract/languages.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

/** A day (YYYY-MM-DD) or an instant. The day of an instant is its day in the bank's time zone. */
export type When = string | Date

/** The IANA name of the bank's time zone, which the page contains. A transaction has the same day on every device. */
let zone = globalThis.document?.documentElement.dataset['timeZone'] ?? 'UTC'

/** Sets the time zone, for tests, which have no page. */
export function setBankZone(timeZone: string): void {
  zone = timeZone
}

/** Returns a format in UTC. It receives dates that are shifted to the bank's local time (`toDisplayDate`). */
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

/** Returns the offset of a time zone from UTC at an instant, in milliseconds. The default is the device's time zone. */
function offsetMs(instant: Date, timeZone?: string): number {
  // The Swedish locale writes dates in ISO 8601 format: '2026-08-28 09:41:00'.
  const clock =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(timeZone, clock)
  return Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`) - Math.floor(instant.getTime() / 1000) * 1000
}

/** Returns a date whose UTC fields are the bank's local time at an instant. A day stays unchanged. */
function toDisplayDate(time: When): Date {
  if (typeof time === 'string' && time.length === DAY_LETTERS) return new Date(time)
  const instant = new Date(time)
  return new Date(instant.getTime() + offsetMs(instant, zone))
}

const zoneNamed = (instant: Date, timeZoneName: 'short' | 'longGeneric'): string =>
  new Intl.DateTimeFormat(intlLocale(i18n.locale), { timeZone: zone, timeZoneName })
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone

/** Returns whether the device's local time differs from the bank's. */
const differs = (instant: Date): boolean => offsetMs(instant, zone) !== offsetMs(instant)

/** Returns the bank's time zone, such as 'Eastern Time'; null if the device's local time is the same as the bank's. */
export const bankZoneName = (now: Date): string | null => (differs(now) ? zoneNamed(now, 'longGeneric') : null)

/** Adds the bank's time zone to a time of day if the device's differs: '9:41 AM EDT'. */
function withZone(text: string, time: When): string {
  const instant = new Date(time)
  return differs(instant) ? `${text}\u00a0${zoneNamed(instant, 'short')}` : text
}

/** Returns the day of an instant in the bank's time zone, YYYY-MM-DD. */
export function bankDayOf(time: When): string {
  return toDisplayDate(time).toISOString().slice(0, 10)
}

/** Returns the day that is `days` before the day of `now`, YYYY-MM-DD. */
export function bankDayBefore(now: When, days: number): string {
  return new Date(Date.parse(bankDayOf(now)) - days * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the first day of the month that is `months` before the month of `now`, YYYY-MM-DD. */
export function monthStart(now: When, months = 0): string {
  const day = toDisplayDate(now)
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - months, 1)).toISOString().slice(0, 10)
}

/** Returns the last day of the month that is `months` before the month of `now`, YYYY-MM-DD. */
export function monthEnd(now: When, months = 0): string {
  return bankDayBefore(monthStart(now, months - 1), 1)
}

const isSameYear = (day: string, now: When | null): boolean =>
  now !== null && bankDayOf(now).slice(0, 4) === day.slice(0, 4)

function relativeDay(day: string, now: When | null): string | null {
  if (!now) return null
  if (day === bankDayOf(now)) return t({ message: 'Today', comment: 'Replaces a date, alone or as in "From Today"' })
  return day === bankDayBefore(now, 1) ? t`Yesterday` : null
}

/**
 * Returns 'Today', 'Yesterday', 'Aug 26' or, in another year, 'Dec 30, 2025'. `now` is in business time. If it is null, the
 * result is always a day with its year.
 */
export function shortDay(time: When, now: When | null): string {
  const day = bankDayOf(time)
  return relativeDay(day, now) ?? (isSameYear(day, now) ? SHORT_DAY : SHORT_DAY_YEAR)().format(new Date(day))
}

/**
 * Returns 'Today', 'Yesterday' or 'Wednesday, August 26', for the heading of a day in a list. A day in another year contains
 * the year.
 */
export function longDay(time: When, now: When | null): string {
  const day = bankDayOf(time)
  return relativeDay(day, now) ?? (isSameYear(day, now) ? WEEKDAY_DAY : WEEKDAY_DAY_YEAR)().format(new Date(day))
}

/** Returns 'Fri, Aug 28, 2026, 9:41 AM', with the bank's time zone if the device's differs. */
export function dateAndTime(instant: When): string {
  return withZone(FULL().format(toDisplayDate(instant)), instant)
}

/** Returns '9:41 AM' with no-break spaces, and the bank's time zone if the device's differs. */
export function timeOfDay(instant: When): string {
  return withZone(TIME().format(toDisplayDate(instant)).replace(/\s/g, '\u00a0'), instant)
}

/** Returns a day such as 'August 28, 2026'. */
export function wholeDay(time: When): string {
  return WHOLE_DAY().format(toDisplayDate(time))
}

/** Returns a weekday such as 'Friday'. */
export function weekday(time: When): string {
  return WEEKDAY().format(toDisplayDate(time))
}

/** Returns a month such as 'August'. */
export function monthName(time: When): string {
  return MONTH().format(toDisplayDate(time))
}

/** Returns 'August 2026' for '2026-08'. */
export function monthAndYear(month: string): string {
  return MONTH_YEAR().format(new Date(`${month}-01`))
}

/** Returns 'Aug' for '2026-08'. */
export function shortMonth(month: string): string {
  return SHORT_MONTH().format(new Date(`${month}-01`))
}

/** Returns a greeting for the time of day, in business time. */
export function greeting(now: Date): string {
  const hour = toDisplayDate(now).getUTCHours()
  if (hour < 5) return t`Good evening`
  if (hour < 12) return t`Good morning`
  return hour < 18 ? t`Good afternoon` : t`Good evening`
}
