import { businessDayFrom } from '#server/calendar/business-days.ts'
import { recurringDate } from '#server/calendar/due-dates.ts'
import { lastEndedDay, timeOn } from '#server/calendar/zone.ts'

/**
 * The hour of the day at which installments are collected. It is one hour after the day's settlements
 * (server/rails/settlement-time.ts), so that money that arrives on the due day can pay the installment.
 */
const COLLECTION_HOUR = 10

/** Returns the moment for collecting a day's installments. */
export const collectionTime = (day: string): Date => timeOn(day, COLLECTION_HOUR)

/** Returns the last day whose collection hour has passed. */
export const lastCollectionDay = (now: Date): string => lastEndedDay(COLLECTION_HOUR, now)

/** Returns the due day of an installment: the business day that is a number of months after `from`. */
export const dueDay = (from: string, months: number): string => businessDayFrom(recurringDate(from, 'month', months))

/** Returns the due days of a loan's installments, in order. */
export function dueDays(disbursedOn: string, months: number): string[] {
  return Array.from({ length: months }, (_, index) => dueDay(disbursedOn, index + 1))
}
