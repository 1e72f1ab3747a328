import { z } from 'zod'
import { amountMinor, asset, day, instant, signedMinor } from '#contract/common.ts'
import {
  APPLICATION_STATUSES,
  LOAN_PAYMENT_KINDS,
  LOAN_STATUSES,
  SCORE_BAND_CODES,
  SCORE_FACTORS,
} from '#contract/loan-codes.ts'

/** Amounts are US cents; days are the bank's own. Steps and bounds are in contract/loan-terms.ts. */
const months = z.int()
const usd = z.literal('USD')

/** One part of a score. */
const scoreFactor = z.object({
  code: z.enum(SCORE_FACTORS),
  points: z.int().min(0),
  /** What it could have brought. */
  mostPoints: z.int().positive(),
})

/**
 * What speaks against a loan, and what would change it. Amounts are a month's, those of `buffer` what is in the account.
 * `income`: `haveMinor` comes in, `needMinor` or more would do. `spending`: `haveMinor` is spent, `needMinor` or less
 * would do. `other_debt`: `haveMinor` is paid on other loans, `needMinor` or less would do. `buffer`:
 * `haveMinor` is kept, `needMinor` or more would do. `account_age`: it is old enough for a loan from `enoughOn` on;
 * null where it is already.
 */
export const decisionReason = z.object({
  code: z.enum(SCORE_FACTORS),
  haveMinor: signedMinor.nullable(),
  needMinor: signedMinor.nullable(),
  enoughOn: day.nullable(),
})
export type DecisionReason = z.infer<typeof decisionReason>

/** How a customer stands today by their own account. */
export const preApproval = z.object({
  score: z.int(),
  band: z.enum(SCORE_BAND_CODES),
  /** The largest loan, 0 where there is none for them. */
  limitMinor: signedMinor,
  asset,
  /** All of them, in the order in which they count. */
  factors: z.array(scoreFactor),
  /** What holds the limit down most, the weightiest first; none where it is the most that anybody is lent. */
  reasons: z.array(decisionReason),
})
export type PreApproval = z.infer<typeof preApproval>

export const loanApplicationRequest = z.strictObject({ amountMinor, asset: usd, months })
export type LoanApplicationRequest = z.infer<typeof loanApplicationRequest>

export const loanApplied = z.object({ id: z.string() })

/** An instalment that is still to be paid, as it will be if all is paid on time from now on. */
export const loanInstalment = z.object({
  /** From 1. */
  number: z.int().positive(),
  dueOn: day,
  /** What will be taken: `principalMinor`, `interestMinor` and `feesMinor` together. */
  amountMinor,
  principalMinor: signedMinor,
  interestMinor: signedMinor,
  feesMinor: signedMinor,
  /** The principal that is left after it. */
  principalLeftMinor: signedMinor,
  /** Whether its day has passed. */
  overdue: z.boolean(),
})
export type LoanInstalment = z.infer<typeof loanInstalment>

/** An offer, with its schedule if it is accepted today; accepted later, only the days differ. */
export const loanOffer = z.object({
  /** A year's rate in hundredths of a per cent. */
  aprBps: z.int().positive(),
  /** Interest for a day on the principal, in 10^-12 (docs/loans.md says how it follows from the year's rate). */
  dailyRateE12: z.int().positive(),
  instalmentMinor: amountMinor,
  /** The principal and the interest. */
  totalMinor: amountMinor,
  interestMinor: signedMinor,
  /** Until then it can be accepted. */
  expiresAt: instant,
  schedule: z.array(loanInstalment),
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
  /** What it was decided by; null while it is pending. */
  decision: z
    .object({
      score: z.int(),
      band: z.enum(SCORE_BAND_CODES),
      limitMinor: signedMinor,
      /** Of a refusal: what counted most, the weightiest first. */
      reasons: z.array(decisionReason),
    })
    .nullable(),
  /** While its status is `offered`. */
  offer: loanOffer.nullable(),
  /** The loan that it became. */
  loanId: z.string().nullable(),
})
export type LoanApplication = z.infer<typeof loanApplication>

/** The loan that an accepted offer became, and what was paid out. */
export const loanAccepted = z.object({ loanId: z.string(), amountMinor, asset })
export type LoanAccepted = z.infer<typeof loanAccepted>

