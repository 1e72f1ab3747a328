import { addDays } from '#server/calendar/days.ts'
import type { ScoreBand } from '#contract/loan-codes.ts'
import { LOAN_TERMS, repaymentsOf } from '#contract/loan-terms.ts'
import type { DecisionReason } from '#contract/loans.ts'
import type { CreditFigures } from '#server/loans/credit/credit-figures.ts'
import { ageOf, reasonsOf, type CreditScore, creditScoreOf } from '#server/loans/credit/scorecard.ts'

/** The share of a month's income that may go to installments, by score, in percent. */
const INSTALMENT_PERCENT: Record<ScoreBand, number> = { poor: 0, fair: 20, good: 30, very_good: 35, excellent: 40 }

/** The least age of an account for a loan, in days. */
const MIN_AGE_DAYS = 90

/** A customer's score, the most that they can borrow in US cents, and the reasons for a low limit. */
export type CreditStanding = CreditScore & { limitMinor: number; reasons: DecisionReason[] }

/**
 * Returns a customer's limit: the largest loan whose installments over the longest term they can pay. An installment may not
 * exceed a share of the customer's income, minus their other debt. The share grows with the score. An installment may also not
 * exceed the income that is left after spending. The limit is 0 if no loan is possible.
 */
export function assessCredit(figures: CreditFigures): CreditStanding {
  const score = creditScoreOf(figures)
  const limitMinor = ageOf(figures) < MIN_AGE_DAYS ? 0 : largestLoan(affordable(figures, score.band))
  const reasons = limitMinor === LOAN_TERMS.mostMinor ? [] : whyNotMore(figures, score)
  return { ...score, limitMinor, reasons }
}

/** Returns the largest installment that a customer can pay each month, in US cents. */
function affordable({ incomeMinor, spendingMinor, otherDebtMinor }: CreditFigures, band: ScoreBand): number {
  const share = Number((BigInt(incomeMinor) * BigInt(INSTALMENT_PERCENT[band])) / 100n)
  return Math.min(share - otherDebtMinor, incomeMinor - spendingMinor)
}

function largestLoan(instalmentMinor: number): number {
  const { leastMinor, mostMinor, stepMinor, mostMonths } = LOAN_TERMS
  for (let amountMinor: number = mostMinor; amountMinor >= leastMinor; amountMinor -= stepMinor) {
    if (repaymentsOf(amountMinor, mostMonths).instalmentMinor <= instalmentMinor) return amountMinor
  }
  return 0
}

/**
 * Returns the reasons for the limit. If the account is too young for a loan, this is the first reason, because the customer can
 * only wait.
 */
function whyNotMore(figures: CreditFigures, score: CreditScore): DecisionReason[] {
  const reasons = reasonsOf(figures, score)
  if (ageOf(figures) >= MIN_AGE_DAYS) return reasons
  const enoughOn = addDays(figures.openedOn ?? figures.today, MIN_AGE_DAYS)
  const young: DecisionReason = { code: 'account_age', haveMinor: null, needMinor: null, enoughOn }
  return [young, ...reasons.filter(({ code }) => code !== 'account_age')].slice(0, Math.max(1, reasons.length))
}
