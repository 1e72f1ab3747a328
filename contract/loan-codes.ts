/** The codes that a loan's screens have words for. */

/** How good a score is: from so many points on. Scores go from 300 to 850. */
export const SCORE_BANDS = { poor: 300, fair: 600, good: 670, very_good: 760, excellent: 800 } as const
export type ScoreBand = keyof typeof SCORE_BANDS
export const SCORE_BAND_CODES = Object.keys(SCORE_BANDS) as [ScoreBand, ...ScoreBand[]]
export const SCORE_RANGE = { least: 300, most: 850 } as const

/** What a score is made of. */
export const SCORE_FACTORS = ['income', 'spending', 'account_age', 'other_debt', 'buffer'] as const
export type ScoreFactor = (typeof SCORE_FACTORS)[number]

/**
 * What becomes of an application: `pending` until it is decided, which takes seconds; `offered` until it is accepted,
 * withdrawn or 14 days have passed.
 */
export const APPLICATION_STATUSES = ['pending', 'offered', 'refused', 'accepted', 'withdrawn', 'expired'] as const

/** `late`: an instalment is more than ten days late. `withdrawn`: paid back within 14 days. */
export const LOAN_STATUSES = ['active', 'late', 'repaid', 'withdrawn'] as const

/** Why money was paid on a loan. */
export const LOAN_PAYMENT_KINDS = ['instalment', 'extra', 'early_settlement', 'withdrawal'] as const
export type LoanPaymentKind = (typeof LOAN_PAYMENT_KINDS)[number]
