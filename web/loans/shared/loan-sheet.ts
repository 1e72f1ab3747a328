import type { LoanApplication } from '#contract/loans.ts'

/** What is done about an application, or about a loan, in a sheet. */
export type LoanSheet =
  | { kind: 'accept' | 'offer-schedule' | 'withdraw-application'; application: LoanApplication }
  | { kind: 'pay' | 'settle' | 'pause' | 'withdraw' | 'schedule' | 'payments'; loanId: string }
