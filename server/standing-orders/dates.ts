import { SCHEDULE_YEARS } from '#contract/intervals.ts'
import { businessDayAfter, businessDayFrom } from '#server/calendar/business-days.ts'
import { dayOf } from '#server/calendar/zone.ts'

/** The number of later business days on which a refused payment is tried again. */
const RETRY_DAYS = 2

/** Returns the last business day on which the payment of a date is tried. */
export const lastTryOn = (date: string): string => businessDayAfter(businessDayFrom(date), RETRY_DAYS)

/** Whether a payment may be scheduled for a day: today or later, and not too far ahead. */
export function mayBeScheduled(day: string, now: Date): boolean {
  const today = Temporal.PlainDate.from(dayOf(now))
  return day >= today.toString() && day <= today.add({ years: SCHEDULE_YEARS }).toString()
}
