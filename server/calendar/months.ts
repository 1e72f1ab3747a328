import { addDays, dayBefore } from '#server/calendar/days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'

/** A period of whole days, from the start of one day up to but not including the start of another. */
export type Period = { from: Date; to: Date }

const asDay = (date: Date | string): string => (typeof date === 'string' ? date : dayOf(date))

/** Returns the calendar year of an instant or a day. */
export const yearOf = (date: Date | string): number => Number(asDay(date).slice(0, 4))

/** Returns the calendar month of an instant or a day, YYYY-MM. */
export const monthOf = (date: Date | string): string => asDay(date).slice(0, 7)

/**
 * Returns the first day of the month of an instant or a day. With `months`, it is the first day of the month that many months
 * later.
 */
export function firstDayOfMonth(date: Date | string, months = 0): string {
  const first = `${monthOf(date)}-01`
  return months === 0 ? first : Temporal.PlainDate.from(first).add({ months }).toString()
}

/** Returns the last day of the month that is `months` after the month of an instant or a day. */
export const lastDayOfMonth = (date: Date | string, months = 0): string => dayBefore(firstDayOfMonth(date, months + 1))

/** Returns the first instant of the month that is `months` after the month of an instant or a day. */
export const startOfMonth = (date: Date | string, months = 0): Date => timeOn(firstDayOfMonth(date, months))

/** Returns the whole month that is `months` after the month of an instant or a day. */
export const monthPeriod = (date: Date | string, months = 0): Period => ({
  from: startOfMonth(date, months),
  to: startOfMonth(date, months + 1),
})

/** Returns the number of calendar months from the month of one date to the month of another; below zero if `to` is earlier. */
export function monthsApart(from: Date | string, to: Date | string): number {
  const [first, last] = [from, to].map((date) => Temporal.PlainYearMonth.from(monthOf(date)))
  return first && last ? first.until(last, { largestUnit: 'months' }).months : Number.NaN
}

/**
 * Returns the days of last month with which this month so far is compared: from the first day up to the same day of the month
 * as today, or to the last day in a shorter month. On the last day of a month, returns all of last month, so that a whole month
 * is compared with a whole one.
 */
export function sameDaysLastMonth(now: Date): Period {
  const today = dayOf(now)
  const isLastDay = today === lastDayOfMonth(today)
  const sameDate = Temporal.PlainDate.from(today).subtract({ months: 1 }).toString()
  return { from: startOfMonth(today, -1), to: isLastDay ? startOfMonth(today) : timeOn(addDays(sameDate, 1)) }
}

/**
 * Returns the next day after `day` that is the given day of its month. In a shorter month, the last day takes the place of that
 * day.
 */
export function nextMonthly(dayOfMonth: number, day: string): string {
  const after = Temporal.PlainDate.from(day)
  const inThis = after.with({ day: dayOfMonth })
  const next =
    Temporal.PlainDate.compare(inThis, after) > 0 ? inThis : after.add({ months: 1 }).with({ day: dayOfMonth })
  return next.toString()
}

/** Returns the number of months from `from` to `day`. A started month counts as a whole month, and the result is at least 1. */
export function monthsUntil(day: string, from: string): number {
  const { months, days } = Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(day), { largestUnit: 'months' })
  return Math.max(1, months + (days > 0 ? 1 : 0))
}
