/** Milliseconds. */
export const HOUR_MS = 60 * 60_000
export const DAY_MS = 24 * HOUR_MS

/** The day that was asked for last: each payment asks several times, nearly always for today. */
let latest = { number: Number.NaN, day: '' }

/** The business day (UTC) of an instant, as YYYY-MM-DD: such days compare as texts. */
export function dayOf(instant: Date): string {
  const number = Math.floor(instant.getTime() / DAY_MS)
  if (number !== latest.number) latest = { number, day: instant.toISOString().slice(0, 10) }
  return latest.day
}

/** The calendar month (UTC) of an instant or a business day, as YYYY-MM: such months compare as texts. */
export function monthOfDate(date: Date | string): string {
  return (typeof date === 'string' ? date : dayOf(date)).slice(0, 7)
}
