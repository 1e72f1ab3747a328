import { addDays } from '#server/calendar/days.ts'
import type { ScoreBand } from '#contract/loan-codes.ts'
import { LOAN_TERMS, repaymentsOf } from '#contract/loan-terms.ts'
import type { DecisionReason } from '#contract/loans.ts'
import type { Figures } from '#server/loans/credit/figures.ts'
import { ageOf, reasonsOf, type Score, scoreOf } from '#server/loans/credit/scorecard.ts'

/** How much of a month's income may go to instalments, by score, in per cent. */
const INSTALMENT_PERCENT: Record<ScoreBand, number> = { poor: 0, fair: 20, good: 30, very_good: 35, excellent: 40 }

/** Whoever's account is younger is not lent anything, in days. */
const LEAST_AGE_DAYS = 90

/** How a customer stands: their score, what they are lent at most, US cents, and what holds that down. */
export type CreditStanding = Score & { limitMinor: number; reasons: DecisionReason[] }

/**
 * The largest loan whose instalment over the longest term a customer can pay: within a share of their income that grows
 * with the score, other debt taken off, and within what they have left each month. 0 where there is none.
 */
export function assess(figures: Figures): CreditStanding {
  const score = scoreOf(figures)
  const limitMinor = ageOf(figures) < LEAST_AGE_DAYS ? 0 : largestLoan(affordable(figures, score.band))
  const reasons = limitMinor === LOAN_TERMS.mostMinor ? [] : whyNotMore(figures, score)
  return { ...score, limitMinor, reasons }
}

/** The largest instalment that a customer can pay each month, US cents. */
function affordable({ incomeMinor, spendingMinor, otherDebtMinor }: Figures, band: ScoreBand): number {
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

/** A young account comes first, for nothing else makes up for it. */
function whyNotMore(figures: Figures, score: Score): DecisionReason[] {
  const reasons = reasonsOf(figures, score)
  if (ageOf(figures) >= LEAST_AGE_DAYS) return reasons
  const enoughOn = addDays(figures.openedOn ?? figures.today, LEAST_AGE_DAYS)
  const young: DecisionReason = { code: 'account_age', haveMinor: null, needMinor: null, enoughOn }
  return [young, ...reasons.filter(({ code }) => code !== 'account_age')].slice(0, Math.max(1, reasons.length))
}
