import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import type { LoanPaymentKind, ScoreBand, ScoreFactor } from '#contract/loan-codes.ts'
import { besideAmounts, leftToRight } from '#web/i18n/formats.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

export const BANDS: Record<ScoreBand, MessageDescriptor> = {
  poor: msg({ message: 'Poor', context: 'credit score' }),
  fair: msg({ message: 'Fair', context: 'credit score' }),
  good: msg({ message: 'Good', context: 'credit score' }),
  very_good: msg({ message: 'Very good', context: 'credit score' }),
  excellent: msg({ message: 'Excellent', context: 'credit score' }),
}

export const FACTORS: Record<ScoreFactor, MessageDescriptor> = {
  income: msg({ message: 'Income', context: 'credit score' }),
  spending: msg({ message: 'Money left each month', context: 'credit score' }),
  account_age: msg({ message: 'Age of your account', context: 'credit score' }),
  other_debt: msg({ message: 'Low debt', context: 'credit score' }),
  buffer: msg({ message: 'Savings cushion', context: 'credit score' }),
}

export const PAYMENT_KINDS: Record<LoanPaymentKind, MessageDescriptor> = {
  instalment: msg`Monthly Payment`,
  extra: msg`Extra payment`,
  early_settlement: msg`Early payoff`,
  withdrawal: msg({ message: 'Paid back', context: 'a loan that was canceled within 14 days' }),
}

const DAILY_RATE = perLanguage(
  (locale) =>
    new Intl.NumberFormat(besideAmounts(locale), {
      style: 'percent',
      minimumFractionDigits: 4,
      maximumFractionDigits: 4,
    }),
)

/** Returns a daily rate as text. `rateE12` is the rate times 10^12: 189,041,096 becomes '0.0189%'. */
export const dailyRateText = (rateE12: number) => leftToRight(DAILY_RATE().format(rateE12 / 1e12))

/** Returns a term in words: '24 months'. */
export const monthsText = (months: number) => plural(months, { one: '# month', other: '# months' })
