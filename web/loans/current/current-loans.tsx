import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent } from 'react'
import type { LoanOverview, LoanSummary } from '#contract/loans.ts'
import { money } from '#web/i18n/formats.ts'
import { reachedSince } from '#web/lib/milestones.ts'
import { ApplicationCard } from '#web/loans/current/application-card.tsx'
import { Balance } from '#web/loans/current/balance.tsx'
import { LoanCard } from '#web/loans/current/loan-card.tsx'
import { LoanList } from '#web/loans/current/loan-list.tsx'
import { Payments } from '#web/loans/current/payments.tsx'
import { isOpen } from '#web/loans/shared/open-loan.ts'
import type { LoanSheet } from '#web/loans/shared/loan-sheet.ts'
import { celebrate } from '#web/ui/celebration/celebrate.ts'

type CurrentLoanProps = { overview: LoanOverview; onOpen: (sheet: LoanSheet) => void }

/** What a customer owes, or has applied for. */
export function CurrentLoan({ overview: { loans, application, today }, onOpen }: CurrentLoanProps) {
  const loan = loans.find(isOpen)
  if (loan) return <LoanCard key={loan.id} loan={loan} today={today} onOpen={onOpen} />
  return application && <ApplicationCard application={application} today={today} onOpen={onOpen} />
}

/** What is left of it over its life, and what was paid on it. */
export function CurrentPayments({ overview: { loans, today }, onOpen }: CurrentLoanProps) {
  const loan = loans.find(isOpen)
  return (
    loan && (
      <>
        <Balance loan={loan} today={today} />
        <Payments loan={loan} today={today} onOpen={onOpen} />
      </>
    )
  )
}

/** The loans that are over. */
export function PastLoans({ overview: { loans, today }, onOpen }: CurrentLoanProps) {
  return <LoanList loans={loans.filter((loan) => !isOpen(loan))} today={today} onOpen={onOpen} />
}

/** Celebrates a loan that has been repaid, once; draws nothing in its place. */
export function RepaidLoans({ loans }: { loans: readonly LoanSummary[] }) {
  const { t } = useLingui()
  const look = useEffectEvent((now: readonly LoanSummary[]) => {
    const [loan] = reachedSince(now.map((one) => ({ ...one, isReached: one.status === 'repaid' })))
    if (!loan) return
    const amount = money(loan.amountMinor, loan.asset, { short: true })
    const text = t({
      message: `You borrowed ${amount} and paid it all back.`,
      comment: 'A loan that is repaid in full',
    })
    void celebrate({ title: t`Your loan is repaid!`, text }).catch(() => undefined)
  })
  useEffect(() => look(loans), [loans])
  return null
}
