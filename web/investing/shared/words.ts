import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { directionOf } from '#contract/languages.ts'
import type { InvestmentPlan } from '#contract/investing.ts'
import type { Risk } from '#contract/investment-terms.ts'
import type { Fund } from '#contract/markets.ts'
import { money, perLanguage } from '#web/i18n/formats.ts'

export const RISK_TEXTS: Record<Risk, MessageDescriptor> = {
  low: msg`Low risk`,
  medium: msg`Medium risk`,
  high: msg`High risk`,
}

export const EVERY_TEXTS: Record<InvestmentPlan['every'], MessageDescriptor> = {
  week: msg({ message: 'Every week', comment: 'How often money is invested' }),
  month: msg({ message: 'Every month', comment: 'How often money is invested' }),
}

/** Units of a fund in figures: '12.345678', '3'. */
export const unitsFigure = (fund: Fund, unitsMinor: number): string => money(unitsMinor, fund, { short: true })

/** Amounts are written as in English where the language is read from right to left. */
const amountLocale = (locale: string) => (directionOf(i18n.locale) === 'rtl' ? 'en-US' : locale)

const PRICE = perLanguage(
  (locale) =>
    new Intl.NumberFormat(amountLocale(locale), {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      maximumFractionDigits: 4,
    }),
)

const CHANGE = perLanguage(
  (locale) =>
    new Intl.NumberFormat(amountLocale(locale), {
      style: 'percent',
      signDisplay: 'exceptZero',
      maximumFractionDigits: 2,
    }),
)

/** Unicode's marks around what is read from left to right, whatever stands beside it. */
const isolated = (text: string) => (directionOf(i18n.locale) === 'rtl' ? `\u2066${text}\u2069` : text)

/** What one unit costs: '$104.2345'. */
export const priceText = (priceMicros: number): string => isolated(PRICE().format(priceMicros / 1_000_000))

/** '+1.25%' for 125 hundredths of a per cent. */
export const changeText = (bps: number): string => isolated(CHANGE().format(bps / 10_000))

/** '0.25%' for 25 hundredths of a per cent. */
export const rateText = (bps: number): string => changeText(bps).replace('+', '')

/** The colour of a gain or a loss. The sign beside it says the same. */
export const toneOf = (amount: number): string =>
  amount > 0 ? 'text-success' : amount < 0 ? 'text-danger' : 'text-ink'
