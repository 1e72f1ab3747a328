import type { Holding, Quote } from '#contract/crypto.ts'
import { ASSETS } from '#contract/money.ts'
import { MICROS_PER_CENT } from '#web/crypto/shared/words.ts'

const BPS = 10_000

/** Returns how much today's holding has changed in value over 24 hours, in US cents. Returns 0 if the change is unknown. */
function dayChangeMinor({ valueMinor, changeBps }: Pick<Holding, 'valueMinor' | 'changeBps'>): number {
  if (valueMinor === null || changeBps === null || changeBps <= -BPS) return 0
  return Number((BigInt(valueMinor) * BigInt(changeBps)) / BigInt(BPS + changeBps))
}

/** Returns the change in value of all current holdings over 24 hours, in US cents and hundredths of a percent. */
export function dayChange(holdings: readonly Holding[], totalMinor: number): { amountMinor: number; bps: number } {
  const amountMinor = holdings.reduce((sum, holding) => sum + dayChangeMinor(holding), 0)
  const beforeMinor = totalMinor - amountMinor
  return { amountMinor, bps: beforeMinor > 0 ? Math.round((amountMinor / beforeMinor) * BPS) : 0 }
}

type Spread = Pick<Quote, 'asset' | 'amountMinor' | 'priceMicros' | 'marketMicros'>

/** Returns the cost of a quote's spread in US cents, rounded half up. */
export function spreadMinor({ asset, amountMinor, priceMicros, marketMicros }: Spread): number {
  const microsMinor = BigInt(amountMinor) * BigInt(Math.abs(priceMicros - marketMicros))
  const scale = 10n ** BigInt(ASSETS[asset].decimals) * MICROS_PER_CENT
  return Number((microsMinor + scale / 2n) / scale)
}

/** Returns the amount that limit orders have not reserved and that can be sold. */
export const freeMinor = ({ amountMinor, heldMinor }: Holding): number => amountMinor - heldMinor
