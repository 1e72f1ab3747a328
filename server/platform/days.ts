/** Milliseconds. */
export const HOUR_MS = 60 * 60_000
export const DAY_MS = 24 * HOUR_MS

/** The business day (UTC) of an instant, as YYYY-MM-DD: such days compare as texts. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

/** The calendar month (UTC) of an instant or a business day, as YYYY-MM: such months compare as texts. */
export function monthOfDate(date: Date | string): string {
  return (typeof date === 'string' ? date : dayOf(date)).slice(0, 7)
}
