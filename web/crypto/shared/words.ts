import type { Coin } from '#contract/markets.ts'
import { leftToRight, money, moneyParts } from '#web/i18n/formats.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

/** So many decimals of a coin are always written, and more only where they say something. */
const DECIMALS_LEAST = 4

export const MICROS_PER_CENT = 10_000n

/** The price of one coin in US cents, rounded half up. */
export function centsOf(priceMicros: number): number {
  return Number((BigInt(priceMicros) + MICROS_PER_CENT / 2n) / MICROS_PER_CENT)
}

/** The price of one coin in millionths of a dollar. */
export const microsOf = (cents: number): number => Number(BigInt(cents) * MICROS_PER_CENT)

/** The highest price that is still exact in millionths of a dollar, US cents. */
export const MOST_PRICE_CENTS = Number(BigInt(Number.MAX_SAFE_INTEGER) / MICROS_PER_CENT)

/** '$65,432.10' for the price of one coin. */
export const priceText = (priceMicros: number): string => money(centsOf(priceMicros), 'USD')

/** '0.0450 BTC', exact to the last unit, and read from left to right in every language. */
export function coinText(amountMinor: number, coin: Coin): string {
  const number =
    amountMinor === 0
      ? '0'
      : moneyParts(amountMinor, coin, { symbol: false })
          .map(({ type, value }) =>
            type === 'fraction' ? value.replace(/0+$/, '').padEnd(DECIMALS_LEAST, '0') : value,
          )
          .join('')
  return leftToRight(`${number} ${coin}`)
}

const LIST = perLanguage((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }))

/** 'Bitcoin and Litecoin'. */
export const listText = (names: readonly string[]): string => LIST().format(names)
