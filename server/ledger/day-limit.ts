import { dayOf } from '#server/calendar/zone.ts'
import type { DayLimit } from '#server/ledger/types.ts'

/** What a movement counts to, on which day (YYYY-MM-DD). */
export type DayCount = DayLimit & { day: string }

/** The latest day (YYYY-MM-DD) on which something counted to the limits of an account's holder, and what has on that day. */
export type DayUse = { usedDay: string | null; usedMinor: Record<DayLimit['direction'], number> }

/** What counts to the limit of an operation of that time. */
export function dayCount(dayLimit: DayLimit | undefined, bookedAt: Date): DayCount | null {
  return dayLimit ? { ...dayLimit, day: dayOf(bookedAt) } : null
}

/**
 * Counts an amount on the account where that stays within the limit, and answers whether it did. Around midnight
 * operations of both days may meet; what counts to the later one is never too little.
 */
export function countToDay(account: DayUse, { direction, mostMinor, day }: DayCount, amountMinor: number): boolean {
  const isNewDay = account.usedDay === null || account.usedDay < day
  const used = isNewDay ? { in: 0, out: 0 } : account.usedMinor
  if (used[direction] + amountMinor > mostMinor) return false
  account.usedDay = isNewDay ? day : account.usedDay
  account.usedMinor = { ...used, [direction]: used[direction] + amountMinor }
  return true
}
