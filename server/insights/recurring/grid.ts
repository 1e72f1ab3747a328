import { addDays } from '#server/calendar/days.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { isBusinessDay } from '#server/calendar/business-days.ts'
/** Calendars of payments: every 14 days, for one, or on the 5th of every third month. Days are counted since 1970. */

/**
 * A day of the month, 31 for the last; `shift`: what happens where banks are closed on it. The last business day of each
 * month is the 31st with the business day before. Or a weekday, 0 for Sunday: the first to the fourth of the month, or the last as the fifth.
 */
export type Placement = { day: number; shift: 'none' | 'next' | 'previous' } | { weekday: number; nth: number }

export type Grid =
  | { kind: 'days'; every: number; anchor: number }
  /** `month`: of slot 0, counted since the year 0. `places`: one, or the two of a month. */
  | { kind: 'months'; every: number; month: number; places: readonly Placement[] }

const firsts = new Map<number, number>()

/** A month's first day. A forecast asks for the same few dozen a million times. */
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

/** The month of a day, counted since the year 0. */
export function monthNumberOf(day: number): number {
  let month = EPOCH_MONTH + Math.floor(day / MONTH_DAYS)
  while (firstOf(month) > day) month -= 1
  while (firstOf(month + 1) <= day) month += 1
  return month
}

export const dayOfMonth = (day: number): number => day - firstOf(monthNumberOf(day)) + 1
const lengthOf = (month: number): number => firstOf(month + 1) - firstOf(month)

const open = new Map<number, boolean>()

/** Whether banks are open. Asked of the same few years again and again. */
function isOpen(day: number): boolean {
  let found = open.get(day)
  if (found === undefined) {
    found = isBusinessDay(addDays('1970-01-01', day))
    open.set(day, found)
  }
  return found
}

/** The weekday of a day, 0 for Sunday; 1 January 1970 was a Thursday. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7

/** A day as the second Wednesday of its month, for one; as the last one, too, where it is that. */
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
  const at = earliest + 7 * (nth - 1)
  return at < first + lengthOf(month) ? at : at - 7
}

/** The day of a month at a place. */
export function placed(place: Placement, month: number): number {
  if ('weekday' in place) return nthWeekday(place, month)
  const { day, shift } = place
  let at = firstOf(month) + Math.min(day, lengthOf(month)) - 1
  while (shift !== 'none' && !isOpen(at)) at += shift === 'next' ? 1 : -1
  return at
}

/** The days on which what was due on a day may be booked: where banks are closed on it, the one before or the one after, too. */
export function bookedFor(day: number): number[] {
  if (isOpen(day)) return [day]
  let [before, after] = [day, day]
  while (!isOpen(before)) before -= 1
  while (!isOpen(after)) after += 1
  return [day, before, after]
}

export const lastBusinessDay = (month: number): number => placed({ day: 31, shift: 'previous' }, month)

/** The day of slot `index` of a grid. */
export function slotDay(grid: Grid, index: number): number {
  if (grid.kind === 'days') return grid.anchor + grid.every * index
  const { places, every, month } = grid
  const place = places[((index % places.length) + places.length) % places.length] ?? { day: 1, shift: 'none' }
  return placed(place, month + every * Math.floor(index / places.length))
}

/** The slot that is nearest to a day. */
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

/** The days of a grid after one day and up to another. */
export function slotsBetween(grid: Grid, after: number, until: number): number[] {
  const days: number[] = []
  for (let index = slotAt(grid, after) - 1; slotDay(grid, index) <= until; index += 1) {
    const day = slotDay(grid, index)
    if (day > after) days.push(day)
  }
  return days
}