const loanFields = {
  id: z.string(),
  status: z.enum(LOAN_STATUSES),
  /** What was borrowed. */
  amountMinor,
  asset,
  months,
  aprBps: z.int().positive(),
  dailyRateE12: z.int().positive(),
  instalmentMinor: amountMinor,
  disbursedOn: day,
  /** What is owed today, interest up to today included. */
  owed: z.object({
    principalMinor: signedMinor,
    interestMinor: signedMinor,
    feesMinor: signedMinor,
    totalMinor: signedMinor,
  }),
  /** What of it is overdue. */
  overdueMinor: signedMinor,
  /** The next instalment, or the oldest that is overdue; null once nothing is owed. */
  next: z.object({ dueOn: day, amountMinor }).nullable(),
  /** The day of the last instalment, if all is paid on time; null once nothing is owed. */
  lastDueOn: day.nullable(),
  /** What it takes: all that is left then. Null once nothing is owed. */
  lastAmountMinor: amountMinor.nullable(),
  /** When it was repaid or withdrawn. */
  closedOn: day.nullable(),
}

export const loanSummary = z.object(loanFields)
export type LoanSummary = z.infer<typeof loanSummary>

/** A payment that was made. */
export const loanPayment = z.object({
  id: z.string(),
  kind: z.enum(LOAN_PAYMENT_KINDS),
  /** The day up to which interest was counted for it: the due day, where the bank took it late. */
  paidOn: day,
  amountMinor,
  principalMinor: signedMinor,
  interestMinor: signedMinor,
  feesMinor: signedMinor,
})
export type LoanPayment = z.infer<typeof loanPayment>

export const loanDetails = z.object({
  ...loanFields,
  /** The last day on which it can be withdrawn from; null afterwards. */
  withdrawUntil: day.nullable(),
  pause: z.object({
    /** Until when no instalment is due, because of a pause; null where there is none. */
    until: day.nullable(),
    possible: z.boolean(),
    /** When there can be the next one, where it is too soon after the last. */
    possibleOn: day.nullable(),
  }),
  /** What is still to be paid, the oldest first. */
  schedule: z.array(loanInstalment),
  /** What was paid, the newest first. */
  payments: z.array(loanPayment),
})
export type LoanDetails = z.infer<typeof loanDetails>

export const loanOverview = z.object({
  /** The business day it is. */
  today: day,
  /** Whether the customer has to verify their identity first. */
  mustVerify: z.boolean(),
  /** The latest, where it is pending, offered, refused or expired; null where there is none, or it was accepted or withdrawn. */
  application: loanApplication.nullable(),
  /** The open one first, then the newest of those that are over, at most 20. */
  loans: z.array(loanSummary),
})
export type LoanOverview = z.infer<typeof loanOverview>

export const loanPaymentRequest = z.strictObject({ amountMinor, asset: usd })

/** What was paid, and of what; `principalLeftMinor` is 0 where the loan is over with it. */
export const loanPaid = z.object({
  amountMinor,
  asset,
  principalMinor: signedMinor,
  interestMinor: signedMinor,
  feesMinor: signedMinor,
  principalLeftMinor: signedMinor,
})
export type LoanPaid = z.infer<typeof loanPaid>

/** What settles a loan today. */
export const settlementQuote = z.object({
  id: z.string(),
  amountMinor,
  asset,
  principalMinor: signedMinor,
  interestMinor: signedMinor,
  feesMinor: signedMinor,
  /** The day for which it is good. */
  validOn: day,
  /** The interest that need not be paid, against paying on time. */
  savedMinor: signedMinor,
})
export type SettlementQuote = z.infer<typeof settlementQuote>

export const earlySettlementRequest = z.strictObject({ quoteId: z.string().max(100) })

/** All that is owed today, as it was shown: another amount is refused. */
export const loanWithdrawalRequest = z.strictObject({ amountMinor, asset: usd })
export type LoanWithdrawalRequest = z.infer<typeof loanWithdrawalRequest>

/** What a pause comes to, if all is paid on time afterwards. */
const pauseTerms = {
  /** When the next and the last instalment are due then. */
  nextDueOn: day,
  lastDueOn: day,
  /** What the last instalment takes then. */
  lastAmountMinor: amountMinor,
  /** How much more is paid in all than without the pause. */
  extraMinor: signedMinor,
}
export const loanPauseTerms = z.object(pauseTerms)
export type LoanPauseTerms = z.infer<typeof loanPauseTerms>

const pauseMonths = z.int().min(1).max(3)

/** What each pause would come to that there can be today. */
export const loanPauseOptions = z.object({ options: z.array(z.object({ months: pauseMonths, ...pauseTerms })) })
export type LoanPauseOptions = z.infer<typeof loanPauseOptions>

/** For how many months no instalment is to be due, and what was shown of it: other terms are refused. */
export const loanPauseRequest = z.strictObject({ months: pauseMonths, terms: z.strictObject(pauseTerms) })
export type LoanPauseRequest = z.infer<typeof loanPauseRequest>
