import { isCoin, type Priced } from '#contract/markets.ts'
import { DAY_MS } from '#server/platform/days.ts'
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
 * `believed`; or `passed over`, for it is not news: as old as what is known, or too old to trade at; or a reason to halt
 * the market, because whoever publishes such a price has a fault that nobody should trade on.
 */
export type Judgement = 'believed' | 'passed over' | HaltReason

/** What to make of a price, given the last one believed. */
export function judge(price: Price, last: Price | null, now: Date): Judgement {
  const ageMs = now.getTime() - price.at.getTime()
  if (ageMs < -TOLERANCE_MS) return 'future'
  if (ageMs > staleAfterMs(price.asset)) return 'passed over'
  if (!last) return 'believed'
  const laterMs = price.at.getTime() - last.at.getTime()
  if (laterMs <= 0) return 'passed over'
  return isJump(last.priceMicros, price.priceMicros, laterMs) ? 'jump' : 'believed'
}

/** Whether one price is more than 2 × (1 + days between them) times the other. */
function isJump(beforeMicros: number, afterMicros: number, betweenMs: number): boolean {
  const [lower, higher] = beforeMicros < afterMicros ? [beforeMicros, afterMicros] : [afterMicros, beforeMicros]
  return BigInt(higher) * BigInt(DAY_MS) > BigInt(lower) * 2n * BigInt(DAY_MS + betweenMs)
}
