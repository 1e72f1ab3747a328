import type { Priced } from '#contract/markets.ts'

/**
 * Prices of a sample bank: a random walk that is the same for everybody and that nobody keeps. The walk is drawn by halves:
 * its value in the middle of a stretch of time is the mean of its ends and a deviation hashed from that moment. So the
 * price of any moment is found by itself, in as many steps as the range can be halved. Floats are used in here alone: what
 * comes out is a whole number of millionths of a dollar.
 */

type Terms = {
  seed: number
  /** The price on the sample day, US dollars. */
  dollars: number
  /** What a year adds, as the change of the logarithm. */
  drift: number
  /** How far it strays in a year, likewise. */
  risk: number
}

/** The seeds are chosen so that the sample day looks like one: funds have risen, and one of the coins has fallen. */
const TERMS: Record<Priced, Terms> = {
  FUND_CONSERVATIVE: { seed: 434, dollars: 12.38, drift: 0.058, risk: 0.035 },
  FUND_BALANCED: { seed: 1580, dollars: 18.64, drift: 0.095, risk: 0.085 },
  FUND_AGGRESSIVE: { seed: 3001, dollars: 27.12, drift: 0.16, risk: 0.16 },
  BTC: { seed: 1177, dollars: 84_250, drift: 0.1, risk: 0.45 },
  ETH: { seed: 6346, dollars: 3_180, drift: 0.1, risk: 0.55 },
  LTC: { seed: 8601, dollars: 96.4, drift: 0.06, risk: 0.6 },
}

/** How far apart the moments are at which there is a price, in milliseconds. */
export const TICK_MS = 5_000

const FIRST_TICK = Date.UTC(2024, 0, 1) / TICK_MS
/** A power of two, so that the range can be halved down to one tick: until 2045. */
const TICKS = 2 ** 27
const YEAR_TICKS = (365.25 * 86_400_000) / TICK_MS
/** Over more than half a year the walk strays no further, so that prices stay plausible for decades. */
const WIDEST_TICKS = YEAR_TICKS / 2

const ANCHOR_TICK = tickOf(new Date('2026-08-28T09:41:00Z'))

/** The moments for which there are prices. */
export const GENERATED = {
  from: new Date(FIRST_TICK * TICK_MS),
  until: new Date((FIRST_TICK + TICKS) * TICK_MS),
}

/** The price at a moment within GENERATED, or at the tick before it; millionths of a US dollar, at least 1. */
export function generatedPrice(asset: Priced, at: Date): number {
  const terms = TERMS[asset]
  const tick = tickOf(at)
  if (tick < 0 || tick > TICKS) throw new RangeError(`There are no generated prices at ${at.toISOString()}`)
  const years = (tick - ANCHOR_TICK) / YEAR_TICKS
  const strayed = walk(terms.seed, tick) - anchorOf(terms.seed)
  const dollars = terms.dollars * Math.exp(terms.drift * years + terms.risk * strayed)
  return Math.max(1, Math.round(dollars * 1e6))
}

/** Where each walk is on the sample day. */
const anchors = new Map<number, number>()

function anchorOf(seed: number): number {
  const known = anchors.get(seed) ?? walk(seed, ANCHOR_TICK)
  anchors.set(seed, known)
  return known
}

function tickOf(at: Date): number {
  return Math.floor(at.getTime() / TICK_MS) - FIRST_TICK
}

/** Where the walk is at a tick, in years' standard deviations. */
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

/** A number of the standard normal distribution that is always the same for a seed and tick (Box and Muller's method). */
function gaussian(seed: number, tick: number): number {
  const [first, second] = [hash(hash(seed) ^ tick), hash(hash(~seed) ^ tick)]
  return Math.sqrt(-2 * Math.log((first + 1) / 2 ** 32)) * Math.cos((2 * Math.PI * second) / 2 ** 32)
}

/** The finalizer of MurmurHash3: 32 bits that look random. */
function hash(value: number): number {
  let mixed = value | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
