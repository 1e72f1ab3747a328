import { dayAfter } from '#server/calendar/days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'
import { firstDayOfMonth, monthOf, monthsApart, startOfMonth } from '#server/calendar/months.ts'
import { SPENDING } from '#contract/categories.ts'
import { type Account, accountsOf, isSpendingAccount } from '#server/ledger/accounts.ts'
import { firstBookedAt } from '#server/ledger/entries.ts'
import { type Flow, flowsByMonth, isOwnMove, isSpending } from '#server/ledger/flows.ts'
import type { AccountId } from '#server/ledger/types.ts'
import type { Run } from '#server/platform/db/run.ts'

/** A customer's figures from their own ledger accounts. Amounts are US cents; income and spending are monthly averages. */
export type CreditFigures = {
  /** The current business day. */
  today: string
  incomeMinor: number
  spendingMinor: number
  /** The day of the first entry in the customer's account; null if there are no entries. */
  openedOn: string | null
  /** The monthly installment of the customer's open loan, in US cents. It is 0 without a loan. */
  otherDebtMinor: number
  /**
   * The money in the customer's accounts that they can take at any time, in US cents. Money that they recently received from
   * other people and other banks is subtracted.
   */
  bufferMinor: number
}

/** The number of whole months over which income and spending are averaged, at most. */
const MONTHS = 6

/** Returns whether money can be taken from an account at any time. */
const isWithdrawable = (account: Account): boolean => isSpendingAccount(account) || account.code === 'savings'

type Customer = { id: string; currentAccountId: AccountId }

/**
 * Reads a customer's figures. Income and spending are averages over the last six whole months, or over fewer if the account is
 * newer. Money that a customer sends out and gets back improves no figure (docs/loans.md).
 */
export async function readCreditFigures(
  run: Run,
  customer: Customer,
  now: Date,
  openInstalmentMinor: number,
): Promise<CreditFigures> {
  const accounts = await accountsOf(run, customer.id)
  const openedAt = await firstBookedAt(run, customer.currentAccountId)
  const months = monthsSince(openedAt, now)
  const inDollars = accounts.filter(({ asset }) => asset === 'USD')
  const spentFrom = inDollars.filter(isSpendingAccount).map(({ id }) => id)
  const from = startOfMonth(now, -Math.max(months, RECENT_MONTHS))
  const flows = await flowsByMonth(run, spentFrom, { from, to: timeOn(dayAfter(dayOf(now))) })
  const since = (ago: number) => flows.filter(({ month }) => month >= monthOf(firstDayOfMonth(now, -ago)))
  const [countedFlows, recent] = [since(months), since(RECENT_MONTHS)]
  const pastFlows = countedFlows.filter(({ month }) => month !== monthOf(now))
  const balances = inDollars.filter(isWithdrawable).reduce((sum, { availableMinor }) => sum + availableMinor, 0)
  return {
    today: dayOf(now),
    incomeMinor: average(
      steadyIncome(pastFlows, lookedBackOn(now, months)) - atLeastNone(netOut(countedFlows, ELSEWHERE)),
      months,
    ),
    spendingMinor: average(netOut(pastFlows, SPENDING) + atLeastNone(netOut(countedFlows, PEOPLE)), months),
    openedOn: openedAt && dayOf(openedAt),
    otherDebtMinor: openInstalmentMinor,
    bufferMinor: Math.max(0, balances - Number(atLeastNone(-netOut(recent, [...ELSEWHERE, ...PEOPLE])))),
  }
}

/**
 * The number of past months whose money counts as recent. Money of the current month is always recent. Recent money from other
 * people and from other banks does not count as savings.
 */
const RECENT_MONTHS = 1
/**
 * The largest income that counts for one month, in percent of the income of the median month. A single large payment is not a
 * steady income.
 */
const MAX_OF_MIDDLE_PERCENT = 150n

const ELSEWHERE: readonly Flow['category'][] = ['payout', 'top_up']
const PEOPLE: readonly Flow['category'][] = ['transfer']

/** Returns the whole months before the current one, newest first. */
const lookedBackOn = (now: Date, months: number): string[] =>
  Array.from({ length: months }, (_, index) => monthOf(firstDayOfMonth(now, -1 - index)))

const atLeastNone = (minor: bigint): bigint => (minor > 0n ? minor : 0n)

/** Returns the sum of the money that went out in some categories, minus the sum that came in, in US cents. */
const netOut = (flows: readonly Flow[], categories: readonly Flow['category'][]): bigint =>
  flows
    .filter(({ category }) => categories.includes(category))
    .reduce((sum, { inMinor, outMinor }) => sum + outMinor - inMinor, 0n)

/** Returns the income over these months, without money from other people or from the customer's own accounts. */
function steadyIncome(flows: readonly Flow[], months: readonly string[]): bigint {
  const earned = flows.filter((flow) => !isSpending(flow) && !isOwnMove(flow) && !PEOPLE.includes(flow.category))
  const byMonth = months.map((month) =>
    earned.filter((flow) => flow.month === month).reduce((sum, { inMinor }) => sum + inMinor, 0n),
  )
  // If the number of months is even, the median is the lower of the two middle ones.
  const middle = byMonth.toSorted((a, b) => Number(a - b))[Math.floor((months.length - 1) / 2)] ?? 0n
  const maxMinor = (middle * MAX_OF_MIDDLE_PERCENT) / 100n
  return byMonth.reduce((sum, minor) => sum + (minor > maxMinor ? maxMinor : minor), 0n)
}

/** Returns the number of whole months for the averages: zero in the month in which the account was opened. */
function monthsSince(openedAt: Date | null, now: Date): number {
  return openedAt ? Math.min(MONTHS, monthsApart(openedAt, now)) : 0
}

/** Returns the monthly average of a total, rounded down and never negative. */
function average(totalMinor: bigint, months: number): number {
  return months === 0 ? 0 : Number(atLeastNone(totalMinor) / BigInt(months))
}
