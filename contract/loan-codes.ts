/** The codes of the loan screens. */

/** The lowest score of each band. A score is a number from 300 to 850. */
export const SCORE_BANDS = { poor: 300, fair: 600, good: 670, very_good: 760, excellent: 800 } as const
export type ScoreBand = keyof typeof SCORE_BANDS
export const SCORE_BAND_CODES = Object.keys(SCORE_BANDS) as [ScoreBand, ...ScoreBand[]]
export const SCORE_RANGE = { least: 300, most: 850 } as const

/** The parts of which a credit score consists. */
export const SCORE_FACTORS = ['income', 'spending', 'account_age', 'other_debt', 'buffer'] as const
export type ScoreFactor = (typeof SCORE_FACTORS)[number]

/**
 * The statuses of a loan application. `pending` lasts for some seconds, until the decision. `offered` lasts until the customer
 * accepts or withdraws, or until the offer is 14 days old.
 */
export const APPLICATION_STATUSES = ['pending', 'offered', 'refused', 'accepted', 'withdrawn', 'expired'] as const

/**
 * The statuses of a loan. `late`: more than ten days ago, the bank found too little money for an installment, which is still
 * unpaid. `withdrawn`: the customer canceled the contract within 14 days.
 */
export const LOAN_STATUSES = ['active', 'late', 'repaid', 'withdrawn'] as const

/** The kinds of payments on a loan. */
export const LOAN_PAYMENT_KINDS = ['instalment', 'extra', 'early_settlement', 'withdrawal'] as const
export type LoanPaymentKind = (typeof LOAN_PAYMENT_KINDS)[number]
