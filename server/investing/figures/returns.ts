import { type Fund, FUNDS } from '#contract/markets.ts'
import { type FundTrade, positionsAt, type Positions } from '#server/investing/figures/trades.ts'
import { DAY_MS } from '#server/platform/days.ts'

/**
 * Returns are rates: they are told in hundredths of a per cent and decide nothing about money, so that floats are used for
 * them.
 */

const YEAR_MS = 365 * DAY_MS

/** The prices of all funds at a moment, millionths of a US dollar; null where there was none. */
export type FundPrices = Record<Fund, number | null>

export const inBps = (rate: number): number => Math.round(rate * 10_000)

/** What a growth over some time comes to in a year, where it is more than one; else itself. */
const yearly = (growth: number, ms: number): number => (ms > YEAR_MS ? growth ** (YEAR_MS / ms) : growth)

const worth = (positions: Positions, prices: FundPrices): number =>
  FUNDS.reduce((sum, fund) => sum + positions[fund].unitsMinor * (prices[fund] ?? 0), 0)

/** The moments at which something was traded, oldest first. */
export function tradeMoments(trades: readonly FundTrade[]): Date[] {
  return [...new Set(trades.map(({ at }) => at.getTime()))].toSorted((a, b) => a - b).map((ms) => new Date(ms))
}

/**
 * The time-weighted return: what each stretch between two trades changed, multiplied, so that it does not matter how much
 * was put in when. Fees are left out. `prices` are of each of tradeMoments(trades) and of now, in this order.
 */
export function timeWeighted(trades: readonly FundTrade[], prices: readonly FundPrices[], now: Date): number {
  const moments = tradeMoments(trades)
  const held = positionsAt(trades, moments)
  let growth = 1
  held.forEach((positions, place) => {
    const [from, to] = [prices[place], prices[place + 1]]
    const before = from ? worth(positions, from) : 0
    // While nothing is held, nothing grows.
    if (before > 0 && to) growth *= worth(positions, to) / before
  })
  const [first = now] = moments
  return yearly(growth, now.getTime() - first.getTime()) - 1
}

/** A growth of the whole time is looked for between these. */
const [LEAST_GROWTH, MOST_GROWTH] = [1e-9, 1e9]
/** Each halves the distance of the logarithms: more would find no other float. */
const HALVINGS = 100

/**
 * The money-weighted return (XIRR): the rate at which everything that was put in, fees included, would have come to what was
 * taken out and what there is now. Null where there is no such rate.
 */
export function moneyWeighted(trades: readonly FundTrade[], valueMinor: number, now: Date): number | null {
  const [first] = trades
  if (!first) return null
  const ms = now.getTime() - first.at.getTime()
  if (ms <= 0) return null
  const flows = trades.map(({ side, centsMinor, at }) => ({
    amount: side === 'buy' ? -centsMinor : centsMinor,
    // Which part of the whole time it had still to grow.
    left: (now.getTime() - at.getTime()) / ms,
  }))
  const surplus = (growth: number) => flows.reduce((sum, { amount, left }) => sum + amount * growth ** left, valueMinor)
  let [low, high] = [LEAST_GROWTH, MOST_GROWTH]
  const isLowAbove = surplus(low) > 0
  if (isLowAbove === surplus(high) > 0) return null
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = Math.sqrt(low * high)
    if (surplus(middle) > 0 === isLowAbove) low = middle
    else high = middle
  }
  return yearly(Math.sqrt(low * high), ms) - 1
}

/** Whether returns since then are told as a year's. */
export const isYearly = (since: Date, now: Date): boolean => now.getTime() - since.getTime() > YEAR_MS
