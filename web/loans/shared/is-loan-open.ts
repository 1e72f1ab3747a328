import type { LoanSummary } from '#contract/loans.ts'

/** Returns whether the customer still owes money on a loan. */
export const isLoanOpen = ({ status }: Pick<LoanSummary, 'status'>) => status === 'active' || status === 'late'
