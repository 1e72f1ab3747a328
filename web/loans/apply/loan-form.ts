import { useLingui } from '@lingui/react/macro'
import { LOAN_TERMS, repaymentsOf, type Repayments } from '#contract/loan-terms.ts'
import { money } from '#web/i18n/formats.ts'
import { type FormCheck, formErrors } from '#web/lib/form.ts'
import { amountText, parseMinor } from '#web/lib/amounts.ts'
import type { SliderScale } from '#web/ui/slider.tsx'

export type LoanForm = { amount: string; months: string }

/** Amounts in US cents. */
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

/** Returns a slider's amount in the form in which a customer would type it: '5,000'. */
export const loanText = (amountMinor: number) => amountText(amountMinor).replace(/\D00$/, '')

/** Returns the form's initial values, formatted for the current language. */
export const defaultLoan = (): LoanForm => ({
  amount: loanText(LOAN_TERMS.usualMinor),
  months: String(LOAN_TERMS.usualMonths),
})

/** Returns an amount in US cents, or null if the text is not an amount. */
export function parseLoanAmount(text: string): number | null {
  return parseMinor(text) || null
}

export const parseMonths = (text: string): number | null => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : null)

const isOn = (value: number | null, { least, most, step }: SliderScale): value is number =>
  value !== null && value >= least && value <= most && (value - least) % step === 0

/** Returns the cost of the loan in the form, or null if the bank offers no such loan. */
export function loanCost({ amount, months }: LoanForm): Repayments | null {
  const [amountMinor, count] = [parseLoanAmount(amount), parseMonths(months)]
  return isOn(amountMinor, AMOUNTS) && isOn(count, MONTHS) ? repaymentsOf(amountMinor, count) : null
}

/** Returns the check of the form. `limitMinor` is the customer's pre-approved limit, or null if no such limit is checked. */
export function useLoanCheck(limitMinor: number | null): FormCheck<LoanForm> {
  const { t } = useLingui()
  return ({ amount, months }) => {
    const amountMinor = parseLoanAmount(amount)
    const most = money(limitMinor ?? AMOUNTS.most, 'USD', { short: true })
    return formErrors<keyof LoanForm>(
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
      !isOn(parseMonths(months), MONTHS) && { field: 'months', code: 'loan_term_invalid' },
    )
  }
}
