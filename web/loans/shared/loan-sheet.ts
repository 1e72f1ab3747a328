import type { LoanApplication } from '#contract/loans.ts'

/** The content of the open sheet: an action on an application or a loan. */
export type LoanSheet =
  | { kind: 'accept' | 'offer-schedule' | 'withdraw-application'; application: LoanApplication }
  | { kind: 'pay' | 'settle' | 'pause' | 'withdraw' | 'schedule' | 'payments'; loanId: string }
