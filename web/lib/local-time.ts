/**
 * Real time in the device's own time zone, for sign-ins and the like. Dates of transactions are the bank's (dates.ts).
 */
const LOCALE = 'en-US'
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

const TIME = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', month: 'long', day: 'numeric' })
const DAY_YEAR = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
const SHORT_DAY = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', year: 'numeric' })
const AGO = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })

/** The device's calendar day of an instant; two of the same day are equal. */
export function localDay(instant: string | number): string {
  return new Date(instant).toDateString()
}

/** 'Today', 'Yesterday', 'Wednesday, August 26', with the year where it is another. `nowMs` is the device's time. */
export function localLongDay(instant: string, nowMs: number): string {
  if (localDay(instant) === localDay(nowMs)) return 'Today'
  if (localDay(instant) === localDay(nowMs - DAY_MS)) return 'Yesterday'
  const date = new Date(instant)
  return (date.getFullYear() === new Date(nowMs).getFullYear() ? DAY : DAY_YEAR).format(date)
}

/** 'Aug 26, 2026'. */
export function localShortDay(instant: string): string {
  return SHORT_DAY.format(new Date(instant))
}

/** '9:41 AM'. */
export function localTime(instant: string): string {
  return TIME.format(new Date(instant))
}

/** 'just now', '5 minutes ago', '3 hours ago', 'yesterday', '6 days ago', then the day. `nowMs` is the device's time. */
export function timeAgo(instant: string, nowMs: number): string {
  const passedMs = nowMs - Date.parse(instant)
  if (passedMs < MINUTE_MS) return 'just now'
  if (passedMs < HOUR_MS) return AGO.format(-Math.floor(passedMs / MINUTE_MS), 'minute')
  if (passedMs < DAY_MS) return AGO.format(-Math.floor(passedMs / HOUR_MS), 'hour')
  const days = Math.floor(passedMs / DAY_MS)
  return days < 30 ? AGO.format(-days, 'day') : `on ${localShortDay(instant)}`
}
