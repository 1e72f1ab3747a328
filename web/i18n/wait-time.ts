import { perLanguage } from '#web/i18n/per-language.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

const RELATIVE = perLanguage((locale) => new Intl.RelativeTimeFormat(locale))

/** Returns a waiting time, rounded up: 'in 12 minutes'. */
export function waitText(seconds: number): string {
  if (seconds <= 1.5 * MINUTE) return RELATIVE().format(Math.max(1, Math.ceil(seconds)), 'second')
  if (seconds <= 1.5 * HOUR) return RELATIVE().format(Math.ceil(seconds / MINUTE), 'minute')
  return RELATIVE().format(Math.ceil(seconds / HOUR), 'hour')
}
