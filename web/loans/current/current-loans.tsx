import type { LoanOverview } from '#contract/loans.ts'
import { ApplicationCard } from '#web/loans/current/application-card.tsx'
import { LoanCard } from '#web/loans/current/loan-card.tsx'
import { LoanList } from '#web/loans/current/loan-list.tsx'
import { Payments } from '#web/loans/current/payments.tsx'
import { isOpen } from '#web/loans/shared/open-loan.ts'
import type { LoanSheet } from '#web/loans/shared/loan-sheet.ts'

type CurrentLoanProps = { overview: LoanOverview; onOpen: (sheet: LoanSheet) => void }

/** What a customer owes, or has applied for. */
export function CurrentLoan({ overview: { loans, application, today }, onOpen }: CurrentLoanProps) {
  const loan = loans.find(isOpen)
  if (loan) return <LoanCard key={loan.id} loan={loan} today={today} onOpen={onOpen} />
  return application && <ApplicationCard application={application} today={today} onOpen={onOpen} />
}

/** What was paid on it. */
export function CurrentPayments({ overview: { loans, today }, onOpen }: CurrentLoanProps) {
  const loan = loans.find(isOpen)
  return loan ? <Payments loan={loan} today={today} onOpen={onOpen} /> : null
}

/** The loans that are over. */
export function PastLoans({ overview: { loans, today }, onOpen }: CurrentLoanProps) {
  return <LoanList loans={loans.filter((loan) => !isOpen(loan))} today={today} onOpen={onOpen} />
}
