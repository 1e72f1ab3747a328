import type { Holding, Quote } from '#contract/crypto.ts'
import { ASSETS } from '#contract/money.ts'
import { MICROS_PER_CENT } from '#web/crypto/shared/words.ts'

const BPS = 10_000

/** What the prices of 24 hours ago make of a difference to what is held now, US cents; 0 where the change is not known. */
function dayChangeMinor({ valueMinor, changeBps }: Pick<Holding, 'valueMinor' | 'changeBps'>): number {
  if (valueMinor === null || changeBps === null || changeBps <= -BPS) return 0
  return Number((BigInt(valueMinor) * BigInt(changeBps)) / BigInt(BPS + changeBps))
}

/** By how much all that is held now has changed with its prices in 24 hours: US cents, and hundredths of a per cent. */
export function dayChange(holdings: readonly Holding[], totalMinor: number): { amountMinor: number; bps: number } {
  const amountMinor = holdings.reduce((sum, holding) => sum + dayChangeMinor(holding), 0)
  const beforeMinor = totalMinor - amountMinor
  return { amountMinor, bps: beforeMinor > 0 ? Math.round((amountMinor / beforeMinor) * BPS) : 0 }
}

type Spread = Pick<Quote, 'asset' | 'amountMinor' | 'priceMicros' | 'marketMicros'>

/** What the spread of a quote comes to, US cents, rounded half up. */
export function spreadMinor({ asset, amountMinor, priceMicros, marketMicros }: Spread): number {
  const microsMinor = BigInt(amountMinor) * BigInt(Math.abs(priceMicros - marketMicros))
  const scale = 10n ** BigInt(ASSETS[asset].decimals) * MICROS_PER_CENT
  return Number((microsMinor + scale / 2n) / scale)
}

/** What limit orders leave to be sold. */
export const freeMinor = ({ amountMinor, heldMinor }: Holding): number => amountMinor - heldMinor
