import { z } from 'zod'
import { amountMinor, asset, day, instant, signedMinor } from '#contract/common.ts'
import {
  APPLICATION_STATUSES,
  LOAN_PAYMENT_KINDS,
  LOAN_STATUSES,
  SCORE_BAND_CODES,
  SCORE_FACTORS,
} from '#contract/loan-codes.ts'

/**
 * Amounts in this file are in US cents. Days are business days in the bank's time zone. The steps and limits of a loan are in
 * contract/loan-terms.ts.
 */
const months = z.int()
const usd = z.literal('USD')

/** The points of one part of a credit score. */
const scoreFactor = z.object({
  code: z.enum(SCORE_FACTORS),
  points: z.int().min(0),
  /** The maximum points of this part. */
  mostPoints: z.int().positive(),
})

/**
 * A reason against a loan, and the change that would remove the reason. The amounts of `buffer` are balances. All other amounts
 * are per month.
 * - `income`: `haveMinor` is the customer's income. It should be at least `needMinor`.
 * - `spending`: `haveMinor` is the customer's spending. It should be at most `needMinor`.
 * - `other_debt`: `haveMinor` is the sum of the payments on other loans. It should be at most `needMinor`.
 * - `buffer`: `haveMinor` is the usual balance. It should be at least `needMinor`.
 * - `account_age`: `enoughOn` is the day from which the account is old enough for a loan; null if it is old enough already.
 */
export const decisionReason = z.object({
  code: z.enum(SCORE_FACTORS),
  haveMinor: signedMinor.nullable(),
  needMinor: signedMinor.nullable(),
  enoughOn: day.nullable(),
})
export type DecisionReason = z.infer<typeof decisionReason>

/** The customer's score and loan limit today, calculated from their own account. */
export const preApproval = z.object({
  score: z.int(),
  band: z.enum(SCORE_BAND_CODES),
  /** The amount of the largest possible loan; 0 if the customer cannot get a loan. */
  limitMinor: signedMinor,
  asset,
  /** All parts of the score, the most important first. */
  factors: z.array(scoreFactor),
  /** The reasons that lower the limit, at most three, the most important first. Empty if the limit is the maximum. */
  reasons: z.array(decisionReason),
})
export type PreApproval = z.infer<typeof preApproval>

export const loanApplicationRequest = z.strictObject({ amountMinor, asset: usd, months })
export type LoanApplicationRequest = z.infer<typeof loanApplicationRequest>

export const loanApplicationResponse = z.object({ id: z.string() })

/** An unpaid installment. Its amounts are calculated on the assumption that all payments from now on are on time. */
export const loanInstallment = z.object({
  /** The number of the installment, starting at 1. */
  number: z.int().positive(),
  dueOn: day,
  /** The amount to collect: the sum of `principalMinor`, `interestMinor` and `feesMinor`. */
  amountMinor,
  principalMinor: signedMinor,
  interestMinor: signedMinor,
  feesMinor: signedMinor,
  /** The remaining principal after this installment. */
  principalLeftMinor: signedMinor,
  /** True if the due day has passed. */
  overdue: z.boolean(),
})
export type LoanInstallment = z.infer<typeof loanInstallment>

/**
 * An offer of a loan. The schedule applies if the customer accepts the offer today. If the customer accepts later, only the
 * days of the schedule change.
 */
export const loanOffer = z.object({
  /** The annual rate in hundredths of a percent. */
  aprBps: z.int().positive(),
  /**
   * The interest for one day, as a share of the principal in units of 10^-12. docs/loans.md derives it from the annual rate.
   */
  dailyRateE12: z.int().positive(),
  instalmentMinor: amountMinor,
  /** The sum of the principal and the interest. */
  totalMinor: amountMinor,
  interestMinor: signedMinor,
  /** The last time at which the offer can be accepted. */
  expiresAt: instant,
  schedule: z.array(loanInstallment),
})
export type LoanOffer = z.infer<typeof loanOffer>

export const loanApplication = z.object({
  id: z.string(),
  status: z.enum(APPLICATION_STATUSES),
  amountMinor,
  asset,
  months,
  createdAt: instant,
  decidedAt: instant.nullable(),
  /** The basis of the decision; null while the application is pending. */
  decision: z
    .object({
      score: z.int(),
      band: z.enum(SCORE_BAND_CODES),
      limitMinor: signedMinor,
      /** The reasons for a refusal, the most important first. */
      reasons: z.array(decisionReason),
    })
    .nullable(),
  /** The offer; null unless the status is `offered`. */
  offer: loanOffer.nullable(),
  /** The id of the loan that the accepted offer opened; null if there is no loan. */
  loanId: z.string().nullable(),
})
export type LoanApplication = z.infer<typeof loanApplication>

/** The id of the loan that the accepted offer opened, and the amount paid out. */
export const acceptedLoan = z.object({ loanId: z.string(), amountMinor, asset })
export type AcceptedLoan = z.infer<typeof acceptedLoan>

