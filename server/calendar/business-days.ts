import { dayAfter } from '#server/calendar/days.ts'

/**
 * The holidays follow the Federal Reserve Banks' schedule, which the ACH network uses:
 * https://www.frbservices.org/about/holiday-schedules.
 */

const MONDAY = 1
const THURSDAY = 4
const SATURDAY = 6
const SUNDAY = 7

type Holiday =
  | { name: string; month: number; day: number; since?: number }
  /** The `nth` such weekday of the month; -1 means the last. */
  | { name: string; month: number; weekday: number; nth: number }

const HOLIDAYS: readonly Holiday[] = [
  { name: "New Year's Day", month: 1, day: 1 },
  { name: 'Birthday of Martin Luther King, Jr.', month: 1, weekday: MONDAY, nth: 3 },
  { name: "Washington's Birthday", month: 2, weekday: MONDAY, nth: 3 },
  { name: 'Memorial Day', month: 5, weekday: MONDAY, nth: -1 },
  { name: 'Juneteenth National Independence Day', month: 6, day: 19, since: 2022 },
  { name: 'Independence Day', month: 7, day: 4 },
  { name: 'Labor Day', month: 9, weekday: MONDAY, nth: 1 },
  { name: 'Columbus Day', month: 10, weekday: MONDAY, nth: 2 },
  { name: 'Veterans Day', month: 11, day: 11 },
  { name: 'Thanksgiving Day', month: 11, weekday: THURSDAY, nth: 4 },
  { name: 'Christmas Day', month: 12, day: 25 },
]

/**
 * Returns the day on which the Reserve Banks observe a holiday. A holiday on a Sunday is observed on Monday. A holiday on a
 * Saturday stays on Saturday.
 */
function observedOn(holiday: Holiday, year: number): Temporal.PlainDate {
  const first = Temporal.PlainDate.from({ year, month: holiday.month, day: 1 })
  if ('day' in holiday) {
    const date = first.with({ day: holiday.day })
    return date.dayOfWeek === SUNDAY ? date.add({ days: 1 }) : date
  }
  if (holiday.nth > 0) {
    const daysToFirst = (holiday.weekday - first.dayOfWeek + 7) % 7
    return first.add({ days: daysToFirst + 7 * (holiday.nth - 1) })
  }
  const last = first.with({ day: first.daysInMonth })
  return last.subtract({ days: (last.dayOfWeek - holiday.weekday + 7) % 7 })
}

/** Returns the name of the Federal Reserve holiday observed on a day, or null. */
export function bankHoliday(day: string): string | null {
  const date = Temporal.PlainDate.from(day)
  const observed = HOLIDAYS.find(
    (holiday) =>
      // A holiday's observed day is always in the holiday's own month.
      holiday.month === date.month &&
      !('since' in holiday && date.year < holiday.since) &&
      observedOn(holiday, date.year).equals(date),
  )
  return observed?.name ?? null
}

/** A cache, because charts look up the same days many times. */
const businessDayCache = new Map<string, boolean>()

export function isBusinessDay(day: string): boolean {
  const businessDay =
    businessDayCache.get(day) ?? (Temporal.PlainDate.from(day).dayOfWeek < SATURDAY && bankHoliday(day) === null)
  businessDayCache.set(day, businessDay)
  return businessDay
}

/** Returns the day itself if it is a business day. If not, returns the next business day. */
export function businessDayFrom(day: string): string {
  let businessDay = day
  while (!isBusinessDay(businessDay)) businessDay = dayAfter(businessDay)
  return businessDay
}

/** Returns the business day that is `days` business days after a day; by default the next one. */
export function businessDayAfter(day: string, days = 1): string {
  let businessDay = day
  for (let counted = 0; counted < days; counted += 1) businessDay = businessDayFrom(dayAfter(businessDay))
  return businessDay
}
