import { directionOf, intlLocale } from '#contract/languages.ts'

/**
 * Money is an integer count of an asset's minor units. No float touches it: text is read digit by digit (amounts.ts)
 * and written digit by digit.
 */

/** How many decimal places each asset keeps: 1 USD = 10^2 minor units. */
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

/** The largest amount the bank keeps, in minor units: past it JavaScript integers stop being exact. */
export const MAX_AMOUNT_MINOR = Number.MAX_SAFE_INTEGER

export type FormatOptions = {
  /** 'always' writes + on positive amounts, 'negative' (the default) only −, 'never' leaves the sign out. */
  sign?: 'always' | 'negative' | 'never'
  /** Whether the asset's symbol is written; true unless told. */
  symbol?: boolean
  /** Leaves the decimals out where there are only zeros: '$20'. */
  short?: boolean
  /** Whose digits, separators and place of the symbol; English unless told. */
  language?: string
}

/** How Intl calls the same; none of them puts a sign on zero. */
const SIGNS = { always: 'exceptZero', negative: 'negative', never: 'never' } as const

/** Making one costs as much as fifty amounts written with it. */
const formats = new Map<string, Intl.NumberFormat>()

function formatFor(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  // Amounts stay as English writes them, sign first, where the language is read from right to left.
  const locale = directionOf(language) === 'rtl' ? 'en-US' : intlLocale(language)
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options)
  formats.set(key, format)
  return format
}

/** Intl writes a hyphen, which several screen readers pass over. */
export const MINUS = '\u2212'

/** Unicode's marks around what is read from left to right, whatever stands beside it. */
const ISOLATE = { before: '\u2066', after: '\u2069' }

/**
 * The parts of an amount as `formatAmount` writes it. Every symbol stands where the language has that of the dollar: it
 * knows no place for ₿ or Ξ.
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
    // As banks do in every language: Spanish, Italian and Polish texts part thousands from five digits on alone.
    useGrouping: 'always',
    trailingZeroDisplay: short ? 'stripIfInteger' : 'auto',
  })
  // Text is formatted digit by digit, where a number would be rounded.
  const exact = `${BigInt(amountMinor)}E-${decimals}` as Intl.StringNumericLiteral
  const parts = format
    .formatToParts(exact)
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
 * Writes minor units for a person, by the rules of a language: `formatAmount(-123456, 'USD')` is "−$1,234.56". A sum that
 * no number holds exactly is given as a bigint.
 */
export function formatAmount(amountMinor: number | bigint, asset: Asset, options?: FormatOptions): string {
  return amountParts(amountMinor, asset, options)
    .map(({ value }) => value)
    .join('')
}

/**
 * Parts an amount into `shares` whole parts that add up to it again; the first parts carry the remainder.
 * `splitAmount(1000, 3)` is [334, 333, 333].
 * @public
 */
export function splitAmount(amountMinor: number, shares: number): number[] {
  const base = Math.floor(amountMinor / shares)
  const extra = amountMinor - base * shares
  return Array.from({ length: shares }, (_, index) => base + (index < extra ? 1 : 0))
}

/**
 * What part of their sum each of some amounts is, in whole per cent that add up to 100: by the method of the largest
 * remainder, the first of equals first. An amount below zero counts as none; where all are none, each part is 0.
 */
export function sharesOf(amounts: readonly number[]): number[] {
  const counted = amounts.map((amount) => BigInt(Math.max(0, amount)))
  const whole = counted.reduce((sum, amount) => sum + amount, 0n)
  if (whole === 0n) return amounts.map(() => 0)
  const exact = counted.map((amount) => amount * 100n)
  const shares = exact.map((share) => Number(share / whole))
  const missing = 100 - shares.reduce((sum, share) => sum + share, 0)
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share % whole }))
    .toSorted((a, b) => (a.remainder === b.remainder ? 0 : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder.slice(0, missing)) shares[index] = (shares[index] ?? 0) + 1
  return shares
}

/** `part` of `whole` in per cent, rounded half up to a whole number; 0 where the whole is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100)
}
