import { t } from '@lingui/core/macro'
import { shortDay, type When } from '#web/i18n/dates.ts'

/** Returns a period in words: 'Aug 1 – Aug 26', or a single day. Returns null without a period. `now` is in business time. */
export function dayRange(firstOn: string | null, lastOn: string | null, now: When | null): string | null {
  if (firstOn === null || lastOn === null) return null
  const first = shortDay(firstOn, now)
  const last = shortDay(lastOn, now)
  return first === last
    ? first
    : t({ message: `${first} – ${last}`, context: 'days', comment: 'Example: Aug 1 – Aug 26' })
}
