import { type Category, SPENDING } from '#contract/categories.ts'
import { percentOf } from '#contract/money.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runOn } from '#server/platform/db/run.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { firstOfMonth, flowOf, type Period, spendingByCategory, spendingByMonth } from '#server/ledger/flows.ts'
import type { AccountId } from '#server/ledger/types.ts'

type Reader = Pick<Deps, 'pool' | 'clock'>

/** The accounts a customer spends from: goals and investments are not among them. */
async function spendingAccounts(deps: Reader, customerId: string): Promise<AccountId[]> {
  const accounts = await accountsOf(runOn(deps.pool), customerId)
  return accounts.filter(({ code }) => code === 'current' || code === 'card').map(({ id }) => id)
}

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

/**
 * Kilograms of CO2 per dollar spent, as a fraction so that no rounding creeps in. Each is set from one known month:
 * 45 kg for $210 of transport, 32 kg for $380 of shopping, 28 kg for $520 of food, 18 kg for $210 of bills, which
 * are mostly energy. Entertainment is not counted.
 */
const CARBON_FACTORS = [
  { name: 'Transport', category: 'transport', kg: 45, perMinor: 210_00 },
  { name: 'Shopping', category: 'shopping', kg: 32, perMinor: 380_00 },
  { name: 'Food', category: 'food', kg: 28, perMinor: 520_00 },
  { name: 'Energy', category: 'bills', kg: 18, perMinor: 210_00 },
] as const

export type CarbonCategory = { name: string; emissionsKg: number; percent: number }

/** What this month's spending emitted, in kilograms of CO2 to one decimal, and each category's share in whole per cent. */
export async function carbonByCategory(deps: Reader, customerId: string): Promise<CarbonCategory[]> {
  const spent = new Map((await categoryBreakdown(deps, customerId)).map((row) => [row.category, row.spentMinor]))
  const emissions = CARBON_FACTORS.map(({ name, category, kg, perMinor }) => {
    const spentMinor = Math.max(0, spent.get(category) ?? 0)
    return { name, emissionsKg: Math.round((spentMinor * kg * 10) / perMinor) / 10 }
  })
  const totalKg = emissions.reduce((sum, row) => sum + row.emissionsKg, 0)
  return emissions.map(({ name, emissionsKg }) => ({ name, emissionsKg, percent: percentOf(emissionsKg, totalKg) }))
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
