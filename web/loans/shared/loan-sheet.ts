import type { LoanApplication } from '#contract/loans.ts'

export type OfferSheetKind = 'accept' | 'offer-schedule' | 'withdraw-application'
export type LoanSheetKind = 'pay' | 'settle' | 'pause' | 'withdraw' | 'schedule' | 'payments'

/** What is done about an application, or about a loan, in a sheet. */
export type LoanSheet = { kind: OfferSheetKind; application: LoanApplication } | { kind: LoanSheetKind; loanId: string }
