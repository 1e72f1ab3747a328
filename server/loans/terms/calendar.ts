import { dayOf, HOUR_MS } from '#server/platform/days.ts'
import { isBusinessDay, nextBusinessDay } from '#server/rails/settlement.ts'

/** Days are texts, YYYY-MM-DD. */

/** Instalments are taken an hour after the day's settlements (server/rails/settlement.ts), so that what arrives on the day counts. */
const COLLECTION_HOUR = 10

/** The moment at which a day's instalments are taken. */
export const collectionTime = (day: string): Date => new Date(Date.parse(day) + COLLECTION_HOUR * HOUR_MS)

/** The last day whose instalments are to be taken by now. */
export const lastCollectionDay = (now: Date): string => dayOf(new Date(now.getTime() - COLLECTION_HOUR * HOUR_MS))

export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** How many days lie from one day to another, the first included and the last not. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days
}

export function businessDayAfter(day: string): string {
  return nextBusinessDay(Temporal.PlainDate.from(day)).toString()
}

/**
 * The day so many months after another, or the next business day: of a month that is too short its last day, and the
 * month after it the same day again.
 */
export function dueDay(from: string, months: number): string {
  const day = Temporal.PlainDate.from(from).add({ months })
  return (isBusinessDay(day) ? day : nextBusinessDay(day)).toString()
}

/** When the instalments of a loan are due, in order. */
export function dueDays(disbursedOn: string, months: number): string[] {
  return Array.from({ length: months }, (_, index) => dueDay(disbursedOn, index + 1))
}
