import { DAY_MS } from '#server/platform/durations.ts'
import { isCoin, type Priced } from '#contract/markets.ts'
import type { Price } from '#server/markets/feed/port.ts'

/** Clocks may differ by this much, in milliseconds. */
const TOLERANCE_MS = 10_000
/** Coins trade at all hours. */
const COIN_STALE_MS = 60_000
/** A fund's price is struck each business day, at most four days after the one before, and takes a while to be published. */
const FUND_STALE_MS = 5 * DAY_MS

/** How old a price may be to trade at it, in milliseconds. */
export const staleAfterMs = (asset: Priced): number => (isCoin(asset) ? COIN_STALE_MS : FUND_STALE_MS)

/** Why a market is halted: a price of the future, or one too far from the last. */
export type HaltReason = 'future' | 'jump'

/**
 * `believed`; or `early`, to be judged again once its time has come: until then nobody is to trade on it, or to see it; or
 * `passed over`, for it is not news: as old as what is known, or too old to trade at; or a reason to halt the market, because whoever publishes such a price has a fault that nobody should trade on.
 */
export type Judgement = 'believed' | 'early' | 'passed over' | HaltReason

/**
 * What the bank knows of an asset: the price it believed last, the oldest of the 24 hours before now, and since when its market
 * is halted.
 */
export type Background = { last: Price | null; reference: Price | null; haltedSince: Date | null }

/**
 * How far a coin's price may be from the last one, in per cent: so much, and so much more for each day between them, but never
 * more than ten times.
 */
const COIN_STEP_PERCENT = 10
const COIN_DAY_PERCENT = 40
const COIN_MOST_PERCENT = 1_000
/** How far a fund's price may be from the last one, however old that is. */
const FUND_STEP_PERCENT = 25

/**
 * What to make of a price. A coin's is also held against the oldest of the last 24 hours, so that a lie cannot come in small
 * steps. What is allowed does not grow while the market is halted: a lie that goes on is never believed by waiting.
 */
export function judge(price: Price, { last, reference, haltedSince }: Background, now: Date): Judgement {
  const ageMs = now.getTime() - price.at.getTime()
  if (ageMs < -TOLERANCE_MS) return 'future'
  if (ageMs < 0) return 'early'
  if (ageMs > staleAfterMs(price.asset)) return 'passed over'
  if (!last) return 'believed'
  if (price.at <= last.at) return 'passed over'
  const betweenMs = Math.max(0, (haltedSince ?? price.at).getTime() - last.at.getTime())
  if (isBeyond(last, price, stepBound(price.asset, betweenMs))) return 'jump'
  const isFarOff = reference && isCoin(price.asset) && isBeyond(reference, price, DAY_BOUND)
  return isFarOff ? 'jump' : 'believed'
}

/** How many times one price may be the other: `times / of`, as a fraction that is exact. */
type Bound = { times: bigint; of: bigint }

const WHOLE = 100n * BigInt(DAY_MS)
const DAY_BOUND: Bound = { times: BigInt(100 + COIN_DAY_PERCENT), of: 100n }

function stepBound(asset: Priced, betweenMs: number): Bound {
  if (!isCoin(asset)) return { times: BigInt(100 + FUND_STEP_PERCENT), of: 100n }
  const times = BigInt(100 + COIN_STEP_PERCENT) * BigInt(DAY_MS) + BigInt(COIN_DAY_PERCENT) * BigInt(betweenMs)
  const most = BigInt(COIN_MOST_PERCENT) * BigInt(DAY_MS)
  return { times: times < most ? times : most, of: WHOLE }
}

/** Whether one price is more than so many times the other. */
function isBeyond({ priceMicros: one }: Price, { priceMicros: other }: Price, { times, of }: Bound): boolean {
  const [lower, higher] = one < other ? [one, other] : [other, one]
  return BigInt(higher) * of > BigInt(lower) * times
}
