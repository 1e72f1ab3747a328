import { directionOf, intlLocale } from '#contract/languages.ts'

/**
 * An amount of money is an integer number of an asset's minor units. Floating-point numbers are never used. The functions in
 * amounts.ts read an amount digit by digit, and the functions here write an amount digit by digit.
 */

/** The assets, each with its number of decimals and its symbol. One unit of an asset with 2 decimals has 10^2 minor units. */
export const ASSETS = {
  USD: { decimals: 2, symbol: '$' },
  BTC: { decimals: 8, symbol: '₿' },
  ETH: { decimals: 8, symbol: 'Ξ' },
  LTC: { decimals: 8, symbol: 'Ł' },
  POINTS: { decimals: 0, symbol: '' },
  FUND_CONSERVATIVE: { decimals: 6, symbol: '' },
  FUND_BALANCED: { decimals: 6, symbol: '' },
  FUND_AGGRESSIVE: { decimals: 6, symbol: '' },
} as const

export type Asset = keyof typeof ASSETS

export const ASSET_CODES = Object.keys(ASSETS) as [Asset, ...Asset[]]

/** The largest amount, in minor units. JavaScript integers above it are not exact. */
export const MAX_AMOUNT_MINOR = Number.MAX_SAFE_INTEGER

export type FormatOptions = {
  /**
   * The signs to write. 'always' writes + before positive amounts and − before negative amounts. 'negative' writes only −; it
   * is the default. 'never' writes no sign.
   */
  sign?: 'always' | 'negative' | 'never'
  /** Whether to write the asset's symbol; true by default. */
  symbol?: boolean
  /** Whether to leave out decimals if all of them are zeros, as in '$20'; false by default. */
  short?: boolean
  /** The language whose digits, separators and symbol position are used; English by default. */
  language?: string
}

/** The values of Intl's `signDisplay`. None of them writes a sign on zero. */
const SIGNS = { always: 'exceptZero', negative: 'negative', never: 'never' } as const

/** The cache of number formats. Creating a format takes as long as writing fifty amounts with it. */
const formats = new Map<string, Intl.NumberFormat>()

function formatFor(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  // In right-to-left languages, amounts are written as in English, with the sign first.
  const locale = directionOf(language) === 'rtl' ? 'en-US' : intlLocale(language)
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options)
  formats.set(key, format)
  return format
}

/** The minus sign of amounts. Intl writes a hyphen instead, which several screen readers skip. */
export const MINUS = '\u2212'

/** Unicode's marks around left-to-right text in a right-to-left context. */
const ISOLATE = { before: '\u2066', after: '\u2069' }

/**
 * Returns the parts of the text that `formatAmount` returns. Every symbol has the position that the language uses for the
 * dollar sign, because Intl has no position for ₿ or Ξ.
 */
export function amountParts(
  amountMinor: number | bigint,
  asset: Asset,
  { sign = 'negative', symbol = true, short = false, language = 'en' }: FormatOptions = {},
): Intl.NumberFormatPart[] {
  const { decimals, symbol: ownSymbol } = ASSETS[asset]
  const format = formatFor(language, {
    ...(symbol && ownSymbol && { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' }),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: SIGNS[sign],
    // Banks group the thousands in every language. Without this option, Intl groups Spanish, Italian and Polish numbers only
    // from five digits on.
    useGrouping: 'always',
    trailingZeroDisplay: short ? 'stripIfInteger' : 'auto',
  })
  // Intl formats a string exactly, but it rounds a large number.
  const exactAmount = `${BigInt(amountMinor)}E-${decimals}` as Intl.StringNumericLiteral
  const parts = format
    .formatToParts(exactAmount)
    .map((part) =>
      part.type === 'currency'
        ? { ...part, value: ownSymbol }
        : part.type === 'minusSign'
          ? { ...part, value: MINUS }
          : part,
    )
  if (directionOf(language) === 'ltr') return parts
  return [{ type: 'literal', value: ISOLATE.before }, ...parts, { type: 'literal', value: ISOLATE.after }]
}

/**
 * Returns an amount of minor units as text by the rules of a language: `formatAmount(-123456, 'USD')` is "−$1,234.56". A sum
 * that may exceed MAX_AMOUNT_MINOR must be a bigint.
 */
export function formatAmount(amountMinor: number | bigint, asset: Asset, options?: FormatOptions): string {
  return amountParts(amountMinor, asset, options)
    .map(({ value }) => value)
    .join('')
}

/**
 * Splits an amount into `shares` whole parts that add up to the amount. The remainder is divided among the first parts, one
 * minor unit each: `splitAmount(1000, 3)` is [334, 333, 333].
 * @public
 */
export function splitAmount(amountMinor: number, shares: number): number[] {
  const base = Math.floor(amountMinor / shares)
  const extra = amountMinor - base * shares
  return Array.from({ length: shares }, (_, index) => base + (index < extra ? 1 : 0))
}

/**
 * Returns the share of each amount in the sum of all amounts, in whole percent. The shares add up to 100. The function uses the
 * largest-remainder method; between equal remainders, the first amount is preferred. A negative amount counts as 0. If all
 * amounts are 0, each share is 0.
 */
export function sharesOf(amounts: readonly number[]): number[] {
  const countedAmounts = amounts.map((amount) => BigInt(Math.max(0, amount)))
  const total = countedAmounts.reduce((sum, amount) => sum + amount, 0n)
  if (total === 0n) return amounts.map(() => 0)
  const exactShares = countedAmounts.map((amount) => amount * 100n)
  const shares = exactShares.map((share) => Number(share / total))
  const missingPercent = 100 - shares.reduce((sum, share) => sum + share, 0)
  const byRemainder = exactShares
    .map((share, index) => ({ index, remainder: share % total }))
    .toSorted((a, b) => (a.remainder === b.remainder ? 0 : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder.slice(0, missingPercent)) shares[index] = (shares[index] ?? 0) + 1
  return shares
}

/** Returns `part` as a percentage of `whole`, rounded half up to an integer; 0 if `whole` is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100)
}
