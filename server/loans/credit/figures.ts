import { dayOf } from '#server/platform/days.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { firstBookedAt } from '#server/ledger/entries.ts'
import { firstOfMonth, flowOf } from '#server/ledger/flows.ts'
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

/** Accounts that money is spent from, and those that it can be taken from at any time. */
const SPENT_FROM: ReadonlySet<string> = new Set(['current', 'card'])
const KEPT_ON: ReadonlySet<string> = new Set(['current', 'card', 'savings'])

type Customer = { id: string; currentAccountId: AccountId }

/** Reads a customer's figures. Income and spending are those of the last six whole months, or of as many as there are. */
export async function figuresOf(
  run: Run,
  customer: Customer,
  now: Date,
  openInstalmentMinor: number,
): Promise<Figures> {
  const accounts = await accountsOf(run, customer.id)
  const openedAt = await firstBookedAt(run, customer.currentAccountId)
  const months = monthsSince(openedAt, now)
  const spentFrom = accounts.filter(({ code, asset }) => SPENT_FROM.has(code) && asset === 'USD')
  const period = { from: firstOfMonth(now, -months), to: firstOfMonth(now, 0) }
  const ids = spentFrom.map(({ id }) => id)
  const { incomeMinor, expensesMinor } = months === 0 ? NOTHING : await flowOf(run, ids, period)
  const kept = accounts.filter(({ code, asset }) => KEPT_ON.has(code) && asset === 'USD')
  return {
    today: dayOf(now),
    incomeMinor: average(incomeMinor, months),
    spendingMinor: average(expensesMinor, months),
    openedOn: openedAt && dayOf(openedAt),
    otherDebtMinor: openInstalmentMinor,
    bufferMinor: kept.reduce((sum, { availableMinor }) => sum + availableMinor, 0),
  }
}

const NOTHING = { incomeMinor: 0, expensesMinor: 0 }

/** How many whole months are looked back on: none in the month in which the account was opened. */
function monthsSince(openedAt: Date | null, now: Date): number {
  if (!openedAt) return 0
  const months = 12 * (now.getUTCFullYear() - openedAt.getUTCFullYear()) + now.getUTCMonth() - openedAt.getUTCMonth()
  return Math.min(MONTHS, months)
}

/** A month's share of what more months came to, rounded down; never below zero. */
function average(totalMinor: number, months: number): number {
  return months === 0 ? 0 : Math.max(0, Math.floor(totalMinor / months))
}
