import { dayAfter } from '#server/calendar/days.ts'

/** The Federal Reserve Banks' holiday schedule, which the ACH network keeps: https://www.frbservices.org/about/holiday-schedules. */

const MONDAY = 1
const THURSDAY = 4
const SATURDAY = 6
const SUNDAY = 7

type Holiday =
  | { name: string; month: number; day: number; since?: number }
  /** The `nth` such weekday of the month; -1 is the last. */
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

/** The day the Reserve Banks keep a holiday: a Sunday's moves to Monday; a Saturday's moves nowhere. */
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

/** The name of the Federal Reserve holiday kept on a day, or null. */
export function bankHoliday(day: string): string | null {
  const date = Temporal.PlainDate.from(day)
  const kept = HOLIDAYS.find(
    (holiday) =>
      // None of them moves into another month.
      holiday.month === date.month &&
      !('since' in holiday && date.year < holiday.since) &&
      observedOn(holiday, date.year).equals(date),
  )
  return kept?.name ?? null
}

/** A chart asks for some of them again and again. */
const known = new Map<string, boolean>()

export function isBusinessDay(day: string): boolean {
  const found = known.get(day) ?? (Temporal.PlainDate.from(day).dayOfWeek < SATURDAY && bankHoliday(day) === null)
  known.set(day, found)
  return found
}

/** A day itself where the banks work, else the next one on which they do. */
export function businessDayFrom(day: string): string {
  let found = day
  while (!isBusinessDay(found)) found = dayAfter(found)
  return found
}

/** The business day that is so many business days after a day; the first one after it unless told. */
export function businessDayAfter(day: string, days = 1): string {
  let found = day
  for (let counted = 0; counted < days; counted += 1) found = businessDayFrom(dayAfter(found))
  return found
}
