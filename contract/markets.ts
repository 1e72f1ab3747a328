import { Refusal } from '#contract/errors.ts'
import type { Label } from '#contract/wording.ts'
import { ASSETS, type Asset, MAX_AMOUNT_MINOR } from '#contract/money.ts'

/** What the bank sells that has a price. */
export const FUNDS = ['FUND_CONSERVATIVE', 'FUND_BALANCED', 'FUND_AGGRESSIVE'] as const satisfies readonly Asset[]
export type Fund = (typeof FUNDS)[number]

/** What each is called, on screens and in the ledger's lines. */
export const FUND_LABELS = {
  FUND_CONSERVATIVE: 'fund.conservative',
  FUND_BALANCED: 'fund.balanced',
  FUND_AGGRESSIVE: 'fund.aggressive',
} as const satisfies Record<Fund, Label>

export const COINS = ['BTC', 'ETH', 'LTC'] as const satisfies readonly Asset[]
export type Coin = (typeof COINS)[number]

export type Priced = Fund | Coin
export const PRICED = [...FUNDS, ...COINS] as const

export const isPriced = (asset: string): asset is Priced => (PRICED as readonly string[]).includes(asset)

/** Whether it trades at any hour; a fund has one price each business day. */
export const isCoin = (asset: Priced): asset is Coin => (COINS as readonly Priced[]).includes(asset)

/** A market's: trading goes on, or is paused because prices are old or cannot be believed. */
export const MARKET_STATUSES = ['open', 'stale', 'halted'] as const
export type MarketStatus = (typeof MARKET_STATUSES)[number]

/** How far back a chart of prices looks. */
export const PRICE_RANGES = ['day', 'week', 'month', 'year', 'all'] as const
export type PriceRange = (typeof PRICE_RANGES)[number]

/** How much higher a price is than an earlier one, in hundredths of a per cent, rounded towards zero. */
export function changeBpsOf(beforeMicros: number, nowMicros: number): number {
  return Number((BigInt(nowMicros - beforeMicros) * 10_000n) / BigInt(beforeMicros))
}

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
