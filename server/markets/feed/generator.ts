import type { Priced } from '#contract/markets.ts'

/**
 * Generates the prices of a sample bank. They follow a random walk that is the same on every server and is not stored. The walk
 * is computed by halving the whole range again and again. The value in the middle of a period is the mean of the values at its
 * ends, plus a deviation that is hashed from that moment. A price therefore needs only as many steps as the range can be
 * halved. The computation uses floats; its result is a whole number of millionths of a dollar.
 */

type Terms = {
  seed: number
  /** The price on the sample day, in US dollars. */
  dollars: number
  /** The growth in a year, as a change of the logarithm. */
  drift: number
  /** The standard deviation in a year, as a change of the logarithm. */
  risk: number
}

/** The seeds give a plausible sample day: funds have risen, and one of the coins has fallen. */
const TERMS: Record<Priced, Terms> = {
  FUND_CONSERVATIVE: { seed: 434, dollars: 12.38, drift: 0.058, risk: 0.035 },
  FUND_BALANCED: { seed: 1580, dollars: 18.64, drift: 0.095, risk: 0.085 },
  FUND_AGGRESSIVE: { seed: 3001, dollars: 27.12, drift: 0.16, risk: 0.16 },
  BTC: { seed: 1177, dollars: 84_250, drift: 0.1, risk: 0.45 },
  ETH: { seed: 6346, dollars: 3_180, drift: 0.1, risk: 0.55 },
  LTC: { seed: 8601, dollars: 96.4, drift: 0.06, risk: 0.6 },
}

/** The time between two prices, in milliseconds. */
export const TICK_MS = 5_000

const FIRST_TICK = Date.UTC(2024, 0, 1) / TICK_MS
/**
 * The length of the range, in ticks. It is a power of two, so that it can be halved down to one tick. The range ends in 2045.
 */
const TICKS = 2 ** 27
const YEAR_TICKS = (365.25 * 86_400_000) / TICK_MS
/**
 * The longest period, in ticks, whose deviation grows with its length. The limit of half a year keeps prices plausible for
 * decades.
 */
const WIDEST_TICKS = YEAR_TICKS / 2

const ANCHOR_TICK = tickOf(new Date('2026-08-28T09:41:00Z'))

/** The range of moments that have prices. */
export const GENERATED = {
  from: new Date(FIRST_TICK * TICK_MS),
  until: new Date((FIRST_TICK + TICKS) * TICK_MS),
}

/**
 * Returns the price of the tick at or before a moment within `GENERATED`. The unit is millionths of a US dollar, and the
 * smallest price is 1.
 */
export function generatedPrice(asset: Priced, moment: Date): number {
  const terms = TERMS[asset]
  const tick = tickOf(moment)
  if (tick < 0 || tick > TICKS) throw new RangeError(`There are no generated prices at ${moment.toISOString()}`)
  const years = (tick - ANCHOR_TICK) / YEAR_TICKS
  const strayed = walk(terms.seed, tick) - anchorOf(terms.seed)
  const dollars = terms.dollars * Math.exp(terms.drift * years + terms.risk * strayed)
  return Math.max(1, Math.round(dollars * 1e6))
}

/** The value of each walk on the sample day, by seed. */
const anchors = new Map<number, number>()

function anchorOf(seed: number): number {
  const anchor = anchors.get(seed) ?? walk(seed, ANCHOR_TICK)
  anchors.set(seed, anchor)
  return anchor
}

function tickOf(at: Date): number {
  return Math.floor(at.getTime() / TICK_MS) - FIRST_TICK
}

/** Returns the value of the walk at a tick, in standard deviations of a year. */
function walk(seed: number, tick: number): number {
  let [from, until, atFrom, atUntil] = [0, TICKS, 0, 0]
  while (tick > from && tick < until) {
    const middle = (from + until) / 2
    const deviation = Math.sqrt(Math.min(until - from, WIDEST_TICKS) / YEAR_TICKS) / 2
    const atMiddle = (atFrom + atUntil) / 2 + deviation * gaussian(seed, middle)
    if (tick >= middle) [from, atFrom] = [middle, atMiddle]
    if (tick <= middle) [until, atUntil] = [middle, atMiddle]
  }
  return tick === from ? atFrom : atUntil
}

/** Returns a number from the standard normal distribution, always the same for a seed and tick (Box–Muller method). */
function gaussian(seed: number, tick: number): number {
  const [first, second] = [hash(hash(seed) ^ tick), hash(hash(~seed) ^ tick)]
  return Math.sqrt(-2 * Math.log((first + 1) / 2 ** 32)) * Math.cos((2 * Math.PI * second) / 2 ** 32)
}

/** Returns 32 bits that look random. This is the finalizer of MurmurHash3. */
function hash(value: number): number {
  let mixed = value | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
