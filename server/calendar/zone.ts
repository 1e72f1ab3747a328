import { dayBefore } from '#server/calendar/days.ts'
import { bankZone, localTimeOf } from '#server/platform/time-zone.ts'

/**
 * Converts between instants and the bank's days. In TypeScript only this file makes these conversions, and in SQL only
 * `ledger.day_of`. Days begin at midnight in the bank's time zone. A day is a text, YYYY-MM-DD, and a month is a text, YYYY-MM.
 * These texts sort in the order of time.
 */

/** Returns the bank's day of an instant. Throws RangeError for an invalid date. */
export function dayOf(instant: Date): string {
  return localTimeOf(instant).toISOString().slice(0, 10)
}

/**
 * Returns the first instant of a day, or its `hour` on the bank's clocks. If the clocks skip that hour, the result is one hour
 * later. If they repeat it, the result is the first of the two.
 */
export function timeOn(day: string, hour = 0): Date {
  const date = Temporal.PlainDate.from(day)
  const time = date.toZonedDateTime({ timeZone: bankZone(), plainTime: { hour } })
  return new Date(time.epochMilliseconds)
}

/** Returns the last day whose `hour` has passed at an instant. */
export function lastEndedDay(hour: number, instant: Date): string {
  const day = dayOf(instant)
  return timeOn(day, hour) <= instant ? day : dayBefore(day)
}
