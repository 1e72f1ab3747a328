import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent } from 'react'
import type { LoanOverview, LoanSummary } from '#contract/loans.ts'
import { money } from '#web/i18n/formats.ts'
import { takeNewMilestones } from '#web/lib/milestones.ts'
import { ApplicationCard } from '#web/loans/current/application-card.tsx'
import { Balance } from '#web/loans/current/balance.tsx'
import { LoanCard } from '#web/loans/current/loan-card.tsx'
import { LoanList } from '#web/loans/current/loan-list.tsx'
import { Payments } from '#web/loans/current/payments.tsx'
import { isLoanOpen } from '#web/loans/shared/is-loan-open.ts'
import type { LoanSheet } from '#web/loans/shared/loan-sheet.ts'
import { celebrate } from '#web/ui/celebration/celebrate.ts'

type CurrentLoanProps = { overview: LoanOverview; onOpen: (sheet: LoanSheet) => void }

/** Shows the customer's open loan or application. */
export function CurrentLoan({ overview: { loans, application, today }, onOpen }: CurrentLoanProps) {
  const loan = loans.find(isLoanOpen)
  if (loan) return <LoanCard key={loan.id} loan={loan} today={today} onOpen={onOpen} />
  return application && <ApplicationCard application={application} today={today} onOpen={onOpen} />
}

/** Shows the balance and the payments of the open loan. */
export function CurrentPayments({ overview: { loans, today }, onOpen }: CurrentLoanProps) {
  const loan = loans.find(isLoanOpen)
  return (
    loan && (
      <>
        <Balance loan={loan} today={today} />
        <Payments loan={loan} today={today} onOpen={onOpen} />
      </>
    )
  )
}

/** Lists the loans that have ended. */
export function PastLoans({ overview: { loans, today }, onOpen }: CurrentLoanProps) {
  return <LoanList loans={loans.filter((loan) => !isLoanOpen(loan))} today={today} onOpen={onOpen} />
}

/** Celebrates a repaid loan once. Renders nothing by itself. */
export function RepaidLoans({ loans }: { loans: readonly LoanSummary[] }) {
  const { t } = useLingui()
  const checkRepaid = useEffectEvent((now: readonly LoanSummary[]) => {
    const [loan] = takeNewMilestones(now.map((current) => ({ ...current, isReached: current.status === 'repaid' })))
    if (!loan) return
    const amount = money(loan.amountMinor, loan.asset, { short: true })
    const text = t({
      message: `You borrowed ${amount} and paid it all back.`,
      comment: '{amount} is the amount of a loan that is repaid in full',
    })
    void celebrate({ title: t`Your loan is repaid!`, text }).catch(() => undefined)
  })
  useEffect(() => checkRepaid(loans), [loans])
  return null
}
