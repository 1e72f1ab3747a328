import { dayAfter } from '#server/calendar/days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'
import { firstDayOfMonth, monthOf, monthsApart, startOfMonth } from '#server/calendar/months.ts'
import { SPENDING } from '#contract/categories.ts'
import { type Account, accountsOf, isSpendingAccount } from '#server/ledger/accounts.ts'
import { firstBookedAt } from '#server/ledger/entries.ts'
import { type Flow, flowsByMonth, isOwnMove, isSpending } from '#server/ledger/flows.ts'
import type { AccountId } from '#server/ledger/types.ts'
import type { Run } from '#server/platform/db/run.ts'

/** What a customer's own ledger says of them. Amounts are US cents, those of income and spending a month's average. */
export type Figures = {
  /** The day it is. */
  today: string
  incomeMinor: number
  spendingMinor: number
  /** The day of the first entry of their account; null where there is none. */
  openedOn: string | null
  /** The instalment of a loan that is not repaid. */
  otherDebtMinor: number
  /** What they have on the accounts that they can take money from. */
  bufferMinor: number
}

/** Whole months that are looked back on at most. */
const MONTHS = 6

/** The accounts that money can be taken from at any time. */
const isKeptOn = (account: Account): boolean => isSpendingAccount(account) || account.code === 'savings'

type Customer = { id: string; currentAccountId: AccountId }

/**
 * Reads a customer's figures. Income and spending are those of the last six whole months, or of as many as there are, and
 * money that is sent round in a circle makes none of them better (docs/loans.md).
 */
export async function figuresOf(
  run: Run,
  customer: Customer,
  now: Date,
  openInstalmentMinor: number,
): Promise<Figures> {
  const accounts = await accountsOf(run, customer.id)
  const openedAt = await firstBookedAt(run, customer.currentAccountId)
  const months = monthsSince(openedAt, now)
  const inDollars = accounts.filter(({ asset }) => asset === 'USD')
  const spentFrom = inDollars.filter(isSpendingAccount).map(({ id }) => id)
  const from = startOfMonth(now, -Math.max(months, RECENT_MONTHS))
  const flows = await flowsByMonth(run, spentFrom, { from, to: timeOn(dayAfter(dayOf(now))) })
  const since = (ago: number) => flows.filter(({ month }) => month >= monthOf(firstDayOfMonth(now, -ago)))
  const [counted, recent] = [since(months), since(RECENT_MONTHS)]
  const past = counted.filter(({ month }) => month !== monthOf(now))
  const balances = inDollars.filter(isKeptOn).reduce((sum, { availableMinor }) => sum + availableMinor, 0)
  return {
    today: dayOf(now),
    incomeMinor: average(
      steadyIncome(past, lookedBackOn(now, months)) - atLeastNone(netOut(counted, ELSEWHERE)),
      months,
    ),
    spendingMinor: average(netOut(past, SPENDING) + atLeastNone(netOut(counted, PEOPLE)), months),
    openedOn: openedAt && dayOf(openedAt),
    otherDebtMinor: openInstalmentMinor,
    bufferMinor: Math.max(0, balances - Number(atLeastNone(-netOut(recent, [...ELSEWHERE, ...PEOPLE])))),
  }
}

/** The month so far, and so many before it, whose money from people and from elsewhere is not yet put by. */
const RECENT_MONTHS = 1
/** How much more than the middle one a month's income may count for, in per cent: what came once is no steady income. */
const MOST_OF_MIDDLE_PERCENT = 150n

const ELSEWHERE: readonly Flow['category'][] = ['payout', 'top_up']
const PEOPLE: readonly Flow['category'][] = ['transfer']

/** The whole months that are looked back on. */
const lookedBackOn = (now: Date, months: number): string[] =>
  Array.from({ length: months }, (_, index) => monthOf(firstDayOfMonth(now, -1 - index)))

const atLeastNone = (minor: bigint): bigint => (minor > 0n ? minor : 0n)

/** What went out in some categories, less what came in. */
const netOut = (flows: readonly Flow[], categories: readonly Flow['category'][]): bigint =>
  flows
    .filter(({ category }) => categories.includes(category))
    .reduce((sum, { inMinor, outMinor }) => sum + outMinor - inMinor, 0n)

/** What came in over these months, but from people and the customer themselves. */
function steadyIncome(flows: readonly Flow[], months: readonly string[]): bigint {
  const earned = flows.filter((flow) => !isSpending(flow) && !isOwnMove(flow) && !PEOPLE.includes(flow.category))
  const byMonth = months.map((month) =>
    earned.filter((flow) => flow.month === month).reduce((sum, { inMinor }) => sum + inMinor, 0n),
  )
  // Of an even number the lower one in the middle.
  const middle = byMonth.toSorted((a, b) => Number(a - b))[Math.floor((months.length - 1) / 2)] ?? 0n
  const most = (middle * MOST_OF_MIDDLE_PERCENT) / 100n
  return byMonth.reduce((sum, minor) => sum + (minor > most ? most : minor), 0n)
}

/** How many whole months are looked back on: none in the month in which the account was opened. */
function monthsSince(openedAt: Date | null, now: Date): number {
  return openedAt ? Math.min(MONTHS, monthsApart(openedAt, now)) : 0
}

/** A month's share of what more months came to, rounded down; never below zero. */
function average(totalMinor: bigint, months: number): number {
  return months === 0 ? 0 : Number(atLeastNone(totalMinor) / BigInt(months))
}
