import type { ReactNode } from 'react'
import type { LoanOverview } from '#contract/loans.ts'
import { ApplicationCard } from '#web/loans/current/application-card.tsx'
import { LoanCard } from '#web/loans/current/loan-card.tsx'
import { PastLoans } from '#web/loans/current/past-loans.tsx'
import { Payments } from '#web/loans/current/payments.tsx'
import { isOpen } from '#web/loans/open-loan.ts'
import type { LoanSheet } from '#web/loans/sheets/loan-sheets.tsx'
import { Columns } from '#web/ui/columns.tsx'

type CurrentLoansProps = {
  overview: LoanOverview
  /** The calculator. */
  form: ReactNode
  score: ReactNode
  onOpen: (sheet: LoanSheet) => void
}

/** What a customer owes or has applied for comes first, and the calculator after it. */
export function CurrentLoans({ overview, form, score, onOpen }: CurrentLoansProps) {
  const { loans, application, today } = overview
  const loan = loans.find(isOpen)
  const past = <PastLoans loans={loans} today={today} onOpen={onOpen} />
  if (loan)
    return (
      <Columns>
        <LoanCard key={loan.id} loan={loan} today={today} onOpen={onOpen} />
        <>
          <Payments loan={loan} today={today} onOpen={onOpen} />
          {form}
          {past}
        </>
      </Columns>
    )
  if (!application)
    return (
      <Columns>
        <>
          {past}
          {form}
        </>
        {score}
      </Columns>
    )
  const waits = application.status === 'pending' || application.status === 'offered'
  return (
    <Columns>
      <>
        <ApplicationCard application={application} today={today} onOpen={onOpen} />
        {past}
      </>
      <>
        {form}
        {!waits && score}
      </>
    </Columns>
  )
}
