import { i18n } from '@lingui/core'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** How long to wait, rounded up: 'in 12 minutes'. */
export function inTime(seconds: number): string {
  const format = new Intl.RelativeTimeFormat(i18n.locale)
  if (seconds <= 1.5 * MINUTE) return format.format(Math.max(1, Math.ceil(seconds)), 'second')
  if (seconds <= 1.5 * HOUR) return format.format(Math.ceil(seconds / MINUTE), 'minute')
  return format.format(Math.ceil(seconds / HOUR), 'hour')
}
