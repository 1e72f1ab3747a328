import { dayBefore } from '#server/calendar/days.ts'
import { monthOf, monthPeriod, sameDaysLastMonth } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Analytics, SmartInsight } from '#contract/analytics.ts'
import type { SpendingCategory } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import { percentOf } from '#contract/money.ts'
import { budgetsOf } from '#server/insights/budgets.ts'
import { lastMonths, type MonthSpending, spendingByDay, spendingBySameDay } from '#server/insights/months/months.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The number of months that can be selected, and the number in the trend, both including this month. */
const MONTHS = 12
const TREND = 8
/** The smallest change that is mentioned, in percent of the earlier amount and in US cents. */
const WORTH_PERCENT = 10
const WORTH_MINOR = 20_00
/** The percentage of a budget from which the budget is mentioned. */
const NEAR_PERCENT = 80

/** Returns a customer's spending in a month, this month by default. Throws Refusal `month_invalid`. */
export async function readAnalytics(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  requestedMonth?: string,
): Promise<Analytics> {
  const now = deps.clock.businessNow()
  const isThisMonth = requestedMonth === undefined || requestedMonth === monthOf(now)
  const [months, sameDays, budgets] = await Promise.all([
    // One additional month, for comparison with the first.
    lastMonths(deps, customerId, MONTHS + 1),
    isThisMonth ? spendingBySameDay(deps, customerId) : undefined,
    budgetsOf(deps.db, customerId, requestedMonth ?? monthOf(now)),
  ])
  const first = months.findIndex(({ spentMinor }) => spentMinor !== 0)
  const visibleMonths = months.slice(first < 0 ? -1 : Math.max(1, first))
  const chosenMonth =
    requestedMonth === undefined ? visibleMonths.at(-1) : visibleMonths.find(({ month }) => month === requestedMonth)
  if (!chosenMonth) throw new Refusal('month_invalid', 'month')
  const before = sameDays ?? months[months.indexOf(chosenMonth) - 1]
  const { month, spentMinor, categories } = chosenMonth
  const days = isThisMonth ? sameDaysLastMonth(now) : monthPeriod(month, -1)
  return {
    month,
    months: visibleMonths.map((visibleMonth) => visibleMonth.month),
    spentMinor,
    asset: 'USD',
    changeBps: before && before.spentMinor > 0 ? bpsOf(spentMinor - before.spentMinor, before.spentMinor) : null,
    comparedWith: { from: dayOf(days.from), to: dayBefore(dayOf(days.to)) },
    categories: withBudgets(categories, budgets),
    days: await spendingByDay(deps, customerId, month),
    trend: visibleMonths
      .slice(-TREND)
      .map((visibleMonth) => ({ month: visibleMonth.month, spentMinor: visibleMonth.spentMinor })),
    insight: insightOf(chosenMonth, before, isThisMonth ? budgets : new Map()),
  }
}

/** Adds the budget to each category. Other is included if it has a budget, even without spending. */
function withBudgets(categories: MonthSpending['categories'], budgets: ReadonlyMap<SpendingCategory, number>) {
  const hasOther = categories.some(({ category }) => category === 'other')
  const unspent = hasOther || !budgets.has('other') ? [] : [{ category: 'other' as const, spentMinor: 0, percent: 0 }]
  return [...categories, ...unspent].map((category) => ({
    ...category,
    budgetMinor: budgets.get(category.category) ?? null,
  }))
}

const bpsOf = (part: number, whole: number): number => Math.round((part / whole) * 10_000)

/**
 * Returns the most important statement about a month: a budget that is nearly or fully used, else the category with the largest
 * increase from `before`, else the one with the largest decrease, else the largest category.
 */
export function insightOf(
  month: MonthSpending,
  before: MonthSpending | undefined,
  budgets: ReadonlyMap<SpendingCategory, number>,
): SmartInsight {
  const { categories } = month
  const largest = categories.toSorted((a, b) => b.spentMinor - a.spentMinor)[0]
  // The refunds in one category may exceed the spending in all others.
  if (!largest || largest.spentMinor <= 0) return { code: 'nothing_spent' }
  const used = categories
    .map(({ category, spentMinor: minor }) => ({ category, minor, limit: budgets.get(category) ?? 0 }))
    .filter(({ minor, limit }) => limit > 0 && minor * 100 >= limit * NEAR_PERCENT)
    .toSorted((a, b) => b.minor / b.limit - a.minor / a.limit)[0]
  if (used) {
    const { category, minor, limit } = used
    return minor > limit
      ? { code: 'over_budget', category, amountMinor: minor - limit }
      : { code: 'near_budget', category, percent: percentOf(minor, limit) }
  }
  const changes = categories
    .map(({ category, spentMinor }) => {
      // Spending below zero counts as zero, so that the decrease is at most 100%.
      const minor = Math.max(0, spentMinor)
      const previousMinor =
        before?.categories.find((categorySpending) => categorySpending.category === category)?.spentMinor ?? 0
      return {
        category,
        by: minor - previousMinor,
        percent: previousMinor > 0 ? percentOf(minor - previousMinor, previousMinor) : 0,
      }
    })
    .filter(({ by, percent }) => Math.abs(percent) >= WORTH_PERCENT && Math.abs(by) >= WORTH_MINOR)
  // An increase precedes a decrease, because the customer may want to change it.
  const largestRise = changes.filter(({ by }) => by > 0).toSorted((a, b) => b.by - a.by)[0]
  if (largestRise)
    return {
      code: 'category_up',
      category: largestRise.category,
      percent: largestRise.percent,
      amountMinor: largestRise.by,
    }
  const largestFall = changes.toSorted((a, b) => a.by - b.by)[0]
  if (largestFall)
    return {
      code: 'category_down',
      category: largestFall.category,
      percent: -largestFall.percent,
      amountMinor: -largestFall.by,
    }
  return { code: 'largest', category: largest.category, percent: largest.percent }
}
