import { businessDayAfter, isBusinessDay } from '#server/calendar/business-days.ts'
import { dayBefore } from '#server/calendar/days.ts'
import { lastEndedDay, timeOn } from '#server/calendar/zone.ts'

/** The hour of a business day at which a fund's unit price is set. */
const PRICED_AT_HOUR = 16

/** Returns the last pricing of funds at or before a moment, in business time. */
export function lastPricing(moment: Date): Date {
  let day = lastEndedDay(PRICED_AT_HOUR, moment)
  while (!isBusinessDay(day)) day = dayBefore(day)
  return timeOn(day, PRICED_AT_HOUR)
}

/** Returns the next pricing of funds after a moment, in business time. */
export function nextPricing(after: Date): Date {
  return timeOn(businessDayAfter(lastEndedDay(PRICED_AT_HOUR, after)), PRICED_AT_HOUR)
}
