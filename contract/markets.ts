import { Refusal } from '#contract/errors.ts'
import { ASSETS, type Asset, MAX_AMOUNT_MINOR } from '#contract/money.ts'

/** What the bank sells that has a price. */
export const FUNDS = ['FUND_CONSERVATIVE', 'FUND_BALANCED', 'FUND_AGGRESSIVE'] as const satisfies readonly Asset[]
export type Fund = (typeof FUNDS)[number]

export const COINS = ['BTC', 'ETH', 'LTC'] as const satisfies readonly Asset[]
export type Coin = (typeof COINS)[number]

export type Priced = Fund | Coin
export const PRICED: readonly Priced[] = [...FUNDS, ...COINS]

/** A market's: trading goes on, or is paused because prices are old or cannot be believed. */
export const MARKET_STATUSES = ['open', 'stale', 'halted'] as const
export type MarketStatus = (typeof MARKET_STATUSES)[number]

/**
 * A price is a whole number of millionths of a US dollar for one whole coin or unit: `priceMicros`. What is bought and sold
 * is a whole number of the asset's minor units, and what is paid a whole number of cents, so each conversion rounds, and
 * always so that the remainder stays with the bank: nobody makes a cent by going back and forth.
 */
const PRICE_DECIMALS = 6

/** Cents times this, divided by the price, are minor units of the asset. */
const scaleOf = (asset: Priced): bigint => 10n ** BigInt(ASSETS[asset].decimals + PRICE_DECIMALS - ASSETS.USD.decimals)

/** What an amount of an asset sells for, US cents, rounded down. Throws Refusal `amount_too_large` past what money can be. */
export function proceedsOf(asset: Priced, amountMinor: number, priceMicros: number): number {
  return exact((BigInt(amountMinor) * BigInt(priceMicros)) / scaleOf(asset))
}

/** What an amount of an asset costs, US cents, rounded up. Throws Refusal `amount_too_large` past what money can be. */
export function costOf(asset: Priced, amountMinor: number, priceMicros: number): number {
  const scale = scaleOf(asset)
  return exact((BigInt(amountMinor) * BigInt(priceMicros) + scale - 1n) / scale)
}

/** What some cents buy, in minor units of the asset, rounded down. Throws Refusal `amount_too_large` past what it can be. */
export function unitsFor(asset: Priced, centsMinor: number, priceMicros: number): number {
  return exact((BigInt(centsMinor) * scaleOf(asset)) / BigInt(priceMicros))
}

function exact(value: bigint): number {
  if (value > BigInt(MAX_AMOUNT_MINOR)) throw new Refusal('amount_too_large')
  return Number(value)
}
