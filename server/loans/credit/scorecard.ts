import { daysBetween } from '#server/calendar/days.ts'
import { SCORE_BAND_CODES, SCORE_BANDS, SCORE_RANGE, type ScoreBand, type ScoreFactor } from '#contract/loan-codes.ts'
import type { DecisionReason } from '#contract/loans.ts'
import type { CreditFigures } from '#server/loans/credit/credit-figures.ts'

/** The rules are defined in docs/loans.md. */

/** The largest number of points for each factor. Their sum is the difference between the highest and the lowest score. */
const MAX_POINTS = { spending: 150, income: 100, account_age: 100, other_debt: 100, buffer: 100 } as const

/** The monthly income, in US cents, at which the income factor has its full points. */
const FULL_INCOME_MINOR = 5_000_00
/** The share of income left after spending, in percent, at which the spending factor has its full points. */
const FULL_KEPT_PERCENT = 60
/** The age of an account, in days, at which the age factor has its full points: two years. */
const FULL_AGE_DAYS = 730
/** The share of income that goes to other debt, in percent, at which the debt factor has no points left. */
const NO_POINTS_DEBT_PERCENT = 40
/** The savings at which the savings factor has its full points: six months of spending, and at least $1,000 (in US cents). */
const FULL_BUFFER_MONTHS = 6
const MIN_FULL_BUFFER_MINOR = 1_000_00

/** The largest number of reasons shown to a customer. */
const MAX_REASONS = 3

export type Factor = { code: ScoreFactor; points: number; mostPoints: number }
export type CreditScore = { score: number; band: ScoreBand; factors: Factor[] }

const FACTORS = Object.keys(MAX_POINTS) as (keyof typeof MAX_POINTS)[]

/** Returns a customer's credit score, from 300 to 850. */
export function creditScoreOf(figures: CreditFigures): CreditScore {
  const factors = FACTORS.map((code) => ({ code, points: POINTS[code](figures), mostPoints: MAX_POINTS[code] }))
  const score = factors.reduce<number>((sum, { points }) => sum + points, SCORE_RANGE.least)
  return { score, band: bandOf(score), factors }
}

export function bandOf(score: number): ScoreBand {
  return SCORE_BAND_CODES.findLast((band) => SCORE_BANDS[band] <= score) ?? 'poor'
}

const POINTS: Record<ScoreFactor, (figures: CreditFigures) => number> = {
  income: ({ incomeMinor }) => shareOf(MAX_POINTS.income, incomeMinor, FULL_INCOME_MINOR),
  spending: ({ incomeMinor, spendingMinor }) =>
    shareOf(MAX_POINTS.spending, 100 * (incomeMinor - spendingMinor), FULL_KEPT_PERCENT * incomeMinor),
  account_age: (figures) => shareOf(MAX_POINTS.account_age, ageOf(figures), FULL_AGE_DAYS),
  other_debt: ({ incomeMinor, otherDebtMinor }) =>
    otherDebtMinor === 0
      ? MAX_POINTS.other_debt
      : shareOf(
          MAX_POINTS.other_debt,
          NO_POINTS_DEBT_PERCENT * incomeMinor - 100 * otherDebtMinor,
          NO_POINTS_DEBT_PERCENT * incomeMinor,
        ),
  buffer: (figures) => shareOf(MAX_POINTS.buffer, figures.bufferMinor, fullBuffer(figures)),
}

/** Returns `most` times `part` divided by `whole`, rounded down and never more than `most`. */
function shareOf(most: number, part: number, whole: number): number {
  if (part <= 0 || whole <= 0) return 0
  return part >= whole ? most : Number((BigInt(most) * BigInt(part)) / BigInt(whole))
}

export function ageOf({ openedOn, today }: CreditFigures): number {
  return openedOn === null ? 0 : Math.max(0, daysBetween(openedOn, today))
}

const fullBuffer = ({ spendingMinor }: CreditFigures): number =>
  Math.max(MIN_FULL_BUFFER_MINOR, FULL_BUFFER_MONTHS * spendingMinor)

/**
 * Returns the factors that lower a customer's score most, the most important first. Each factor has a target value. At this
 * value, the factor alone would lift the score to the next band. If it cannot, the target is the value for its full points.
 */
export function reasonsOf(figures: CreditFigures, { score, factors }: CreditScore): DecisionReason[] {
  const target = SCORE_BAND_CODES.map((band) => SCORE_BANDS[band]).find((from) => from > score) ?? SCORE_RANGE.most
  return (
    factors
      .filter(({ points, mostPoints }) => points < mostPoints)
      // Without an income, no reduction of spending would be enough.
      .filter(({ code }) => code !== 'spending' || figures.incomeMinor > 0)
      .toSorted((a, b) => b.mostPoints - b.points - (a.mostPoints - a.points))
      .slice(0, MAX_REASONS)
      .map(({ code, points, mostPoints }) => {
        const neededPoints = Math.min(mostPoints, points + target - score)
        return { code, haveMinor: null, needMinor: null, enoughOn: null, ...CHANGES[code](figures, neededPoints) }
      })
  )
}

type Change = Partial<Omit<DecisionReason, 'code'>>

/** The value that a factor needs to earn a number of points. */
const CHANGES: Record<ScoreFactor, (figures: CreditFigures, points: number) => Change> = {
  income: ({ incomeMinor }, points) => ({
    haveMinor: incomeMinor,
    needMinor: Math.ceil((FULL_INCOME_MINOR * points) / MAX_POINTS.income),
  }),
  spending: ({ incomeMinor, spendingMinor }, points) => ({
    haveMinor: spendingMinor,
    needMinor: incomeMinor - Math.ceil((incomeMinor * FULL_KEPT_PERCENT * points) / (100 * MAX_POINTS.spending)),
  }),
  // The caller computes the day on which a young account is old enough for a loan.
  account_age: () => ({}),
  other_debt: ({ incomeMinor, otherDebtMinor }, points) => ({
    haveMinor: otherDebtMinor,
    needMinor: Math.floor(
      (incomeMinor * NO_POINTS_DEBT_PERCENT * (MAX_POINTS.other_debt - points)) / (100 * MAX_POINTS.other_debt),
    ),
  }),
  buffer: (figures, points) => ({
    haveMinor: figures.bufferMinor,
    needMinor: Math.ceil((fullBuffer(figures) * points) / MAX_POINTS.buffer),
  }),
}
