import { DAY_MS } from '#server/platform/durations.ts'
import { type Fund, FUNDS } from '#contract/markets.ts'
import { type FundTrade, positionsAt, type Positions } from '#server/investing/figures/trades.ts'

/**
 * Returns are rates: they are told in hundredths of a per cent and decide nothing about money, so that floats are used for
 * them.
 */

const YEAR_MS = 365 * DAY_MS

/** The prices of all funds at a moment, millionths of a US dollar; null where there was none. */
export type FundPrices = Record<Fund, number | null>

export const inBps = (rate: number): number => Math.round(rate * 10_000)

/** What a growth over some time comes to in a year, where that is more than one; else itself. */
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
  return yearly(growth, heldFor(trades, now)) - 1
}

/** For how long something was held, in milliseconds: a year without any is no year of a return. */
function heldFor(trades: readonly FundTrade[], now: Date): number {
  let [ms, units] = [0, 0]
  trades.forEach(({ side, unitsMinor, at }, place) => {
    units += side === 'buy' ? unitsMinor : -unitsMinor
    if (units > 0) ms += (trades[place + 1]?.at ?? now).getTime() - at.getTime()
  })
  return ms
}

/** A growth of the whole time is looked for between these. */
const [LEAST_GROWTH, MOST_GROWTH] = [1e-9, 1e9]
/** Each halves the distance of the logarithms: so many find a growth to far less than a hundredth of a per cent. */
const HALVINGS = 45

/**
 * The money-weighted return (XIRR): the rate at which everything that was put in, fees included, would have come to what was
 * taken out and what there is now. Null where there is no such rate.
 */
export function moneyWeighted(trades: readonly FundTrade[], valueMinor: number, now: Date): number | null {
  const [first] = trades
  if (!first) return null
  const ms = now.getTime() - first.at.getTime()
  if (ms <= 0) return null
  const flows = [...flowsByMoment(trades)].map(([at, amount]) => ({
    amount,
    // Which part of the whole time it had still to grow.
    left: (now.getTime() - at) / ms,
  }))
  const surplus = (growth: number) => {
    const log = Math.log(growth)
    return flows.reduce((sum, { amount, left }) => sum + amount * Math.exp(log * left), valueMinor)
  }
  let [low, high] = [LEAST_GROWTH, MOST_GROWTH]
  const isLowAbove = surplus(low) > 0
  if (isLowAbove === surplus(high) > 0) return null
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = Math.sqrt(low * high)
    if (surplus(middle) > 0 === isLowAbove) low = middle
    else high = middle
  }
  // The rate is the same all the time; it is told of as much of it as something was held.
  const heldMs = heldFor(trades, now)
  return yearly(Math.sqrt(low * high) ** (heldMs / ms), heldMs) - 1
}

/** What customers took out (above zero) or put in, fees included, at each moment: a day's orders have one price, and one power to work out. */
function flowsByMoment(trades: readonly FundTrade[]): Map<number, number> {
  const flows = new Map<number, number>()
  for (const { side, centsMinor, at } of trades) {
    const amount = side === 'buy' ? -centsMinor : centsMinor
    flows.set(at.getTime(), (flows.get(at.getTime()) ?? 0) + amount)
  }
  return flows
}

/** Whether returns are told as a year's: where something was held for more than one. */
export const isYearly = (trades: readonly FundTrade[], now: Date): boolean => heldFor(trades, now) > YEAR_MS
