import { addDays, dayBefore } from '#server/calendar/days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'

/** A stretch of whole days: from the one that begins at `from`, up to but not including the one that begins at `to`. */
export type Period = { from: Date; to: Date }

const asDay = (date: Date | string): string => (typeof date === 'string' ? date : dayOf(date))

/** The calendar year of an instant or a day. */
export const yearOf = (date: Date | string): number => Number(asDay(date).slice(0, 4))

/** The calendar month of an instant or a day, YYYY-MM. */
export const monthOf = (date: Date | string): string => asDay(date).slice(0, 7)

/** The first day of the month of an instant or a day, or of one so many months after it. */
export function firstDayOfMonth(date: Date | string, months = 0): string {
  const first = `${monthOf(date)}-01`
  return months === 0 ? first : Temporal.PlainDate.from(first).add({ months }).toString()
}

/** The last day of the same. */
export const lastDayOfMonth = (date: Date | string, months = 0): string => dayBefore(firstDayOfMonth(date, months + 1))

/** The first instant of the same. */
export const startOfMonth = (date: Date | string, months = 0): Date => timeOn(firstDayOfMonth(date, months))

/** All of the same. */
export const monthPeriod = (date: Date | string, months = 0): Period => ({
  from: startOfMonth(date, months),
  to: startOfMonth(date, months + 1),
})

/** How many calendar months the month of one date is after that of another. */
export function monthsApart(from: Date | string, to: Date | string): number {
  const [first, last] = [from, to].map((date) => Temporal.PlainYearMonth.from(monthOf(date)))
  return first && last ? first.until(last, { largestUnit: 'months' }).months : Number.NaN
}

/**
 * What this month so far compares with: the days of last month up to the one with today's number, or to its last where it has
 * none. On the last day of a month that is all of last month: a whole month is compared with a whole one.
 */
export function sameDaysLastMonth(now: Date): Period {
  const today = dayOf(now)
  const isLastDay = today === lastDayOfMonth(today)
  const same = Temporal.PlainDate.from(today).subtract({ months: 1 }).toString()
  return { from: startOfMonth(today, -1), to: isLastDay ? startOfMonth(today) : timeOn(addDays(same, 1)) }
}

/** The first day of that number in a month after `day`; of a month that is too short, its last. */
export function nextMonthly(dayOfMonth: number, day: string): string {
  const after = Temporal.PlainDate.from(day)
  const inThis = after.with({ day: dayOfMonth })
  const next =
    Temporal.PlainDate.compare(inThis, after) > 0 ? inThis : after.add({ months: 1 }).with({ day: dayOfMonth })
  return next.toString()
}

/** How often a month has passed between two days, as a person counts: a month begun is one, and it is one at least. */
export function monthsUntil(day: string, from: string): number {
  const { months, days } = Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(day), { largestUnit: 'months' })
  return Math.max(1, months + (days > 0 ? 1 : 0))
}
