import { toBankZone } from '#server/platform/time-zone.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import type { InvestmentValue } from '#contract/investing.ts'
import type { ValueRange } from '#contract/investment-terms.ts'
import { fundPricesAt, valueOf } from '#server/investing/figures/portfolio.ts'
import { positionsAt, sumOver, tradesOf } from '#server/investing/figures/trades.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The largest number of steps in a chart. Each step leads from one point to the next. */
const MAX_STEPS = 90

const MONTHS: Record<Exclude<ValueRange, 'all'>, number> = { month: 1, quarter: 3, year: 12 }

/** Returns the value of a customer's investments over time. It begins with the first trade if the range begins earlier. */
export async function valueOver(
  deps: Pick<Deps, 'db' | 'clock' | 'prices'>,
  customerId: string,
  range: ValueRange,
): Promise<InvestmentValue> {
  const trades = await tradesOf(deps, customerId)
  const [first] = trades
  if (!first) return { range, asset: 'USD', points: [] }
  const moments = momentsOf(range, first.at, deps.clock.businessNow())
  const [positions, prices] = [positionsAt(trades, moments), await fundPricesAt(deps, moments)]
  const points = moments.flatMap((moment, place) => {
    const [heldPositions, price] = [positions[place], prices[place]]
    if (!heldPositions || !price) return []
    return {
      at: moment.toISOString(),
      valueMinor: sumOver((fund) => valueOf(fund, heldPositions[fund], price)),
      investedMinor: sumOver((fund) => heldPositions[fund].costMinor),
    }
  })
  return { range, asset: 'USD', points }
}

/**
 * Returns the moments of the chart's points, oldest first: the beginning of the range, and then moments that are a fixed number
 * of whole days apart and end now.
 */
function momentsOf(range: ValueRange, firstAt: Date, now: Date): Date[] {
  const moment = toBankZone(now)
  const begin = range === 'all' ? firstAt.getTime() : moment.subtract({ months: MONTHS[range] }).epochMilliseconds
  const from = Math.max(begin, firstAt.getTime())
  const stepMs = Math.max(1, Math.ceil((now.getTime() - from) / DAY_MS / MAX_STEPS)) * DAY_MS
  const moments: number[] = []
  for (let pointMs = now.getTime(); pointMs > from; pointMs -= stepMs) moments.push(pointMs)
  return [...moments, from].toReversed().map((ms) => new Date(ms))
}
