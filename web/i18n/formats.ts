import { i18n } from '@lingui/core'
import { directionOf } from '#contract/languages.ts'
import { amountParts, type Asset, ASSETS, formatAmount, type FormatOptions, MINUS } from '#contract/money.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

const PERCENT = perLanguage((locale) => new Intl.NumberFormat(locale, { style: 'percent' }))

/** Returns '57%' for 57, a whole number. */
export function percentage(percent: number): string {
  return PERCENT().format(percent / 100)
}

const PRECISE_PERCENT = perLanguage(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
)

/** Returns '8.5%' for 8.5, to one decimal. */
export function precisePercentage(percent: number): string {
  return PRECISE_PERCENT().format(percent / 100)
}

const SIGNED_PERCENT = perLanguage(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' }),
)

/** Returns '-8.5%' for -8.5 and '+8.5%' for 8.5, to one decimal. */
export function signedPercentage(percent: number): string {
  return SIGNED_PERCENT().format(percent / 100)
}

const isRightToLeft = () => directionOf(i18n.locale) === 'rtl'
/**
 * Returns the locale for figures beside amounts. In right-to-left languages, such figures are formatted as in English, like the
 * amounts.
 */
export const besideAmounts = (locale: string) => (isRightToLeft() ? 'en-US' : locale)

/** Returns a text that stays left-to-right in every context, with Unicode marks in right-to-left languages. */
export const leftToRight = (text: string): string => (isRightToLeft() ? `\u2066${text}\u2069` : text)

const RATE = perLanguage(
  (locale) => new Intl.NumberFormat(besideAmounts(locale), { style: 'percent', maximumFractionDigits: 2 }),
)

/** Returns '6.9%' for 690 hundredths of a percent. */
export const rateText = (bps: number): string => leftToRight(RATE().format(bps / 10_000))

const CHANGE = perLanguage(
  (locale) =>
    new Intl.NumberFormat(besideAmounts(locale), {
      style: 'percent',
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
      signDisplay: 'exceptZero',
    }),
)

/** Returns '+2.41%' for 241 hundredths of a percent, with the same minus sign as amounts. */
export const changeText = (bps: number): string =>
  leftToRight(
    CHANGE()
      .format(bps / 10_000)
      .replace('-', MINUS),
  )

export type MoneyOptions = Omit<FormatOptions, 'language'>

/** Returns the parts of an amount that `money` writes. */
export const moneyParts = (amountMinor: number | bigint, asset: Asset, options: MoneyOptions = {}) =>
  amountParts(amountMinor, asset, { ...options, language: i18n.locale })

/** Returns whether the current language writes the symbol before the amount, as English does. */
export function isSymbolBefore(): boolean {
  const types = moneyParts(0, 'USD').map(({ type }) => type)
  return types.indexOf('currency') < types.indexOf('integer')
}

/** Returns minor units as text by the rules of the current language: `money(-123456, 'USD')` is "−$1,234.56". */
export const money = (amountMinor: number | bigint, asset: Asset, options: MoneyOptions = {}) =>
  formatAmount(amountMinor, asset, { ...options, language: i18n.locale })

const CURRENCIES = perLanguage((locale) => new Intl.DisplayNames(locale, { type: 'currency' }))

/**
 * Returns the name of a currency in the current language, for screen readers: 'US Dollar'. Empty for assets without a symbol.
 */
export const currencyName = (asset: Asset): string => (ASSETS[asset].symbol && CURRENCIES().of(asset)) || ''

/** Returns whether the language has full-width punctuation, which needs no space after it. */
const isIdeographic = (): boolean => ['zh', 'ja'].includes(i18n.locale)

/** Returns the separator of two sentences that are separate messages. */
export const betweenSentences = (): string => (isIdeographic() ? '' : ' ')

/** Returns the text of a toast, which has no full stop, as a full sentence. */
export const withFullStop = (text: string): string =>
  /\p{Sentence_Terminal}$/u.test(text) ? text : `${text}${isIdeographic() ? '。' : '.'}`
