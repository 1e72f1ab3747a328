import { dayBefore } from '#server/calendar/days.ts'
import { bankZone, shownAt } from '#server/platform/time-zone.ts'

/**
 * Where instants become days of the bank, and days become instants: here alone in TypeScript, and in `ledger.day_of` in
 * SQL. Days begin at midnight in the bank's zone. A day is a text, YYYY-MM-DD, and a month is one, YYYY-MM: such texts
 * compare as what they stand for.
 */

/** The bank's day of an instant. Throws RangeError where it is none. */
export function dayOf(instant: Date): string {
  return shownAt(instant).toISOString().slice(0, 10)
}

/**
 * The first instant of a day or, where an hour is given, that hour of it on the bank's clocks. Where the clocks leave the
 * hour out it is one later, and where they show it twice the first of the two.
 */
export function timeOn(day: string, hour = 0): Date {
  const date = Temporal.PlainDate.from(day)
  const time = date.toZonedDateTime({ timeZone: bankZone(), plainTime: { hour } })
  return new Date(time.epochMilliseconds)
}

/** The last day on which an hour has come by an instant. */
export function lastDayPast(hour: number, instant: Date): string {
  const day = dayOf(instant)
  return timeOn(day, hour) <= instant ? day : dayBefore(day)
}
