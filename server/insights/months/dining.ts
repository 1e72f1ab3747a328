import { monthPeriod, type Period, sameDaysLastMonth } from '#server/calendar/months.ts'
import { isDiningOut, MERCHANT_KIND } from '#contract/categories.ts'
import { readCategoryLines } from '#server/insights/months/payments.ts'
import type { Deps } from '#server/platform/deps.ts'

/** A customer's spending on dining out, in US cents after refunds. */
export type Dining = {
  nowMinor: number
  /** The spending on the same days of last month. */
  beforeMinor: number
}

/**
 * Returns a customer's spending on dining out in this month, and on the same days of last month. The kind of the merchant
 * decides whether a card payment counts.
 */
export async function diningOut(deps: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<Dining> {
  const now = deps.clock.businessNow()
  const thisMonth = monthPeriod(now)
  const before = sameDaysLastMonth(now)
  const lines = await readCategoryLines(deps, customerId, 'food', { from: before.from, to: thisMonth.to })
  const dining = lines.filter(({ method }) => isDiningOut(method?.params[MERCHANT_KIND]))
  const spentIn = ({ from, to }: Period) =>
    dining
      .filter(({ bookedAt }) => bookedAt >= from && bookedAt < to)
      .reduce((sum, { amountMinor }) => sum - amountMinor, 0)
  return { nowMinor: spentIn(thisMonth), beforeMinor: spentIn(before) }
}
