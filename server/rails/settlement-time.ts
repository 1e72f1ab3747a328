import { businessDayAfter, isBusinessDay } from '#server/calendar/business-days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'

/** The hour of business time from which a request counts as made on the next business day. */
const CUT_OFF_HOUR = 17
/** The hour of business time at which the day's settlements are booked. */
const SETTLEMENT_HOUR = 9

/**
 * Returns the settlement time of a bank transfer requested at `requestedAt`: 09:00 on the next business day. A request from
 * 17:00 on, or on a day that is not a business day, settles one business day later. Both times are business time.
 */
export function settlementTimeOf(requestedAt: Date): Date {
  const today = dayOf(requestedAt)
  const isInTime = isBusinessDay(today) && requestedAt < timeOn(today, CUT_OFF_HOUR)
  return timeOn(businessDayAfter(today, isInTime ? 1 : 2), SETTLEMENT_HOUR)
}
