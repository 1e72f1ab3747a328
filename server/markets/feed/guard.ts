import { DAY_MS } from '#server/platform/durations.ts'
import { isCoin, type Priced } from '#contract/markets.ts'
import type { Price } from '#server/markets/feed/port.ts'

/** The largest accepted difference between the publisher's clock and the bank's, in milliseconds. */
const TOLERANCE_MS = 10_000
/** The age after which a coin's price is too old for trading, in milliseconds. Coins trade at all hours. */
const COIN_STALE_MS = 60_000
/**
 * The age after which a fund's price is too old for trading, in milliseconds. A price is set each business day, at most four
 * days after the previous one, and its publication takes some time.
 */
const FUND_STALE_MS = 5 * DAY_MS

/** Returns the age at which a price is too old for trading, in milliseconds. */
export const staleAfterMs = (asset: Priced): number => (isCoin(asset) ? COIN_STALE_MS : FUND_STALE_MS)

/**
 * The reason for halting a market. `future`: the price's time is more than `TOLERANCE_MS` in the future. `jump`: the price
 * differs too much from an earlier one.
 */
export type HaltReason = 'future' | 'jump'

/**
 * The judgment of a price:
 * - `accepted`: the price becomes the current price.
 * - `early`: the price is at most `TOLERANCE_MS` in the future. It stays hidden and is judged again later.
 * - `passed over`: the price is ignored, because it is not newer than the last one or is too old for trading.
 * - a `HaltReason`: the market is halted, because the publisher must have a fault.
 */
export type Judgment = 'accepted' | 'early' | 'passed over' | HaltReason

/**
 * The facts for a judgment. `last`: the last accepted price. `reference`: the oldest accepted price of the last 24 hours.
 * `haltedSince`: the time at which the market was halted, or null if it is not halted.
 */
export type JudgmentFacts = { last: Price | null; reference: Price | null; haltedSince: Date | null }

/** The part of a coin's largest change that does not depend on the time between the two prices, in percent. */
const COIN_BASE_CHANGE_PERCENT = 10
/**
 * The part of a coin's largest change for each day between the two prices, in percent. It is also the largest change within 24
 * hours.
 */
const COIN_DAY_CHANGE_PERCENT = 40
/** The largest ratio of a coin's higher price to its lower price, in percent: ten times. It holds for any time between them. */
const MAX_COIN_RATIO_PERCENT = 1_000
/** The largest change of a fund's price, in percent. It does not depend on the time between the two prices. */
const MAX_FUND_CHANGE_PERCENT = 25

/**
 * Judges a price. A coin's price is also compared with the oldest price of the last 24 hours, so that a false price cannot be
 * reached in small steps. The allowed change does not grow while the market is halted, so a false price does not become
 * acceptable by waiting.
 */
export function judgePrice(price: Price, { last, reference, haltedSince }: JudgmentFacts, now: Date): Judgment {
  const ageMs = now.getTime() - price.at.getTime()
  if (ageMs < -TOLERANCE_MS) return 'future'
  if (ageMs < 0) return 'early'
  if (ageMs > staleAfterMs(price.asset)) return 'passed over'
  if (!last) return 'accepted'
  if (price.at <= last.at) return 'passed over'
  const betweenMs = Math.max(0, (haltedSince ?? price.at).getTime() - last.at.getTime())
  if (isBeyond(last, price, stepBound(price.asset, betweenMs))) return 'jump'
  const isFarOff = reference && isCoin(price.asset) && isBeyond(reference, price, DAY_BOUND)
  return isFarOff ? 'jump' : 'accepted'
}

/** The largest ratio of two prices, as an exact fraction. */
type PriceBound = { numerator: bigint; denominator: bigint }

/** The bound between a coin's price and the oldest price of the last 24 hours. */
const DAY_BOUND: PriceBound = { numerator: BigInt(100 + COIN_DAY_CHANGE_PERCENT), denominator: 100n }

/** Returns the bound between a price and the last accepted one. `betweenMs`: the time between the two prices. */
function stepBound(asset: Priced, betweenMs: number): PriceBound {
  if (!isCoin(asset)) return { numerator: BigInt(100 + MAX_FUND_CHANGE_PERCENT), denominator: 100n }
  const dayMs = BigInt(DAY_MS)
  const numerator = BigInt(100 + COIN_BASE_CHANGE_PERCENT) * dayMs + BigInt(COIN_DAY_CHANGE_PERCENT) * BigInt(betweenMs)
  const maxNumerator = BigInt(MAX_COIN_RATIO_PERCENT) * dayMs
  return { numerator: numerator < maxNumerator ? numerator : maxNumerator, denominator: 100n * dayMs }
}

/** Returns whether the ratio of two prices is beyond a bound. */
function isBeyond(
  { priceMicros: oneMicros }: Price,
  { priceMicros: otherMicros }: Price,
  { numerator, denominator }: PriceBound,
): boolean {
  const [lower, higher] = oneMicros < otherMicros ? [oneMicros, otherMicros] : [otherMicros, oneMicros]
  return BigInt(higher) * denominator > BigInt(lower) * numerator
}
