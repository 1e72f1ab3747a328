import { addDays } from '#server/calendar/days.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { isBusinessDay } from '#server/calendar/business-days.ts'
/** Calendars of payments, such as every 14 days or the 5th of every third month. Days are counted since 1970. */

/**
 * A place in a month. It is either a day of the month (31 for the last) or a weekday (0 for Sunday) with its number. `shift` is
 * the direction in which a day moves when banks are closed. The last business day of each month is day 31 with the shift
 * `previous`. `nth` is 1 to 4 from the start of the month, or 5 for the last.
 */
export type Placement = { day: number; shift: 'none' | 'next' | 'previous' } | { weekday: number; nth: number }

export type Grid =
  | { kind: 'days'; every: number; anchor: number }
  /** `month` is the month of slot 0, counted since the year 0. `places` has one place, or two for payments twice a month. */
  | { kind: 'months'; every: number; month: number; places: readonly Placement[] }

const firsts = new Map<number, number>()

/** Returns a month's first day. The cache serves a forecast, which needs the same few dozen months a million times. */
function firstOf(month: number): number {
  let first = firsts.get(month)
  if (first === undefined) {
    first = Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS
    firsts.set(month, first)
  }
  return first
}

const MONTH_DAYS = 30.436_875
const EPOCH_MONTH = 1970 * 12

/** Returns the month of a day, counted since the year 0. */
export function monthNumberOf(day: number): number {
  let month = EPOCH_MONTH + Math.floor(day / MONTH_DAYS)
  while (firstOf(month) > day) month -= 1
  while (firstOf(month + 1) <= day) month += 1
  return month
}

export const dayOfMonth = (day: number): number => day - firstOf(monthNumberOf(day)) + 1
const lengthOf = (month: number): number => firstOf(month + 1) - firstOf(month)

const openDays = new Map<number, boolean>()

/** Returns whether banks are open. The cache serves repeated look-ups of the same few years. */
function isOpen(day: number): boolean {
  let isOpenDay = openDays.get(day)
  if (isOpenDay === undefined) {
    isOpenDay = isBusinessDay(addDays('1970-01-01', day))
    openDays.set(day, isOpenDay)
  }
  return isOpenDay
}

/** Returns the weekday of a day; 0 is Sunday. 1 January 1970 was a Thursday. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7

/**
 * Returns a day's places by weekday, such as the second Wednesday of its month. A day that is also the last of its weekday in
 * the month has a second place.
 */
export function weekdayPlaces(day: number): Placement[] {
  const [weekday, nth] = [weekdayOf(day), Math.ceil(dayOfMonth(day) / 7)]
  return monthNumberOf(day + 7) === monthNumberOf(day)
    ? [{ weekday, nth }]
    : [
        { weekday, nth },
        { weekday, nth: 5 },
      ]
}

function nthWeekday({ weekday, nth }: { weekday: number; nth: number }, month: number): number {
  const first = firstOf(month)
  const earliest = first + ((weekday - weekdayOf(first) + 7) % 7)
  const nthDay = earliest + 7 * (nth - 1)
  return nthDay < first + lengthOf(month) ? nthDay : nthDay - 7
}

/** Returns the day at a place in a month. */
export function placedOn(place: Placement, month: number): number {
  if ('weekday' in place) return nthWeekday(place, month)
  const { day, shift } = place
  let placedDay = firstOf(month) + Math.min(day, lengthOf(month)) - 1
  while (shift !== 'none' && !isOpen(placedDay)) placedDay += shift === 'next' ? 1 : -1
  return placedDay
}

/**
 * Returns the days on which a payment due on a day may be booked. If banks are closed on it, these include the business days
 * before and after.
 */
export function bookingDaysOf(day: number): number[] {
  if (isOpen(day)) return [day]
  let [before, after] = [day, day]
  while (!isOpen(before)) before -= 1
  while (!isOpen(after)) after += 1
  return [day, before, after]
}

export const lastBusinessDay = (month: number): number => placedOn({ day: 31, shift: 'previous' }, month)

/** Returns the day of slot `index` of a grid. */
export function slotDay(grid: Grid, index: number): number {
  if (grid.kind === 'days') return grid.anchor + grid.every * index
  const { places, every, month } = grid
  const place = places[((index % places.length) + places.length) % places.length] ?? { day: 1, shift: 'none' }
  return placedOn(place, month + every * Math.floor(index / places.length))
}

/** Returns the slot nearest to a day. */
export function slotAt(grid: Grid, day: number): number {
  const about =
    grid.kind === 'days'
      ? Math.round((day - grid.anchor) / grid.every)
      : Math.floor((monthNumberOf(day) - grid.month) / grid.every) * grid.places.length
  const span = grid.kind === 'days' ? 1 : grid.places.length + 1
  let best = about
  for (let index = about - span; index <= about + span; index += 1)
    if (Math.abs(slotDay(grid, index) - day) < Math.abs(slotDay(grid, best) - day)) best = index
  return best
}

/** Returns the days of a grid after one day and up to another. */
export function slotsBetween(grid: Grid, after: number, until: number): number[] {
  const days: number[] = []
  for (let index = slotAt(grid, after) - 1; slotDay(grid, index) <= until; index += 1) {
    const day = slotDay(grid, index)
    if (day > after) days.push(day)
  }
  return days
}
