import { t } from '@lingui/core/macro'
import { perLanguage } from '#web/i18n/per-language.ts'

/**
 * Formats real time in the device's time zone, for events such as sign-ins. Dates of transactions are in the bank's time zone
 * (dates.ts).
 */
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

const format = (options: Intl.DateTimeFormatOptions) =>
  perLanguage((locale) => new Intl.DateTimeFormat(locale, options))

const TIME = format({ hour: 'numeric', minute: '2-digit' })
const DAY = format({ weekday: 'long', month: 'long', day: 'numeric' })
const DAY_YEAR = format({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
const SHORT_DAY = format({ month: 'short', day: 'numeric', year: 'numeric' })
const MOMENT = format({ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
const AGO = perLanguage((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

/** Returns the device's calendar day of an instant, as a text for comparisons. */
export function localDay(instant: string | number): string {
  return new Date(instant).toDateString()
}

/**
 * Returns 'Today', 'Yesterday' or 'Wednesday, August 26', with the year if it is not the current one. `nowMs` is the device's
 * time.
 */
export function localLongDay(instant: string, nowMs: number): string {
  if (localDay(instant) === localDay(nowMs)) return t`Today`
  if (localDay(instant) === localDay(nowMs - DAY_MS)) return t`Yesterday`
  const date = new Date(instant)
  return (date.getFullYear() === new Date(nowMs).getFullYear() ? DAY : DAY_YEAR)().format(date)
}

/** Returns a day such as 'Aug 26, 2026'. */
export function localShortDay(instant: string): string {
  return SHORT_DAY().format(new Date(instant))
}

/** Returns a time such as '9:41 AM'. */
export function localTime(instant: string | number): string {
  return TIME().format(new Date(instant))
}

/** Returns '2:05 PM' for a time of today, and 'Aug 27, 2026, 2:05 PM' for a time of another day. */
export function localMoment(instant: number): string {
  return localDay(instant) === localDay(Date.now()) ? localTime(instant) : MOMENT().format(instant)
}

/**
 * Returns 'just now', '5 minutes ago', '3 hours ago', 'yesterday' or '6 days ago'. From 30 days on, returns the day, such as
 * 'on Aug 26, 2026'. `nowMs` is the device's time.
 */
export function timeAgo(instant: string, nowMs: number): string {
  const passedMs = nowMs - Date.parse(instant)
  if (passedMs < MINUTE_MS) return t`just now`
  if (passedMs < HOUR_MS) return AGO().format(-Math.floor(passedMs / MINUTE_MS), 'minute')
  if (passedMs < DAY_MS) return AGO().format(-Math.floor(passedMs / HOUR_MS), 'hour')
  const days = Math.floor(passedMs / DAY_MS)
  if (days < 30) return AGO().format(-days, 'day')
  const day = localShortDay(instant)
  return t({
    message: `on ${day}`,
    comment: 'The date of an event, used in place of "5 minutes ago". Example: on Aug 26, 2026',
  })
}
