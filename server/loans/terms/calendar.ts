import { dayOf, HOUR_MS } from '#server/platform/days.ts'
import { dateOf, dueOn } from '#server/schedules/calendar.ts'

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

/** The business day on which the instalment of so many months after a day is due. */
export const dueDay = (from: string, months: number): string => dueOn(dateOf(from, 'month', months))

/** When the instalments of a loan are due, in order. */
export function dueDays(disbursedOn: string, months: number): string[] {
  return Array.from({ length: months }, (_, index) => dueDay(disbursedOn, index + 1))
}
