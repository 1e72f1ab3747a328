import { firstDayOfMonth, monthOf } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { dayAfter } from '#server/calendar/days.ts'
import type { BalanceAfter } from '#server/ledger/entries.ts'

/** The number of millionths in a cent. */
export const MILLIONTHS = 1_000_000

/** The progress of a goal's interest. */
export type Accrual = {
  /** The last day that was counted, YYYY-MM-DD. */
  accruedOn: string
  /** Interest accrued up to the end of that day and not paid, in millionths of a cent. */
  millionths: number
  /** The version of the last counted entry in the goal's account. */
  countedVersion: number
}

/**
 * The interest for the days of one month, in US cents. It is due on the first day of the next month. `month`: the first day of
 * the month in which the interest was earned.
 */
export type DueInterest = { month: string; amountMinor: number }

/**
 * Returns the interest of a balance for one day, in millionths of a cent, rounded down. `rateBps`: the yearly rate in
 * hundredths of a percent. One day counts as 1/365 of a year, even in a leap year.
 */
export function interestOfDay(balanceMinor: number, rateBps: number): number {
  return Number((BigInt(balanceMinor) * BigInt(rateBps) * BigInt(MILLIONTHS)) / (365n * 10_000n))
}

/**
 * Accrues interest up to the end of the day `upTo`, day by day, on the balance at the end of each day. The interest of a month
 * is due on the first day of the next month, in whole cents, and earns interest itself from then on, even if it is booked
 * later. The fraction of a cent is carried forward. The result does not depend on how often and when this function is called.
 * `balances`: the balances from the last counted entry on. An entry that is booked into a day already counted has its effect
 * from the next day on.
 */
export function accrueSavingsInterest(
  from: Accrual,
  balances: readonly BalanceAfter[],
  { rateBps, upTo }: { rateBps: number; upTo: string },
): { accrual: Accrual; due: DueInterest[] } {
  const dueInterest: DueInterest[] = []
  let { accruedOn, millionths, countedVersion } = from
  let countedIndex = balances.findIndex(({ version }) => version > countedVersion)
  if (countedIndex < 0) countedIndex = balances.length
  let balanceMinor = countedIndex > 0 ? (balances[countedIndex - 1]?.balanceMinor ?? 0) : 0
  let unbookedMinor = 0
  for (let day = dayAfter(accruedOn); day <= upTo; day = dayAfter(day)) {
    for (let next = balances[countedIndex]; next && dayOf(next.bookedAt) <= day; next = balances[countedIndex]) {
      balanceMinor = next.balanceMinor
      countedVersion = next.version
      countedIndex += 1
    }
    millionths += interestOfDay(balanceMinor + unbookedMinor, rateBps)
    accruedOn = day
    if (monthOf(dayAfter(day)) === monthOf(day)) continue
    const amountMinor = wholeCents(millionths)
    if (amountMinor > 0) dueInterest.push({ month: firstDayOfMonth(day), amountMinor })
    millionths -= amountMinor * MILLIONTHS
    unbookedMinor += amountMinor
  }
  return { accrual: { accruedOn, millionths, countedVersion }, due: dueInterest }
}

/** Returns the whole cents in an amount of millionths of a cent. */
export function wholeCents(millionths: number): number {
  return Math.floor(millionths / MILLIONTHS)
}
