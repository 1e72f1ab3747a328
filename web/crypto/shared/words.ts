import type { Coin } from '#contract/markets.ts'
import { leftToRight, money, moneyParts } from '#web/i18n/formats.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

/** The smallest number of decimals of a coin amount. Further decimals appear only if they are not zero. */
const MIN_DECIMALS = 4

export const MICROS_PER_CENT = 10_000n

/** Returns the price of one coin in US cents, rounded half up. */
export function microsToCents(priceMicros: number): number {
  return Number((BigInt(priceMicros) + MICROS_PER_CENT / 2n) / MICROS_PER_CENT)
}

/** Returns the price of one coin in millionths of a dollar. */
export const centsToMicros = (cents: number): number => Number(BigInt(cents) * MICROS_PER_CENT)

/** The highest price in US cents that is still exact in millionths of a dollar. */
export const MAX_PRICE_CENTS = Number(BigInt(Number.MAX_SAFE_INTEGER) / MICROS_PER_CENT)

/** Returns the price of one coin as text: '$65,432.10'. */
export const coinPriceText = (priceMicros: number): string => money(microsToCents(priceMicros), 'USD')

/**
 * Returns an amount as text, such as '0.0450 BTC'. It is exact to the smallest unit and reads from left to right in every
 * language.
 */
export function coinText(amountMinor: number, coin: Coin): string {
  const number =
    amountMinor === 0
      ? '0'
      : moneyParts(amountMinor, coin, { symbol: false })
          .map(({ type, value }) => (type === 'fraction' ? value.replace(/0+$/, '').padEnd(MIN_DECIMALS, '0') : value))
          .join('')
  return leftToRight(`${number} ${coin}`)
}

const LIST = perLanguage((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }))

/** Returns names as a list in words: 'Bitcoin and Litecoin'. */
export const listText = (names: readonly string[]): string => LIST().format(names)
