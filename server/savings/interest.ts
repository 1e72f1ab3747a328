import { firstDayOfMonth, monthOf } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { dayAfter } from '#server/calendar/days.ts'
import type { BalanceAfter } from '#server/ledger/entries.ts'

/** Millionths of a cent in a cent. */
export const MILLIONTHS = 1_000_000

/** How far a goal's interest is known. */
export type Accrual = {
  /** The last day that was counted, YYYY-MM-DD. */
  accruedOn: string
  /** Accrued up to its end and not paid: millionths of a cent. */
  millionths: number
  /** The last entry of the goal's account that was counted. */
  countedVersion: number
}

/** Interest for the days of one month, due on the first of the next. `month`: its first day. */
export type DueInterest = { month: string; amountMinor: number }

/**
 * What a balance earns in a day, in millionths of a cent, rounded down: a 365th of a year's interest, in leap years too.
 * `rateBps`: hundredths of a per cent a year.
 */
export function interestOfDay(balanceMinor: number, rateBps: number): number {
  return Number((BigInt(balanceMinor) * BigInt(rateBps) * BigInt(MILLIONTHS)) / (365n * 10_000n))
}

/**
 * Counts interest on up to the end of `upTo`, day by day, on what the account held when each day ended. What a month earned
 * is due on the first of the next in whole cents, and earns interest from then on, however late it is booked; the rest is
 * carried on. So it is the same whenever, and however often, it is counted.
 * `balances`: those from the last entry counted on. One that was booked into a day already counted counts from the next.
 */
export function accrue(
  from: Accrual,
  balances: readonly BalanceAfter[],
  { rateBps, upTo }: { rateBps: number; upTo: string },
): { accrual: Accrual; due: DueInterest[] } {
  const due: DueInterest[] = []
  let { accruedOn, millionths, countedVersion } = from
  let counted = balances.findIndex(({ version }) => version > countedVersion)
  if (counted < 0) counted = balances.length
  let balanceMinor = counted > 0 ? (balances[counted - 1]?.balanceMinor ?? 0) : 0
  let unbookedMinor = 0
  for (let day = dayAfter(accruedOn); day <= upTo; day = dayAfter(day)) {
    for (let next = balances[counted]; next && dayOf(next.bookedAt) <= day; next = balances[counted]) {
      balanceMinor = next.balanceMinor
      countedVersion = next.version
      counted += 1
    }
    millionths += interestOfDay(balanceMinor + unbookedMinor, rateBps)
    accruedOn = day
    if (monthOf(dayAfter(day)) === monthOf(day)) continue
    const amountMinor = wholeCents(millionths)
    if (amountMinor > 0) due.push({ month: firstDayOfMonth(day), amountMinor })
    millionths -= amountMinor * MILLIONTHS
    unbookedMinor += amountMinor
  }
  return { accrual: { accruedOn, millionths, countedVersion }, due }
}

/** What of an accrual can be paid, in cents. */
export function wholeCents(millionths: number): number {
  return Math.floor(millionths / MILLIONTHS)
}
