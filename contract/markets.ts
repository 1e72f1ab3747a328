import { Refusal } from '#contract/errors.ts'
import type { Label } from '#contract/line-texts.ts'
import { ASSETS, type Asset, MAX_AMOUNT_MINOR } from '#contract/money.ts'

/** The funds that the bank offers. */
export const FUNDS = ['FUND_CONSERVATIVE', 'FUND_BALANCED', 'FUND_AGGRESSIVE'] as const satisfies readonly Asset[]
export type Fund = (typeof FUNDS)[number]

/** The label codes of the funds, on screens and on ledger lines. */
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

/** Returns whether the asset is a coin. Coins are traded at any hour. A fund has one price for each business day. */
export const isCoin = (asset: Priced): asset is Coin => (COINS as readonly Priced[]).includes(asset)

/**
 * The statuses of a market. `open`: trading is possible. `stale`: trading is paused because the prices are too old. `halted`:
 * trading is paused because a price was implausible.
 */
export const MARKET_STATUSES = ['open', 'stale', 'halted'] as const
export type MarketStatus = (typeof MARKET_STATUSES)[number]

/** The ranges of a price chart. */
export const PRICE_RANGES = ['day', 'week', 'month', 'year', 'all'] as const
export type PriceRange = (typeof PRICE_RANGES)[number]

/** Returns the change of a price relative to the earlier price, in hundredths of a percent, rounded toward zero. */
export function changeBpsOf(beforeMicros: number, nowMicros: number): number {
  return Number((BigInt(nowMicros - beforeMicros) * 10_000n) / BigInt(beforeMicros))
}

/**
 * A price, `priceMicros`, is a whole number of millionths of a US dollar for one whole coin or unit. Assets are traded in whole
 * minor units and paid in whole cents, so each conversion must round. The rounding is always in the bank's favor, so that no
 * customer gains a cent by repeated trades.
 */
const PRICE_DECIMALS = 6

/** Returns the factor that converts an amount of cents into minor units of the asset: `cents * factor / priceMicros`. */
const scaleOf = (asset: Priced): bigint => 10n ** BigInt(ASSETS[asset].decimals + PRICE_DECIMALS - ASSETS.USD.decimals)

/** Returns the proceeds of a sale in US cents, rounded down. Throws Refusal `amount_too_large` above `MAX_AMOUNT_MINOR`. */
export function proceedsOf(asset: Priced, amountMinor: number, priceMicros: number): number {
  return toCheckedNumber((BigInt(amountMinor) * BigInt(priceMicros)) / scaleOf(asset))
}

/** Returns the cost of a purchase in US cents, rounded up. Throws Refusal `amount_too_large` above `MAX_AMOUNT_MINOR`. */
export function costOf(asset: Priced, amountMinor: number, priceMicros: number): number {
  const scale = scaleOf(asset)
  return toCheckedNumber((BigInt(amountMinor) * BigInt(priceMicros) + scale - 1n) / scale)
}

/**
 * Returns the number of minor units that an amount of US cents buys, rounded down. Throws Refusal `amount_too_large` above
 * `MAX_AMOUNT_MINOR`.
 */
export function unitsFor(asset: Priced, centsMinor: number, priceMicros: number): number {
  return toCheckedNumber((BigInt(centsMinor) * scaleOf(asset)) / BigInt(priceMicros))
}

function toCheckedNumber(value: bigint): number {
  if (value > BigInt(MAX_AMOUNT_MINOR)) throw new Refusal('amount_too_large')
  return Number(value)
}