const loanFields = {
  id: z.string(),
  status: z.enum(LOAN_STATUSES),
  /** The principal at the start of the loan. */
  amountMinor,
  asset,
  months,
  aprBps: z.int().positive(),
  dailyRateE12: z.int().positive(),
  instalmentMinor: amountMinor,
  disbursedOn: day,
  /** The debt today, including the interest up to today. */
  owed: z.object({
    principalMinor: signedMinor,
    interestMinor: signedMinor,
    feesMinor: signedMinor,
    totalMinor: signedMinor,
  }),
  /** The sum of the overdue installments. */
  overdueMinor: signedMinor,
  /** The next installment, or the oldest overdue installment if there is one. Null once the loan is closed. */
  next: z.object({ dueOn: day, amountMinor }).nullable(),
  /** The day of the last installment if all payments are on time. Null once the loan is closed. */
  lastDueOn: day.nullable(),
  /** The amount of the last installment. Null once the loan is closed. */
  lastAmountMinor: amountMinor.nullable(),
  /** The day on which the loan was repaid or withdrawn; null while the loan is open. */
  closedOn: day.nullable(),
}

export const loanSummary = z.object(loanFields)
export type LoanSummary = z.infer<typeof loanSummary>

/** A payment on the loan. */
export const loanPayment = z.object({
  id: z.string(),
  kind: z.enum(LOAN_PAYMENT_KINDS),
  /**
   * The day up to which the interest in this payment was calculated. If the bank collected the payment late, it is the due day.
   */
  paidOn: day,
  amountMinor,
  principalMinor: signedMinor,
  interestMinor: signedMinor,
  feesMinor: signedMinor,
})
export type LoanPayment = z.infer<typeof loanPayment>

export const loanDetails = z.object({
  ...loanFields,
  /** The last day on which the customer can withdraw from the contract; null if this is no longer possible. */
  withdrawUntil: day.nullable(),
  pause: z.object({
    /** The end of the current payment pause; null if the loan is not paused. */
    until: day.nullable(),
    possible: z.boolean(),
    /** The first day on which a new pause is possible, if the last pause is too recent. Otherwise null. */
    possibleOn: day.nullable(),
  }),
  /** The unpaid installments, the oldest first. */
  schedule: z.array(loanInstallment),
  /** The payments, the newest first. */
  payments: z.array(loanPayment),
})
export type LoanDetails = z.infer<typeof loanDetails>

export const loanOverview = z.object({
  /** The current business day. */
  today: day,
  /** True if the customer must verify their identity before applying for a loan. */
  mustVerify: z.boolean(),
  /** The latest application, if it is pending, offered, refused or expired. Null in all other cases. */
  application: loanApplication.nullable(),
  /** The customer's loans, at most 20. The open loan is first, followed by the closed loans, the newest first. */
  loans: z.array(loanSummary),
})
export type LoanOverview = z.infer<typeof loanOverview>

export const loanPaymentRequest = z.strictObject({ amountMinor, asset: usd })

/** The amount of a payment and its parts. `principalLeftMinor` is the remaining principal; 0 if the payment closes the loan. */
export const loanPaymentResult = z.object({
  amountMinor,
  asset,
  principalMinor: signedMinor,
  interestMinor: signedMinor,
  feesMinor: signedMinor,
  principalLeftMinor: signedMinor,
})
export type LoanPaymentResult = z.infer<typeof loanPaymentResult>

/** The amount that settles the loan today. */
export const settlementQuote = z.object({
  id: z.string(),
  amountMinor,
  asset,
  principalMinor: signedMinor,
  interestMinor: signedMinor,
  feesMinor: signedMinor,
  /** The day on which the quote is valid. */
  validOn: day,
  /** The interest that the customer saves by settling the loan today, compared with paying each installment on its due day. */
  savedMinor: signedMinor,
})
export type SettlementQuote = z.infer<typeof settlementQuote>

export const earlySettlementRequest = z.strictObject({ quoteId: z.string().max(100) })

/**
 * A request to withdraw from a loan contract. The amount is the whole debt of today, as the screen showed it. Any other amount
 * is refused.
 */
export const loanWithdrawalRequest = z.strictObject({ amountMinor, asset: usd })
export type LoanWithdrawalRequest = z.infer<typeof loanWithdrawalRequest>

/** The effects of a payment pause, on the assumption that all later payments are on time. */
const pauseTerms = {
  /** The due days of the next and the last installment after the pause. */
  nextDueOn: day,
  lastDueOn: day,
  /** The amount of the last installment after the pause. */
  lastAmountMinor: amountMinor,
  /** The additional cost of the loan, compared with no pause. */
  extraMinor: signedMinor,
}
export const loanPauseTerms = z.object(pauseTerms)
export type LoanPauseTerms = z.infer<typeof loanPauseTerms>

const pauseMonths = z.int().min(1).max(3)

/** The payment pauses that are possible today, each with its length in months and its effects. */
export const loanPauseOptions = z.object({ options: z.array(z.object({ months: pauseMonths, ...pauseTerms })) })
export type LoanPauseOptions = z.infer<typeof loanPauseOptions>

/**
 * A request for a payment pause of `months` months. `terms` has the effects as the screen showed them. Any other effects are
 * refused.
 */
export const loanPauseRequest = z.strictObject({ months: pauseMonths, terms: z.strictObject(pauseTerms) })
export type LoanPauseRequest = z.infer<typeof loanPauseRequest>
