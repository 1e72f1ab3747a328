import { businessDayAfter, isBusinessDay } from '#server/calendar/business-days.ts'
import { dayBefore } from '#server/calendar/days.ts'
import { lastDayPast, timeOn } from '#server/calendar/zone.ts'

/** The hour of a business day at which the price of a fund's unit is made. */
const PRICED_AT_HOUR = 16

/** When funds were last priced, at a moment; both business time. */
export function lastPricing(moment: Date): Date {
  let day = lastDayPast(PRICED_AT_HOUR, moment)
  while (!isBusinessDay(day)) day = dayBefore(day)
  return timeOn(day, PRICED_AT_HOUR)
}

/** When funds are next priced after a moment; both business time. */
export function nextPricing(after: Date): Date {
  return timeOn(businessDayAfter(lastDayPast(PRICED_AT_HOUR, after)), PRICED_AT_HOUR)
}
