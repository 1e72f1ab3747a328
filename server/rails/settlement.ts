/**
 * When money from another bank arrives. The calendar is the Federal Reserve Banks' holiday schedule, which the ACH
 * network keeps: https://www.frbservices.org/about/holiday-schedules. The bank's day is read in UTC.
 */

const MONDAY = 1
const THURSDAY = 4
const SATURDAY = 6
const SUNDAY = 7

/** Requests after this hour count as made on the next business day. */
const CUT_OFF_HOUR = 17
/** The hour at which the day's settlements are booked. */
const SETTLEMENT_HOUR = 9

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
export function bankHoliday(date: Temporal.PlainDate): string | null {
  const kept = HOLIDAYS.find(
    (holiday) =>
      // None of them moves into another month.
      holiday.month === date.month &&
      !('since' in holiday && date.year < holiday.since) &&
      observedOn(holiday, date.year).equals(date),
  )
  return kept?.name ?? null
}

export function isBusinessDay(date: Temporal.PlainDate): boolean {
  return date.dayOfWeek < SATURDAY && bankHoliday(date) === null
}

/** The first business day after a day. */
export function nextBusinessDay(date: Temporal.PlainDate): Temporal.PlainDate {
  let next = date.add({ days: 1 })
  while (!isBusinessDay(next)) next = next.add({ days: 1 })
  return next
}

/**
 * When a bank transfer asked for at `requestedAt` settles: 09:00 of the next business day, or of the one after it
 * for a request made past the cut-off or on a day the banks are closed. Both business time.
 */
export function settlementOf(requestedAt: Date): Date {
  const moment = Temporal.Instant.fromEpochMilliseconds(requestedAt.getTime()).toZonedDateTimeISO('UTC')
  const today = moment.toPlainDate()
  const inTime = isBusinessDay(today) && moment.hour < CUT_OFF_HOUR
  const settlesOn = nextBusinessDay(inTime ? today : nextBusinessDay(today))
  const settlesAt = settlesOn.toZonedDateTime({ timeZone: 'UTC', plainTime: { hour: SETTLEMENT_HOUR } })
  return new Date(settlesAt.epochMilliseconds)
}
