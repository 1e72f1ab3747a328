import type { LoanSummary } from '#contract/loans.ts'

/** Whether something is still owed on a loan. */
export const isOpen = ({ status }: Pick<LoanSummary, 'status'>) => status === 'active' || status === 'late'
