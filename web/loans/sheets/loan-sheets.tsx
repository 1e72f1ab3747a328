import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { LoanDetails, LoanOverview } from '#contract/loans.ts'
import type { LoanSheet } from '#web/loans/shared/loan-sheet.ts'
import { loanQuery } from '#web/loans/shared/queries.ts'
import { AcceptOffer } from '#web/loans/sheets/accept-offer.tsx'
import { AllPayments } from '#web/loans/sheets/all-payments.tsx'
import { PauseLoan } from '#web/loans/sheets/pause-loan.tsx'
import { PayExtra } from '#web/loans/sheets/pay-extra.tsx'
import { RepaymentSchedule } from '#web/loans/sheets/repayment-schedule.tsx'
import { SettleLoan } from '#web/loans/sheets/settle-loan.tsx'
import { WithdrawApplication } from '#web/loans/sheets/withdraw-application.tsx'
import { WithdrawLoan } from '#web/loans/sheets/withdraw-loan.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { defineSheets } from '#web/ui/define-sheets.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

/** Loads a loan's details for the content of a sheet. */
function WithLoan({ id, children }: { id: string; children: (loan: LoanDetails) => ReactNode }) {
  const query = useQuery(loanQuery(id))
  if (query.data) return children(query.data)
  return query.error ? <LoadFailure {...query} /> : <RowSkeletons count={3} />
}

export const LoanSheets = defineSheets<LoanSheet, LoanOverview>({
  accept: ({ application }, { today }, { close }) => ({
    title: t`Accept this offer?`,
    description: t`The terms of your loan`,
    content: <AcceptOffer application={application} today={today} onDone={close} />,
  }),
  'offer-schedule': ({ application: { offer } }, { today }) => ({
    title: t`Payment schedule`,
    description: t`The principal, interest and fees in each payment`,
    content: <RepaymentSchedule schedule={offer?.schedule ?? []} today={today} />,
  }),
  'withdraw-application': ({ application }, _, { close }) => ({
    ...(application.status === 'offered'
      ? { title: t`Decline this offer?`, description: t`You can't accept it afterward.` }
      : { title: t`Withdraw your application?`, description: t`We'll stop reviewing it.` }),
    content: <WithdrawApplication application={application} onDone={close} />,
  }),
  pay: ({ loanId }, _, { close }) => ({
    title: t`Pay extra`,
    description: t`From your account, right away`,
    content: <WithLoan id={loanId}>{(loan) => <PayExtra loan={loan} onDone={close} />}</WithLoan>,
  }),
  settle: ({ loanId }, _, { close }) => ({
    title: t`Pay off early`,
    description: t`The amount to repay the whole loan today`,
    content: <WithLoan id={loanId}>{(loan) => <SettleLoan loan={loan} onDone={close} />}</WithLoan>,
  }),
  pause: ({ loanId }, { today }, { close }) => ({
    title: t`Pause payments`,
    description: t`For up to three months`,
    content: <WithLoan id={loanId}>{(loan) => <PauseLoan loan={loan} today={today} onDone={close} />}</WithLoan>,
  }),
  withdraw: ({ loanId }, _, { close }) => ({
    title: t`Cancel this loan?`,
    description: t`You pay back the amount you borrowed.`,
    content: <WithLoan id={loanId}>{(loan) => <WithdrawLoan loan={loan} onDone={close} />}</WithLoan>,
  }),
  schedule: ({ loanId }, { today }) => ({
    title: t`Payment schedule`,
    description: t`The principal, interest and fees in each payment`,
    content: (
      <WithLoan id={loanId}>{({ schedule }) => <RepaymentSchedule schedule={schedule} today={today} />}</WithLoan>
    ),
  }),
  payments: ({ loanId }, { today }) => ({
    title: t({ message: 'Payments', context: 'made on a loan' }),
    description: t`Newest first`,
    content: <WithLoan id={loanId}>{(loan) => <AllPayments loan={loan} today={today} />}</WithLoan>,
  }),
})
