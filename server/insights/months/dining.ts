import { monthPeriod, type Period, sameDaysLastMonth } from '#server/calendar/months.ts'
import { isDiningOut, MERCHANT_KIND } from '#contract/categories.ts'
import { linesCounted } from '#server/insights/months/payments.ts'
import type { Deps } from '#server/platform/deps.ts'

/** What a customer spent on dining out, US cents, refunds taken off. */
export type Dining = {
  nowMinor: number
  /** On those days of last month that this month has had so far. */
  beforeMinor: number
}

/** This month's dining out against the same days of last month, as far as the merchants of card payments tell. */
export async function diningOut(deps: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<Dining> {
  const now = deps.clock.businessNow()
  const thisMonth = monthPeriod(now)
  const before = sameDaysLastMonth(now)
  const lines = await linesCounted(deps, customerId, 'food', { from: before.from, to: thisMonth.to })
  const dining = lines.filter(({ method }) => isDiningOut(method?.params[MERCHANT_KIND]))
  const spentIn = ({ from, to }: Period) =>
    dining
      .filter(({ bookedAt }) => bookedAt >= from && bookedAt < to)
      .reduce((sum, { amountMinor }) => sum - amountMinor, 0)
  return { nowMinor: spentIn(thisMonth), beforeMinor: spentIn(before) }
}
