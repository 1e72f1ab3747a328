import { BUY_LEAST_MINOR } from '#contract/crypto-terms.ts'
import type { Quote } from '#contract/crypto.ts'
import { Refusal } from '#contract/errors.ts'
import { type Coin, costOf, proceedsOf, unitsFor } from '#contract/markets.ts'
import { feeOf } from '#server/markets/fee.ts'
import type { Policy } from '#server/bank/policy.ts'

/** What is exchanged for what. `dollarsMinor` is what the customer pays in all, or is paid in the end; the fee is part of it or was taken from it. */
export type Exchange = Pick<Quote, 'side' | 'asset' | 'amountMinor' | 'dollarsMinor' | 'feeMinor' | 'priceMicros'>

type Terms = Policy['crypto']

const WHOLE_BPS = 10_000

/** What is wrong with what somebody wants to trade. */
export const TRADE_REFUSALS = [
  'verification_required',
  'asset_mismatch',
  'amount_too_small',
  'amount_too_large',
  'coins_short',
] as const

/** The price that a customer gets: the market's with the spread, rounded to the bank's side. Throws Refusal `amount_too_small` where nothing is left of it. */
export function priceFor({ spreadBps }: Terms, side: Exchange['side'], marketMicros: number): number {
  const whole = BigInt(WHOLE_BPS)
  const market = BigInt(marketMicros)
  const price =
    side === 'buy'
      ? (market * (whole + BigInt(spreadBps)) + whole - 1n) / whole
      : (market * (whole - BigInt(spreadBps))) / whole
  if (price <= 0n) throw new Refusal('amount_too_small', 'amountMinor')
  return Number(price)
}

/**
 * What so many US cents buy at a price with its spread, the fee taken out of them first; what is too little for one more unit
 * of the coin stays with the bank. Throws Refusal `amount_too_small` and `amount_too_large`.
 */
export function buyFor(terms: Terms, asset: Coin, dollarsMinor: number, priceMicros: number): Exchange {
  const feeMinor = feeOf(terms, dollarsMinor)
  const forCoins = dollarsMinor - feeMinor
  if (dollarsMinor < BUY_LEAST_MINOR || forCoins <= 0) throw tooSmall()
  const amountMinor = unitsFor(asset, forCoins, priceMicros)
  if (amountMinor === 0) throw tooSmall()
  return { side: 'buy', asset, amountMinor, dollarsMinor, feeMinor, priceMicros }
}

/** What so many coins cost, rounded up, and the fee with it. Throws Refusal `amount_too_small` and `amount_too_large`. */
export function buyOf(terms: Terms, asset: Coin, amountMinor: number, priceMicros: number): Exchange {
  const costMinor = costOf(asset, amountMinor, priceMicros)
  const left = BigInt(WHOLE_BPS - terms.feeBps)
  const withFee = Number((BigInt(costMinor) * BigInt(WHOLE_BPS) + left - 1n) / left)
  const dollarsMinor = Math.max(withFee, costMinor + terms.feeLeastMinor)
  if (!Number.isSafeInteger(dollarsMinor)) throw new Refusal('amount_too_large', 'amountMinor')
  if (dollarsMinor < BUY_LEAST_MINOR) throw tooSmall()
  return { side: 'buy', asset, amountMinor, dollarsMinor, feeMinor: dollarsMinor - costMinor, priceMicros }
}

/** What so many coins bring, rounded down, less the fee. Throws Refusal `amount_too_small` and `amount_too_large`. */
export function sellOf(terms: Terms, asset: Coin, amountMinor: number, priceMicros: number): Exchange {
  const broughtMinor = proceedsOf(asset, amountMinor, priceMicros)
  const feeMinor = feeOf(terms, broughtMinor)
  const dollarsMinor = broughtMinor - feeMinor
  if (dollarsMinor <= 0) throw tooSmall()
  return { side: 'sell', asset, amountMinor, dollarsMinor, feeMinor, priceMicros }
}

/** The fewest coins that bring so many US cents, before the fee. Throws Refusal `amount_too_small` and `amount_too_large`. */
export function sellFor(terms: Terms, asset: Coin, broughtMinor: number, priceMicros: number): Exchange {
  const least = unitsFor(asset, broughtMinor, priceMicros)
  const enough = proceedsOf(asset, least, priceMicros) >= broughtMinor
  return sellOf(terms, asset, enough ? least : least + 1, priceMicros)
}

/** Throws Refusal `amount_too_large` for a trade of more dollars than may be moved at once. */
export function checkCeiling({ policy }: { policy: Policy }, { dollarsMinor }: Exchange): void {
  if (dollarsMinor > policy.limits.out.operationMinor) throw new Refusal('amount_too_large', 'amountMinor')
}

const tooSmall = () => new Refusal('amount_too_small', 'amountMinor')
