import { useLingui } from '@lingui/react/macro'
import { LOAN_TERMS, repaymentsOf, type Repayments } from '#contract/loan-terms.ts'
import { money } from '#web/i18n/formats.ts'
import { type Check, faults } from '#web/lib/form.ts'
import { amountText, readMinor } from '#web/lib/amounts.ts'
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
export const loanText = (amountMinor: number) => amountText(amountMinor).replace(/\D00$/, '')

/** What a loan begins with, as it is written in the language in force. */
export const usualLoan = (): LoanForm => ({
  amount: loanText(LOAN_TERMS.usualMinor),
  months: String(LOAN_TERMS.usualMonths),
})

/** US cents; null where the text is no amount. */
export function readLoan(text: string): number | null {
  return readMinor(text) || null
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
  return ({ amount, months }) => {
    const amountMinor = readLoan(amount)
    const most = money(limitMinor ?? AMOUNTS.most, 'USD', { short: true })
    return faults<keyof LoanForm>(
      amountMinor === null && { field: 'amount', code: 'amount_invalid' },
      amountMinor !== null && amountMinor < AMOUNTS.least && { field: 'amount', code: 'loan_amount_too_small' },
      amountMinor !== null &&
        amountMinor > (limitMinor ?? AMOUNTS.most) && {
          field: 'amount',
          code: 'loan_above_limit',
          text: t`You can borrow up to ${most}`,
        },
      amountMinor !== null &&
        (amountMinor - AMOUNTS.least) % AMOUNTS.step !== 0 && { field: 'amount', code: 'loan_amount_off_step' },
      !isOn(readMonths(months), MONTHS) && { field: 'months', code: 'loan_term_invalid' },
    )
  }
}
