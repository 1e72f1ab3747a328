import { monthOf, monthPeriod, type Period, sameDaysLastMonth, startOfMonth } from '#server/calendar/months.ts'
import { dayAfter } from '#server/calendar/days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'
import { sql } from 'kysely'
import { SPENDING, type SpendingCategory } from '#contract/categories.ts'
import { sharesOf } from '#contract/money.ts'
import {
  type CategoryChoices,
  readCategoryChoices,
  effectiveCategory,
} from '#server/insights/months/category-choices.ts'
import { summedAccounts } from '#server/insights/history/history.ts'
import { spendingAccountsOf } from '#server/ledger/accounts.ts'
import { flowsByMonth, isSpending, spendingFlows } from '#server/ledger/flows.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

type Reader = Pick<Deps, 'db' | 'clock'>

/** The spending of a calendar month in US cents after refunds, by category in the order of the screens. */
export type MonthSpending = {
  /** In the form YYYY-MM. */
  month: string
  spentMinor: number
  categories: { category: SpendingCategory; spentMinor: number; percent: number }[]
}

/** Returns a customer's spending in a month, in the categories that they assigned. */
export function monthSpending(deps: Reader, customerId: string, month: string): Promise<MonthSpending> {
  return spendingWithin(deps, customerId, monthPeriod(month))
}

/** Returns a customer's spending on the days of last month that correspond to this month's days so far. */
export function spendingBySameDay(deps: Reader, customerId: string): Promise<MonthSpending> {
  return spendingWithin(deps, customerId, sameDaysLastMonth(deps.clock.businessNow()))
}

/** Returns a customer's spending on days within one month. */
async function spendingWithin(deps: Reader, customerId: string, period: Period): Promise<MonthSpending> {
  const [spending] = await spendingIn(deps, customerId, period)
  if (!spending) throw new RangeError('A month has a beginning')
  return spending
}

/** Returns a customer's spending in each of the last months, including this month, oldest first. */
export function lastMonths(deps: Reader, customerId: string, count: number): Promise<MonthSpending[]> {
  const now = deps.clock.businessNow()
  return spendingIn(deps, customerId, { from: startOfMonth(now, 1 - count), to: startOfMonth(now, 1) })
}

/** Returns the spending on each day of a month until today, in all categories. */
export async function spendingByDay(
  { db, clock }: Reader,
  customerId: string,
  month: string,
): Promise<{ day: string; spentMinor: number }[]> {
  const { from, to } = monthPeriod(month)
  const [end, today] = [dayOf(to), dayOf(clock.businessNow())]
  const days: string[] = []
  for (let day = dayOf(from); day < end && day <= today; day = dayAfter(day)) days.push(day)
  const periods = days.map((day) => ({ from: timeOn(day), to: timeOn(dayAfter(day)) }))
  const flows = await spendingFlows(runIn(db), customerId, periods)
  return days.map((day, index) => ({ day, spentMinor: flows[index]?.spentMinor ?? 0 }))
}

/** Cents by month and category. */
type Sums = Map<string, Map<SpendingCategory, number>>

function addTo(sums: Sums, month: string, category: SpendingCategory, minor: number): void {
  const categories = sums.get(month) ?? new Map<SpendingCategory, number>()
  categories.set(category, (categories.get(category) ?? 0) + minor)
  sums.set(month, categories)
}

async function spendingIn(deps: Reader, customerId: string, period: Period): Promise<MonthSpending[]> {
  const accounts = await spendingAccountsOf(runIn(deps.db), customerId)
  const [flows, choices] = await Promise.all([
    flowsByMonth(runIn(deps.db), accounts, period),
    readCategoryChoices(deps.db, customerId, period),
  ])
  const sums: Sums = new Map()
  for (const flow of flows.filter(isSpending)) {
    addTo(sums, flow.month, flow.category as SpendingCategory, Number(flow.outMinor - flow.inMinor))
  }
  await applyPayees(deps, customerId, period, choices, sums)
  for (const line of choices.lines) {
    const month = line.day.slice(0, 7)
    addTo(sums, month, effectiveCategory(choices, line.payee, line.from), -line.spentMinor)
    addTo(sums, month, line.category, line.spentMinor)
  }
  return monthsOf(period).map((month) => toSpending(month, sums.get(month)))
}

/** Moves payments from the categories in which they were booked to those that the customer assigned to their payees. */
async function applyPayees(
  deps: Reader,
  customerId: string,
  period: Period,
  { payees }: CategoryChoices,
  sums: Sums,
): Promise<void> {
  if (payees.size === 0) return
  const accounts = await summedAccounts(deps, customerId)
  const month = sql<string>`left(day::text, 7)`
  const rows = await deps.db
    .selectFrom('bank.payee_day')
    .select(['payee', 'category'])
    .select(month.as('month'))
    .select(sql<string>`sum(out_minor - in_minor)`.as('spent'))
    .where(
      'account_id',
      'in',
      accounts.map(({ id }) => id),
    )
    .where('payee', 'in', [...payees.keys()])
    .where('category', 'in', [...SPENDING])
    .where('day', '>=', dayOf(period.from))
    .where('day', '<', dayOf(period.to))
    .groupBy(['payee', 'category', month])
    .execute()
  for (const row of rows) {
    const [booked, category] = [row.category as SpendingCategory, payees.get(row.payee)]
    if (category === undefined || category === booked) continue
    addTo(sums, row.month, booked, -Number(row.spent))
    addTo(sums, row.month, category, Number(row.spent))
  }
}

function monthsOf({ from, to }: Period): string[] {
  const months: string[] = []
  for (let first = from; first < to; first = startOfMonth(first, 1)) months.push(monthOf(first))
  return months
}

function toSpending(month: string, categories: Map<SpendingCategory, number> = new Map()): MonthSpending {
  const amounts = SPENDING.map((category) => categories.get(category) ?? 0)
  const percents = sharesOf(amounts)
  return {
    month,
    spentMinor: amounts.reduce((sum, minor) => sum + minor, 0),
    categories: SPENDING.map((category, index) => ({
      category,
      spentMinor: amounts[index] ?? 0,
      percent: percents[index] ?? 0,
    })).filter(({ category, spentMinor }) => category !== 'other' || spentMinor !== 0),
  }
}
