import { MIN_BUY_MINOR } from '#contract/crypto-terms.ts'
import type { Quote } from '#contract/crypto.ts'
import { Refusal } from '#contract/errors.ts'
import { type Coin, costOf, proceedsOf, unitsFor } from '#contract/markets.ts'
import { feeOf } from '#server/markets/fee.ts'
import type { Policy } from '#server/bank/policy.ts'

/**
 * A trade with its price. `amountMinor` is the number of coins in minor units. `dollarsMinor` is the total that the customer
 * pays or receives, in US cents: a purchase includes its fee, and a sale has its fee already subtracted.
 */
export type PricedTrade = Pick<Quote, 'side' | 'asset' | 'amountMinor' | 'dollarsMinor' | 'feeMinor' | 'priceMicros'>

type Terms = Policy['crypto']

const WHOLE_BPS = 10_000

/** The codes of the Refusals for a trade. */
export const TRADE_REFUSALS = [
  'verification_required',
  'asset_mismatch',
  'amount_too_small',
  'amount_too_large',
  'coins_short',
] as const

/**
 * Returns the price for a customer, in millionths of a US dollar: the market price plus the spread for a purchase, or minus the
 * spread for a sale. It is rounded in the bank's favor. Throws Refusal `amount_too_small` if the price would be zero.
 */
export function priceFor({ spreadBps }: Terms, side: PricedTrade['side'], marketMicros: number): number {
  const wholeBps = BigInt(WHOLE_BPS)
  const market = BigInt(marketMicros)
  const price =
    side === 'buy'
      ? (market * (wholeBps + BigInt(spreadBps)) + wholeBps - 1n) / wholeBps
      : (market * (wholeBps - BigInt(spreadBps))) / wholeBps
  if (price <= 0n) throw new Refusal('amount_too_small', 'amountMinor')
  return Number(price)
}

/**
 * Returns the purchase for an amount in US cents at a price that includes the spread. The fee is subtracted from the amount
 * first. The bank keeps the remainder that is too small to buy one more unit of the coin. Throws Refusal `amount_too_small` and
 * `amount_too_large`.
 */
export function buyFor(terms: Terms, asset: Coin, dollarsMinor: number, priceMicros: number): PricedTrade {
  const feeMinor = feeOf(terms, dollarsMinor)
  const forCoins = dollarsMinor - feeMinor
  if (dollarsMinor < MIN_BUY_MINOR || forCoins <= 0) throw tooSmall()
  const amountMinor = unitsFor(asset, forCoins, priceMicros)
  if (amountMinor === 0) throw tooSmall()
  return { side: 'buy', asset, amountMinor, dollarsMinor, feeMinor, priceMicros }
}

/**
 * Returns the purchase of an amount of coins: its cost, rounded up, and the fee. Throws Refusal `amount_too_small` and
 * `amount_too_large`.
 */
export function buyOf(terms: Terms, asset: Coin, amountMinor: number, priceMicros: number): PricedTrade {
  const costMinor = costOf(asset, amountMinor, priceMicros)
  const bpsAfterFee = BigInt(WHOLE_BPS - terms.feeBps)
  const withFee = Number((BigInt(costMinor) * BigInt(WHOLE_BPS) + bpsAfterFee - 1n) / bpsAfterFee)
  const dollarsMinor = Math.max(withFee, costMinor + terms.feeLeastMinor)
  if (!Number.isSafeInteger(dollarsMinor)) throw new Refusal('amount_too_large', 'amountMinor')
  if (dollarsMinor < MIN_BUY_MINOR) throw tooSmall()
  return { side: 'buy', asset, amountMinor, dollarsMinor, feeMinor: dollarsMinor - costMinor, priceMicros }
}

/**
 * Returns the sale of an amount of coins: its proceeds, rounded down, less the fee. Throws Refusal `amount_too_small` and
 * `amount_too_large`.
 */
export function sellOf(terms: Terms, asset: Coin, amountMinor: number, priceMicros: number): PricedTrade {
  const broughtMinor = proceedsOf(asset, amountMinor, priceMicros)
  const feeMinor = feeOf(terms, broughtMinor)
  const dollarsMinor = broughtMinor - feeMinor
  if (dollarsMinor <= 0) throw tooSmall()
  return { side: 'sell', asset, amountMinor, dollarsMinor, feeMinor, priceMicros }
}

/**
 * Returns the sale of the fewest coins whose proceeds, before the fee, reach an amount in US cents. Throws Refusal
 * `amount_too_small` and `amount_too_large`.
 */
export function sellFor(terms: Terms, asset: Coin, broughtMinor: number, priceMicros: number): PricedTrade {
  const leastUnits = unitsFor(asset, broughtMinor, priceMicros)
  const enough = proceedsOf(asset, leastUnits, priceMicros) >= broughtMinor
  return sellOf(terms, asset, enough ? leastUnits : leastUnits + 1, priceMicros)
}

/** Throws Refusal `amount_too_large` for a trade above the dollar limit of one operation. */
export function checkCeiling({ policy }: { policy: Policy }, { dollarsMinor }: PricedTrade): void {
  if (dollarsMinor > policy.limits.out.operationMinor) throw new Refusal('amount_too_large', 'amountMinor')
}

const tooSmall = () => new Refusal('amount_too_small', 'amountMinor')
