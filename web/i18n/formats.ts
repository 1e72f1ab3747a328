import { i18n } from '@lingui/core'
import { type Asset, ASSETS, type formatAmount } from '#contract/money.ts'

/** The locale for `Intl` where the language's code alone is not enough. */
const INTL_LOCALES: Record<string, string> = {
  en: 'en-US',
  // With the digits that amounts are typed in and that card numbers have.
  ar: 'ar-u-nu-latn',
}

/** A format that follows the language in force. `make` is called once for each language. */
export function perLanguage<Format>(make: (locale: string) => Format): () => Format {
  const made = new Map<string, Format>()
  return () => {
    const { locale } = i18n
    let format = made.get(locale)
    if (format === undefined) {
      format = make(INTL_LOCALES[locale] ?? locale)
      made.set(locale, format)
    }
    return format
  }
}

const MINUTE = 60
const HOUR = 60 * MINUTE

const RELATIVE = perLanguage((locale) => new Intl.RelativeTimeFormat(locale))

/** How long to wait, rounded up: 'in 12 minutes'. */
export function inTime(seconds: number): string {
  if (seconds <= 1.5 * MINUTE) return RELATIVE().format(Math.max(1, Math.ceil(seconds)), 'second')
  if (seconds <= 1.5 * HOUR) return RELATIVE().format(Math.ceil(seconds / MINUTE), 'minute')
  return RELATIVE().format(Math.ceil(seconds / HOUR), 'hour')
}

const PERCENT = perLanguage((locale) => new Intl.NumberFormat(locale, { style: 'percent' }))

/** '57%' for 57, a whole number. */
export function percentage(percent: number): string {
  return PERCENT().format(percent / 100)
}

export type MoneyOptions = NonNullable<Parameters<typeof formatAmount>[2]> & {
  /** Leaves the decimals out where there are only zeros: '$20'. */
  short?: boolean
}

const SIGNS = { always: 'exceptZero', negative: 'auto', never: 'never' } as const

const NUMBERS = perLanguage((locale) => {
  const made = new Map<string, Intl.NumberFormat>()
  return (options: Intl.NumberFormatOptions) => {
    const key = JSON.stringify(options)
    const format = made.get(key) ?? new Intl.NumberFormat(locale, options)
    made.set(key, format)
    return format
  }
})

/**
 * The parts of an amount as `money` writes it. Every symbol stands where the language has that of the dollar: it knows
 * no place for ₿ or Ξ.
 */
export function moneyParts(
  amountMinor: number | bigint,
  asset: Asset,
  { sign = 'negative', symbol = true, short = false }: MoneyOptions = {},
): Intl.NumberFormatPart[] {
  const { decimals, symbol: ownSymbol } = ASSETS[asset]
  const format = NUMBERS()({
    ...(symbol && ownSymbol && { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' }),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: SIGNS[sign],
    trailingZeroDisplay: short ? 'stripIfInteger' : 'auto',
  })
  // Text is formatted digit by digit, where a number would be rounded.
  const exact = `${BigInt(amountMinor)}E-${decimals}` as Intl.StringNumericLiteral
  return format.formatToParts(exact).map((part) => (part.type === 'currency' ? { ...part, value: ownSymbol } : part))
}

/**
 * Writes minor units for a person, by the rules of the language in force: `money(-123456, 'USD')` is "-$1,234.56". In
 * English it is what `formatAmount` of the contract writes.
 */
export function money(amountMinor: number | bigint, asset: Asset, options?: MoneyOptions): string {
  return moneyParts(amountMinor, asset, options)
    .map(({ value }) => value)
    .join('')
}
