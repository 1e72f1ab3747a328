import { businessDayAfter, isBusinessDay } from '#server/calendar/business-days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'

/** Requests after this hour count as made on the next business day. */
const CUT_OFF_HOUR = 17
/** The hour at which the day's settlements are booked. */
const SETTLEMENT_HOUR = 9

/**
 * When a bank transfer asked for at `requestedAt` settles: 09:00 of the next business day, or of the one after it
 * for a request made past the cut-off or on a day the banks are closed. Both business time.
 */
export function settlementOf(requestedAt: Date): Date {
  const today = dayOf(requestedAt)
  const isInTime = isBusinessDay(today) && requestedAt < timeOn(today, CUT_OFF_HOUR)
  return timeOn(businessDayAfter(today, isInTime ? 1 : 2), SETTLEMENT_HOUR)
}
