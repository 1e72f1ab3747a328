import { dayOf } from '#server/platform/days.ts'
import { type Interval, SCHEDULE_YEARS } from '#contract/intervals.ts'
import { isBusinessDay, nextBusinessDay } from '#server/rails/settlement.ts'

/** The hour of business time (UTC) at which a day's payments are made. */
const PAID_AT_HOUR = 6
/** For how many business days a payment that was refused is tried again. */
const RETRY_DAYS = 2

/** The date that is `passed` intervals after the first. A month that is too short has it on its last day, and the next in full. */
export function dateOf(anchorOn: string, every: Interval, passed: number): string {
  const anchor = Temporal.PlainDate.from(anchorOn)
  // From the first date each time: the 31st is the 30th in April, and the 31st again in May.
  return (every === 'month' ? anchor.add({ months: passed }) : anchor.add({ weeks: passed })).toString()
}

/** The business day on which a date's payment is made: its own, or the next where the banks are closed. */
export function dueOn(date: string): string {
  const day = Temporal.PlainDate.from(date)
  return (isBusinessDay(day) ? day : nextBusinessDay(day)).toString()
}

/** The business day after a day. */
export function businessDayAfter(day: string): string {
  return nextBusinessDay(Temporal.PlainDate.from(day)).toString()
}

/** The last business day on which a date's payment is tried. */
export function lastTryOn(date: string): string {
  let day = dueOn(date)
  for (let tried = 0; tried < RETRY_DAYS; tried += 1) day = businessDayAfter(day)
  return day
}

/** The instant from which a day's payments are made, business time. */
export function paidFrom(day: string): Date {
  return new Date(Date.parse(day) + PAID_AT_HOUR * 3_600_000)
}

/** The last day whose payments are due by now. */
export function dueUpTo(now: Date): string {
  return dayOf(new Date(now.getTime() - PAID_AT_HOUR * 3_600_000))
}

/** Whether a payment may be scheduled for a day: today or later, and not too far ahead. */
export function mayBeScheduled(day: string, now: Date): boolean {
  const today = Temporal.PlainDate.from(dayOf(now))
  return day >= today.toString() && day <= today.add({ years: SCHEDULE_YEARS }).toString()
}
