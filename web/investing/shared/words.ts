import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { InvestmentPlan } from '#contract/investing.ts'
import type { Fund } from '#contract/markets.ts'
import { besideAmounts, leftToRight, money } from '#web/i18n/formats.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

export const EVERY_TEXTS: Record<InvestmentPlan['every'], MessageDescriptor> = {
  week: msg({ message: 'Every week', comment: 'The frequency of an investment' }),
  month: msg({ message: 'Every month', comment: 'The frequency of an investment' }),
}

/** Returns units of a fund as text: '12.345678', '3'. */
export const unitsFigure = (fund: Fund, unitsMinor: number): string => money(unitsMinor, fund, { short: true })

const PRICE = perLanguage(
  (locale) =>
    new Intl.NumberFormat(besideAmounts(locale), {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      maximumFractionDigits: 4,
    }),
)

/** Returns the price of one unit as text: '$104.2345'. */
export const fundPriceText = (priceMicros: number): string => leftToRight(PRICE().format(priceMicros / 1_000_000))

/** Returns the color of a gain or loss. The sign beside the figure shows the direction too. */
export const toneOf = (amount: number): string =>
  amount > 0 ? 'text-success' : amount < 0 ? 'text-danger' : 'text-ink'
