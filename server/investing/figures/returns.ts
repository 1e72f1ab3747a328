import { DAY_MS } from '#server/platform/durations.ts'
import { type Fund, FUNDS } from '#contract/markets.ts'
import { type FundTrade, positionsAt, type Positions } from '#server/investing/figures/trades.ts'

/** Returns are rates, shown in hundredths of a percent. No amount of money depends on them, so they use floats. */

const YEAR_MS = 365 * DAY_MS

/** The prices of all funds at a moment, in millionths of a US dollar. A fund without a price at that moment has null. */
export type FundPrices = Record<Fund, number | null>

export const inBps = (rate: number): number => Math.round(rate * 10_000)

/** Converts the growth over a time of more than a year to a yearly growth. Returns the growth over a shorter time unchanged. */
const yearly = (growth: number, ms: number): number => (ms > YEAR_MS ? growth ** (YEAR_MS / ms) : growth)

const worth = (positions: Positions, prices: FundPrices): number =>
  FUNDS.reduce((sum, fund) => sum + positions[fund].unitsMinor * (prices[fund] ?? 0), 0)

/** Returns the moments of trades, oldest first. */
export function tradeMoments(trades: readonly FundTrade[]): Date[] {
  return [...new Set(trades.map(({ at }) => at.getTime()))].toSorted((a, b) => a - b).map((ms) => new Date(ms))
}

/**
 * Returns the time-weighted return: the product of the growth between consecutive trades. The amounts and times of purchases do
 * not affect it, and fees are not included. `prices`: the prices at each moment of `tradeMoments(trades)`, then the prices now.
 */
export function timeWeightedReturn(trades: readonly FundTrade[], prices: readonly FundPrices[], now: Date): number {
  const moments = tradeMoments(trades)
  const positionsByMoment = positionsAt(trades, moments)
  let growth = 1
  positionsByMoment.forEach((positions, place) => {
    const [startPrices, endPrices] = [prices[place], prices[place + 1]]
    const before = startPrices ? worth(positions, startPrices) : 0
    // A period without units has no growth.
    if (before > 0 && endPrices) growth *= worth(positions, endPrices) / before
  })
  return yearly(growth, heldFor(trades, now)) - 1
}

/** Returns the total time during which the customer held units, in milliseconds. Returns are computed over this time only. */
function heldFor(trades: readonly FundTrade[], now: Date): number {
  let [ms, units] = [0, 0]
  trades.forEach(({ side, unitsMinor, at }, place) => {
    units += side === 'buy' ? unitsMinor : -unitsMinor
    if (units > 0) ms += (trades[place + 1]?.at ?? now).getTime() - at.getTime()
  })
  return ms
}

/** The limits of the search for the growth over the time from the first trade to now. */
const [MIN_GROWTH, MAX_GROWTH] = [1e-9, 1e9]
/**
 * The number of steps of the search. Each step halves the difference between the logarithms of the two limits. After 45 steps
 * the result is far more precise than a hundredth of a percent.
 */
const HALVINGS = 45

/**
 * Returns the money-weighted return (XIRR). It is the interest rate at which all money paid in, fees included, would have grown
 * to the money taken out plus the current value. Returns null if there is no such rate.
 */
export function moneyWeightedReturn(trades: readonly FundTrade[], valueMinor: number, now: Date): number | null {
  const [first] = trades
  if (!first) return null
  const ms = now.getTime() - first.at.getTime()
  if (ms <= 0) return null
  const flows = [...flowsByMoment(trades)].map(([moment, amount]) => ({
    amount,
    // The time from this moment until now, as a share of the whole time.
    left: (now.getTime() - moment) / ms,
  }))
  const surplus = (growth: number) => {
    const log = Math.log(growth)
    return flows.reduce((sum, { amount, left }) => sum + amount * Math.exp(log * left), valueMinor)
  }
  let [low, high] = [MIN_GROWTH, MAX_GROWTH]
  const isLowAbove = surplus(low) > 0
  if (isLowAbove === surplus(high) > 0) return null
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = Math.sqrt(low * high)
    if (surplus(middle) > 0 === isLowAbove) low = middle
    else high = middle
  }
  // The search treats the rate as constant over the whole time. The returned rate refers only to the time with units.
  const heldMs = heldFor(trades, now)
  return yearly(Math.sqrt(low * high) ** (heldMs / ms), heldMs) - 1
}

/**
 * Returns the money that a customer took out (positive) or paid in (negative) at each moment, fees included, in US cents. All
 * orders of one day have the same moment. They are added up first, so that the search computes one power for each moment.
 */
function flowsByMoment(trades: readonly FundTrade[]): Map<number, number> {
  const flows = new Map<number, number>()
  for (const { side, centsMinor, at } of trades) {
    const amount = side === 'buy' ? -centsMinor : centsMinor
    flows.set(at.getTime(), (flows.get(at.getTime()) ?? 0) + amount)
  }
  return flows
}

/** Returns whether the returns are yearly rates. They are if the customer held units for more than a year in total. */
export const isYearly = (trades: readonly FundTrade[], now: Date): boolean => heldFor(trades, now) > YEAR_MS
