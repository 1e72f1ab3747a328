import { dayOf } from '#server/calendar/zone.ts'
import type { DayLimit } from '#server/ledger/types.ts'

/** The limit that a movement counts to, and the day (YYYY-MM-DD). */
export type DayCount = DayLimit & { day: string }

/**
 * The use of a holder's daily limits. `usedDay` is the latest day (YYYY-MM-DD) on which a movement counted to the limits; null
 * if none did. `usedMinor` has that day's amounts in minor units.
 */
export type DayUse = { usedDay: string | null; usedMinor: Record<DayLimit['direction'], number> }

/**
 * Returns the daily limit that an operation booked at `bookedAt` counts to, with its day. Returns null for an operation without
 * a daily limit.
 */
export function dayCount(dayLimit: DayLimit | undefined, bookedAt: Date): DayCount | null {
  return dayLimit ? { ...dayLimit, day: dayOf(bookedAt) } : null
}

/**
 * Adds an amount to the account's sum for the day if the sum stays within the limit. Returns whether the amount was added.
 * Around midnight, operations of both days may arrive mixed. The later day's sum then includes both days' amounts, so it is
 * never too small.
 */
export function countToDay(account: DayUse, { direction, mostMinor, day }: DayCount, amountMinor: number): boolean {
  const isNewDay = account.usedDay === null || account.usedDay < day
  const used = isNewDay ? { in: 0, out: 0 } : account.usedMinor
  if (used[direction] + amountMinor > mostMinor) return false
  account.usedDay = isNewDay ? day : account.usedDay
  account.usedMinor = { ...used, [direction]: used[direction] + amountMinor }
  return true
}
