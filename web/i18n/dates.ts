import { t } from '@lingui/core/macro'
import { perLanguage } from '#web/i18n/formats.ts'

/**
 * The bank keeps its days in UTC, so a transaction has the same day on every device and the same day in which the
 * server counted it.
 */
const ZONE = 'UTC'

const format = (options: Intl.DateTimeFormatOptions) =>
  perLanguage((locale) => new Intl.DateTimeFormat(locale, { timeZone: ZONE, ...options }))

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

/** The bank's calendar day of an instant, YYYY-MM-DD. */
export function dayOf(instant: string | Date): string {
  return new Date(instant).toISOString().slice(0, 10)
}

/** The day `days` before the day of `now`, YYYY-MM-DD. */
export function dayBefore(now: Date, days: number): string {
  return dayOf(new Date(now.getTime() - days * DAY_MS))
}

/** The first day of the month that lies `months` before that of `now`, YYYY-MM-DD. */
export function monthStart(now: Date, months = 0): string {
  return dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)))
}

/** The last day of the month that lies `months` before that of `now`, YYYY-MM-DD. */
export function monthEnd(now: Date, months = 0): string {
  return dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1, 0)))
}

function sameYear(instant: Date, now: Date | null): boolean {
  return now !== null && instant.getUTCFullYear() === now.getUTCFullYear()
}

function relativeDay(instant: Date, now: Date | null): string | null {
  if (!now) return null
  if (dayOf(instant) === dayOf(now))
    return t({ message: 'Today', comment: 'In place of a date: alone, and as in "From Today"' })
  return dayOf(instant) === dayBefore(now, 1) ? t`Yesterday` : null
}

/** 'Today', 'Yesterday', 'Aug 26' or, in another year, 'Dec 30, 2025'. `now` is business time. */
export function shortDay(iso: string, now: Date | null): string {
  const instant = new Date(iso)
  return relativeDay(instant, now) ?? (sameYear(instant, now) ? SHORT_DAY : SHORT_DAY_YEAR)().format(instant)
}

/** 'Today', 'Yesterday' or 'Wednesday, August 26', to head a day of a list. */
export function longDay(iso: string, now: Date | null): string {
  const instant = new Date(iso)
  return relativeDay(instant, now) ?? (sameYear(instant, now) ? WEEKDAY_DAY : WEEKDAY_DAY_YEAR)().format(instant)
}

/** 'Fri, Aug 28, 2026, 9:41 AM'. */
export function dateAndTime(iso: string): string {
  return FULL().format(new Date(iso))
}

/** '9:41 AM', which no line breaks. */
export function timeOfDay(instant: string | Date): string {
  return TIME().format(new Date(instant)).replace(/\s/g, '\u00a0')
}

/** 'August 28, 2026'. */
export function wholeDay(instant: string | Date): string {
  return WHOLE_DAY().format(new Date(instant))
}

/** 'Friday'. */
export function weekday(instant: string | Date): string {
  return WEEKDAY().format(new Date(instant))
}

/** 'August'. */
export function monthName(now: Date): string {
  return MONTH().format(now)
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
  const hour = now.getUTCHours()
  if (hour < 5) return t`Good evening`
  if (hour < 12) return t`Good morning`
  return hour < 18 ? t`Good afternoon` : t`Good evening`
}
