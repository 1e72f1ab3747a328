import { i18n } from '@lingui/core'
import { directionOf } from '#contract/languages.ts'
import { amountParts, type Asset, ASSETS, formatAmount, type FormatOptions, MINUS } from '#contract/money.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

const PERCENT = perLanguage((locale) => new Intl.NumberFormat(locale, { style: 'percent' }))

/** '57%' for 57, a whole number. */
export function percentage(percent: number): string {
  return PERCENT().format(percent / 100)
}

const PRECISE_PERCENT = perLanguage(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
)

/** '8.5%' for 8.5, to one decimal. */
export function precisePercentage(percent: number): string {
  return PRECISE_PERCENT().format(percent / 100)
}

const SIGNED_PERCENT = perLanguage(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' }),
)

/** '-8.5%' for -8.5, to one decimal. */
export function signedPercentage(percent: number): string {
  return SIGNED_PERCENT().format(percent / 100)
}

/** What stands beside amounts is written as they are: as in English where the language is read from right to left. */
const isRightToLeft = () => directionOf(i18n.locale) === 'rtl'
export const besideAmounts = (locale: string) => (isRightToLeft() ? 'en-US' : locale)

/** A text that is read from left to right, whatever stands beside it: by Unicode's marks where it needs them. */
export const leftToRight = (text: string): string => (isRightToLeft() ? `\u2066${text}\u2069` : text)

const RATE = perLanguage(
  (locale) => new Intl.NumberFormat(besideAmounts(locale), { style: 'percent', maximumFractionDigits: 2 }),
)

/** '6.9%' for 690 hundredths of a per cent. */
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

/** '+2.41%' for 241 hundredths of a per cent; with the minus of the amounts that it stands beside. */
export const changeText = (bps: number): string =>
  leftToRight(
    CHANGE()
      .format(bps / 10_000)
      .replace('-', MINUS),
  )

export type MoneyOptions = Omit<FormatOptions, 'language'>

/** The parts of an amount as `money` writes it. */
export const moneyParts = (amountMinor: number | bigint, asset: Asset, options: MoneyOptions = {}) =>
  amountParts(amountMinor, asset, { ...options, language: i18n.locale })

/** Whether the language in force writes the symbol before the amount, as English does, or after it. */
export function isSymbolBefore(): boolean {
  const types = moneyParts(0, 'USD').map(({ type }) => type)
  return types.indexOf('currency') < types.indexOf('integer')
}

/** Writes minor units for a person, by the rules of the language in force: `money(-123456, 'USD')` is "−$1,234.56". */
export const money = (amountMinor: number | bigint, asset: Asset, options: MoneyOptions = {}) =>
  formatAmount(amountMinor, asset, { ...options, language: i18n.locale })

const CURRENCIES = perLanguage((locale) => new Intl.DisplayNames(locale, { type: 'currency' }))

/** 'US Dollar' as the language in force calls it, for those who cannot see the symbol; nothing for what is counted in pieces. */
export const currencyName = (asset: Asset): string => (ASSETS[asset].symbol && CURRENCIES().of(asset)) || ''

/** Whether a full stop has a room of its own, as wide as a letter. */
const isIdeographic = (): boolean => ['zh', 'ja'].includes(i18n.locale)

/** What stands between two sentences that are messages of their own. */
export const betweenSentences = (): string => (isIdeographic() ? '' : ' ')

/** What a toast says without a last full stop, as prose. */
export const asProse = (text: string): string =>
  /\p{Sentence_Terminal}$/u.test(text) ? text : `${text}${isIdeographic() ? '。' : '.'}`
