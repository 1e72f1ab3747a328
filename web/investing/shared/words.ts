import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { InvestmentPlan } from '#contract/investing.ts'
import type { Fund } from '#contract/markets.ts'
import { besideAmounts, leftToRight, money } from '#web/i18n/formats.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

export const EVERY_TEXTS: Record<InvestmentPlan['every'], MessageDescriptor> = {
  week: msg({ message: 'Every week', comment: 'How often money is invested' }),
  month: msg({ message: 'Every month', comment: 'How often money is invested' }),
}

/** Units of a fund in figures: '12.345678', '3'. */
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

/** What one unit costs: '$104.2345'. */
export const priceText = (priceMicros: number): string => leftToRight(PRICE().format(priceMicros / 1_000_000))

/** The colour of a gain or a loss. The sign beside it says the same. */
export const toneOf = (amount: number): string =>
  amount > 0 ? 'text-success' : amount < 0 ? 'text-danger' : 'text-ink'
