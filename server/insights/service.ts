import { type Category, SPENDING } from '#contract/categories.ts'
import { percentOf } from '#contract/money.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runOn } from '#server/platform/db/run.ts'
import { spendingAccountsOf } from '#server/ledger/accounts.ts'
import { firstOfMonth, flowOf, type Period, spendingByCategory, spendingByMonth } from '#server/ledger/flows.ts'
import type { AccountId } from '#server/ledger/types.ts'

type Reader = Pick<Deps, 'pool' | 'clock'>

const spendingAccounts = (deps: Reader, customerId: string): Promise<AccountId[]> =>
  spendingAccountsOf(runOn(deps.pool), customerId)

/** The calendar month (UTC) that lies `back` months before the one of `now`. */
function monthOf(now: Date, back = 0): Period & { month: string } {
  const from = firstOfMonth(now, -back)
  return { from, to: firstOfMonth(now, 1 - back), month: from.toISOString().slice(0, 7) }
}

export type MonthlySpending = { month: string; spentMinor: number }

/** Spending of the last `months` calendar months, this one included and oldest first, in US cents. */
export async function monthlySpending(deps: Reader, customerId: string, months: number): Promise<MonthlySpending[]> {
  const now = deps.clock.businessNow()
  const period = { from: monthOf(now, months - 1).from, to: monthOf(now).to }
  const found = await spendingByMonth(runOn(deps.pool), await spendingAccounts(deps, customerId), period)
  const spent = new Map(found.map((row) => [row.month, row.spentMinor]))
  return Array.from({ length: months }, (_, index) => {
    const { month } = monthOf(now, months - 1 - index)
    return { month, spentMinor: spent.get(month) ?? 0 }
  })
}

export type CategorySpending = { category: Category; spentMinor: number; percent: number }

/** This month's spending by category, in US cents with its share in whole per cent, in the order the screens list them. */
export async function categoryBreakdown(deps: Reader, customerId: string): Promise<CategorySpending[]> {
  const period = monthOf(deps.clock.businessNow())
  const found = await spendingByCategory(runOn(deps.pool), await spendingAccounts(deps, customerId), period)
  const spent = new Map(found.map((row) => [row.category, row.spentMinor]))
  const totalMinor = found.reduce((sum, row) => sum + row.spentMinor, 0)
  return SPENDING.map((category) => {
    const spentMinor = spent.get(category) ?? 0
    return { category, spentMinor, percent: percentOf(spentMinor, totalMinor) }
  })
}

/** A tenth of what is left of the month's income, rounded down to whole 50 dollars: small enough to be kept up. */
const SET_ASIDE_SHARE = 10
const SET_ASIDE_STEP_MINOR = 50_00

export type AdviceFigures = {
  /** What to put aside each month, US cents; never below zero. */
  setAsideMinor: number
  /** This month's eating out against last month's, in whole per cent; null where there was none. */
  diningChangePercent: number | null
}

const foodOf = (rows: { category: Category; spentMinor: number }[]): number =>
  rows.find(({ category }) => category === 'food')?.spentMinor ?? 0

/** What the advisor's sentences are made of. */
export async function adviceFigures(deps: Reader, customerId: string): Promise<AdviceFigures> {
  const run = runOn(deps.pool)
  const accounts = await spendingAccounts(deps, customerId)
  const now = deps.clock.businessNow()
  const [thisMonth, lastMonth] = [monthOf(now), monthOf(now, 1)]
  const [flow, spent, spentBefore] = await Promise.all([
    flowOf(run, accounts, thisMonth),
    spendingByCategory(run, accounts, thisMonth),
    spendingByCategory(run, accounts, lastMonth),
  ])
  const left = Math.max(0, flow.incomeMinor - flow.expensesMinor)
  const before = foodOf(spentBefore)
  return {
    setAsideMinor: Math.floor(left / SET_ASIDE_SHARE / SET_ASIDE_STEP_MINOR) * SET_ASIDE_STEP_MINOR,
    diningChangePercent: before === 0 ? null : percentOf(foodOf(spent) - before, before),
  }
}
