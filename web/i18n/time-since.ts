import { i18n } from '@lingui/core'
import { bankDayOf, shortDay } from '#web/i18n/dates.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

const SHORTLY = perLanguage((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }))
const LONG_AGO = perLanguage((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
const WEEK_DAYS = 7
/** From this age on, the date is shown. */
const MAX_DAYS = 5 * WEEK_DAYS

/**
 * Returns 'Now', '5 min. ago', '2 hr. ago', 'Yesterday', '3 days ago', 'Last week' or '2 weeks ago'. From five weeks on,
 * returns the day. `now` is in business time.
 */
export function timeSince(iso: string, now: Date): string {
  // Japanese has no space between a number and its unit, but the locale data contain one.
  const since = i18n.locale === 'ja' ? elapsedText(iso, now).replace(/(?<=\d) /, '') : elapsedText(iso, now)
  return since.charAt(0).toLocaleUpperCase() + since.slice(1)
}

function elapsedText(iso: string, now: Date): string {
  const instant = new Date(iso)
  const minutes = Math.floor((now.getTime() - instant.getTime()) / MINUTE_MS)
  if (minutes < 1) return SHORTLY().format(0, 'second')
  if (minutes < HOUR_MINUTES) return SHORTLY().format(-minutes, 'minute')
  const days = (Date.parse(bankDayOf(now)) - Date.parse(bankDayOf(instant))) / DAY_MS
  if (days === 0) return SHORTLY().format(-Math.floor(minutes / HOUR_MINUTES), 'hour')
  if (days < WEEK_DAYS) return LONG_AGO().format(-days, 'day')
  return days < MAX_DAYS ? LONG_AGO().format(-Math.floor(days / WEEK_DAYS), 'week') : shortDay(iso, now)
}
