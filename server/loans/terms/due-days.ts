import { businessDayFrom } from '#server/calendar/business-days.ts'
import { recurringDate } from '#server/calendar/due-dates.ts'
import { lastDayPast, timeOn } from '#server/calendar/zone.ts'

/** Instalments are taken an hour after the day's settlements (server/rails/settlement.ts), so that what arrives on the day counts. */
const COLLECTION_HOUR = 10

/** The moment at which a day's instalments are taken. */
export const collectionTime = (day: string): Date => timeOn(day, COLLECTION_HOUR)

/** The last day whose instalments are to be taken by now. */
export const lastCollectionDay = (now: Date): string => lastDayPast(COLLECTION_HOUR, now)

/** The business day on which the instalment of so many months after a day is due. */
export const dueDay = (from: string, months: number): string => businessDayFrom(recurringDate(from, 'month', months))

/** When the instalments of a loan are due, in order. */
export function dueDays(disbursedOn: string, months: number): string[] {
  return Array.from({ length: months }, (_, index) => dueDay(disbursedOn, index + 1))
}
