import { useLingui } from '@lingui/react/macro'
import { formatAmount } from '#contract/money.ts'
import { LOAN_TERMS, repaymentsOf, type Repayments } from '#contract/loan-terms.ts'
import { withOwnMarks } from '#web/i18n/amount-marks.ts'
import { money } from '#web/i18n/formats.ts'
import { type Check, faults } from '#web/lib/form.ts'
import { readAmount } from '#web/ui/amount-text.ts'
import type { SliderScale } from '#web/ui/slider.tsx'

export type LoanForm = { amount: string; months: string }

/** US cents. */
export const AMOUNTS: SliderScale = {
  least: LOAN_TERMS.leastMinor,
  most: LOAN_TERMS.mostMinor,
  step: LOAN_TERMS.stepMinor,
}
export const MONTHS: SliderScale = {
  least: LOAN_TERMS.leastMonths,
  most: LOAN_TERMS.mostMonths,
  step: LOAN_TERMS.stepMonths,
}

/** An amount of the slider as it would be typed: '5,000'. */
export const loanText = (amountMinor: number) =>
  withOwnMarks(formatAmount(amountMinor, 'USD', { symbol: false, short: true }))

export const USUAL_LOAN: LoanForm = {
  amount: loanText(LOAN_TERMS.usualMinor),
  months: String(LOAN_TERMS.usualMonths),
}

/** US cents; null where the text is no amount. */
export function readLoan(text: string): number | null {
  const reading = readAmount(text)
  return reading.state === 'read' ? reading.amountMinor : null
}

export const readMonths = (text: string): number | null => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : null)

const isOn = (value: number | null, { least, most, step }: SliderScale): value is number =>
  value !== null && value >= least && value <= most && (value - least) % step === 0

/** What the loan in a form costs; null where there can be no such loan. */
export function costOf({ amount, months }: LoanForm): Repayments | null {
  const [amountMinor, count] = [readLoan(amount), readMonths(months)]
  return isOn(amountMinor, AMOUNTS) && isOn(count, MONTHS) ? repaymentsOf(amountMinor, count) : null
}

/** `limitMinor`: what the customer is pre-approved for; null while nobody knows. */
export function useLoanCheck(limitMinor: number | null): Check<LoanForm> {
  const { t } = useLingui()
  const whole = { short: true }
  return ({ amount, months }) => {
    const amountMinor = readLoan(amount)
    const [least, most] = [money(AMOUNTS.least, 'USD', whole), money(AMOUNTS.most, 'USD', whole)]
    const step = money(AMOUNTS.step, 'USD', whole)
    const limit = money(limitMinor ?? 0, 'USD', whole)
    const { leastMonths, mostMonths, stepMonths } = LOAN_TERMS
    return faults(
      !isOn(amountMinor, AMOUNTS) && {
        field: 'amount' as const,
        code: 'amount_invalid',
        text: t`Choose an amount from ${least} to ${most}, in steps of ${step}`,
      },
      isOn(amountMinor, AMOUNTS) &&
        limitMinor !== null &&
        amountMinor > limitMinor && {
          field: 'amount' as const,
          code: 'amount_too_large',
          text: t`You're pre-approved for up to ${limit}`,
        },
      !isOn(readMonths(months), MONTHS) && {
        field: 'months' as const,
        code: 'request_invalid',
        text: t`Choose a term from ${leastMonths} to ${mostMonths} months, in steps of ${stepMonths}`,
      },
    )
  }
}
