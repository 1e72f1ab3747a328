import { businessDayFrom } from '#server/calendar/business-days.ts'
import { firstDayOfMonth, nextMonthly } from '#server/calendar/months.ts'
import { dayBefore } from '#server/calendar/days.ts'
import { timeOn } from '#server/calendar/zone.ts'
import type { Interval } from '#contract/intervals.ts'

/** The hour of business time at which a day's standing orders and direct debits are paid. */
const PAID_AT_HOUR = 6

/** Returns the instant from which a day's payments are made, in business time. */
export const paymentTime = (day: string): Date => timeOn(day, PAID_AT_HOUR)

/**
 * Returns the date that is `passed` intervals after the first date. In a month without that day, it is the month's last day.
 * Later months keep the original day.
 */
export function recurringDate(anchorOn: string, every: Interval, passed: number): string {
  const anchor = Temporal.PlainDate.from(anchorOn)
  // Each date is computed from the first one: the 31st becomes the 30th in April, and the 31st again in May.
  return (every === 'month' ? anchor.add({ months: passed }) : anchor.add({ weeks: passed })).toString()
}

/**
 * Returns the first business day after `after` on which a bill with the given day of the month is due. In a shorter month, the
 * last day takes the place of that day.
 */
export function nextBillDay(billDay: number, after: string): string {
  // The search starts a month early. A bill's day may be on the last weekend of that month, while the bill is due on the next
  // business day, which is in the next month and after `after`.
  for (let day = dayBefore(firstDayOfMonth(after, -1)); ;) {
    day = nextMonthly(billDay, day)
    const dueDay = businessDayFrom(day)
    if (dueDay > after) return dueDay
  }
}
