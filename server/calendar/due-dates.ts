import { businessDayFrom } from '#server/calendar/business-days.ts'
import { firstDayOfMonth, nextMonthly } from '#server/calendar/months.ts'
import { dayBefore } from '#server/calendar/days.ts'
import { timeOn } from '#server/calendar/zone.ts'
import type { Interval } from '#contract/intervals.ts'

/** The hour of business time at which a day's payments are made: standing orders, and direct debits. */
const PAID_AT_HOUR = 6

/** The instant from which a day's payments are made, business time. */
export const paidFrom = (day: string): Date => timeOn(day, PAID_AT_HOUR)

/** The date that is `passed` intervals after the first. A month that is too short has it on its last day, and the next in full. */
export function recurringDate(anchorOn: string, every: Interval, passed: number): string {
  const anchor = Temporal.PlainDate.from(anchorOn)
  // From the first date each time: the 31st is the 30th in April, and the 31st again in May.
  return (every === 'month' ? anchor.add({ months: passed }) : anchor.add({ weeks: passed })).toString()
}

/** The first business day after `after` on which a bill of that day of the month is due: the month's last where it has none such. */
export function nextBillDay(billDay: number, after: string): string {
  // From the month's beginning: the bill of a weekend may be due after `after` though its own day is not.
  for (let day = dayBefore(firstDayOfMonth(after)); ;) {
    day = nextMonthly(billDay, day)
    const due = businessDayFrom(day)
    if (due > after) return due
  }
}
