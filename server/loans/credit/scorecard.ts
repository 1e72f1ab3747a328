import { daysBetween } from '#server/calendar/days.ts'
import { SCORE_BAND_CODES, SCORE_BANDS, SCORE_RANGE, type ScoreBand, type ScoreFactor } from '#contract/loan-codes.ts'
import type { DecisionReason } from '#contract/loans.ts'
import type { Figures } from '#server/loans/credit/figures.ts'

/** docs/loans.md states these rules. */

/** What each part brings at most: together from the lowest score to the highest. */
const MOST_POINTS = { spending: 150, income: 100, account_age: 100, other_debt: 100, buffer: 100 } as const

/** A month's income that brings all points, US cents. */
const FULL_INCOME_MINOR = 5_000_00
/** How much of the income is left after spending where that brings all points, in per cent. */
const FULL_KEPT_PERCENT = 60
/** The age of an account that brings all points, in days: two years. */
const FULL_AGE_DAYS = 730
/** How much of the income goes to other debt where that brings none, in per cent. */
const NO_POINTS_DEBT_PERCENT = 40
/** How many months of spending are put by where that brings all points, and at least how much, US cents. */
const FULL_BUFFER_MONTHS = 6
const LEAST_FULL_BUFFER_MINOR = 1_000_00

/** How many reasons anybody is told. */
const MOST_REASONS = 3

export type Factor = { code: ScoreFactor; points: number; mostPoints: number }
export type Score = { score: number; band: ScoreBand; factors: Factor[] }

const FACTORS = Object.keys(MOST_POINTS) as (keyof typeof MOST_POINTS)[]

/** A customer's credit score, from 300 to 850. */
export function scoreOf(figures: Figures): Score {
  const factors = FACTORS.map((code) => ({ code, points: POINTS[code](figures), mostPoints: MOST_POINTS[code] }))
  const score = factors.reduce<number>((sum, { points }) => sum + points, SCORE_RANGE.least)
  return { score, band: bandOf(score), factors }
}

export function bandOf(score: number): ScoreBand {
  return SCORE_BAND_CODES.findLast((band) => SCORE_BANDS[band] <= score) ?? 'poor'
}

const POINTS: Record<ScoreFactor, (figures: Figures) => number> = {
  income: ({ incomeMinor }) => shareOf(MOST_POINTS.income, incomeMinor, FULL_INCOME_MINOR),
  spending: ({ incomeMinor, spendingMinor }) =>
    shareOf(MOST_POINTS.spending, 100 * (incomeMinor - spendingMinor), FULL_KEPT_PERCENT * incomeMinor),
  account_age: (figures) => shareOf(MOST_POINTS.account_age, ageOf(figures), FULL_AGE_DAYS),
  other_debt: ({ incomeMinor, otherDebtMinor }) =>
    otherDebtMinor === 0
      ? MOST_POINTS.other_debt
      : shareOf(
          MOST_POINTS.other_debt,
          NO_POINTS_DEBT_PERCENT * incomeMinor - 100 * otherDebtMinor,
          NO_POINTS_DEBT_PERCENT * incomeMinor,
        ),
  buffer: (figures) => shareOf(MOST_POINTS.buffer, figures.bufferMinor, fullBuffer(figures)),
}

/** `most` for the whole, and for a part of it as much less, rounded down. */
function shareOf(most: number, part: number, whole: number): number {
  if (part <= 0 || whole <= 0) return 0
  return part >= whole ? most : Number((BigInt(most) * BigInt(part)) / BigInt(whole))
}

export function ageOf({ openedOn, today }: Figures): number {
  return openedOn === null ? 0 : Math.max(0, daysBetween(openedOn, today))
}

const fullBuffer = ({ spendingMinor }: Figures): number =>
  Math.max(LEAST_FULL_BUFFER_MINOR, FULL_BUFFER_MONTHS * spendingMinor)

/**
 * What speaks most against a customer, the weightiest first, and what would change it: what each part alone would have to
 * be for the score to reach the next band, or else for all of its points.
 */
export function reasonsOf(figures: Figures, { score, factors }: Score): DecisionReason[] {
  const target = SCORE_BAND_CODES.map((band) => SCORE_BANDS[band]).find((from) => from > score) ?? SCORE_RANGE.most
  return (
    factors
      .filter(({ points, mostPoints }) => points < mostPoints)
      // Without an income no spending would be little enough.
      .filter(({ code }) => code !== 'spending' || figures.incomeMinor > 0)
      .toSorted((a, b) => b.mostPoints - b.points - (a.mostPoints - a.points))
      .slice(0, MOST_REASONS)
      .map(({ code, points, mostPoints }) => {
        const wanted = Math.min(mostPoints, points + target - score)
        return { code, haveMinor: null, needMinor: null, enoughOn: null, ...CHANGES[code](figures, wanted) }
      })
  )
}

type Change = Partial<Omit<DecisionReason, 'code'>>

/** What a part would have to be to bring so many points. */
const CHANGES: Record<ScoreFactor, (figures: Figures, points: number) => Change> = {
  income: ({ incomeMinor }, points) => ({
    haveMinor: incomeMinor,
    needMinor: Math.ceil((FULL_INCOME_MINOR * points) / MOST_POINTS.income),
  }),
  spending: ({ incomeMinor, spendingMinor }, points) => ({
    haveMinor: spendingMinor,
    needMinor: incomeMinor - Math.ceil((incomeMinor * FULL_KEPT_PERCENT * points) / (100 * MOST_POINTS.spending)),
  }),
  // Of an account that is too young for a loan, whoever looks at the limit says when it is old enough.
  account_age: () => ({}),
  other_debt: ({ incomeMinor, otherDebtMinor }, points) => ({
    haveMinor: otherDebtMinor,
    needMinor: Math.floor(
      (incomeMinor * NO_POINTS_DEBT_PERCENT * (MOST_POINTS.other_debt - points)) / (100 * MOST_POINTS.other_debt),
    ),
  }),
  buffer: (figures, points) => ({
    haveMinor: figures.bufferMinor,
    needMinor: Math.ceil((fullBuffer(figures) * points) / MOST_POINTS.buffer),
  }),
}
