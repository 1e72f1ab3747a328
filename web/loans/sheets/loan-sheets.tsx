import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { LoanDetails } from '#contract/loans.ts'
import { messageOf } from '#web/lib/api.ts'
import type { LoanSheet, LoanSheetKind, OfferSheetKind } from '#web/loans/shared/loan-sheet.ts'
import { loanQuery } from '#web/loans/shared/queries.ts'
import { AcceptOffer } from '#web/loans/sheets/accept-offer.tsx'
import { AllPayments } from '#web/loans/sheets/all-payments.tsx'
import { PauseLoan } from '#web/loans/sheets/pause-loan.tsx'
import { PayExtra } from '#web/loans/sheets/pay-extra.tsx'
import { Schedule } from '#web/loans/sheets/schedule.tsx'
import { SettleLoan } from '#web/loans/sheets/settle-loan.tsx'
import { WithdrawApplication } from '#web/loans/sheets/withdraw-application.tsx'
import { WithdrawLoan } from '#web/loans/sheets/withdraw-loan.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

type LoanSheetsProps = { sheet: LoanSheet; open: boolean; today: string; onClose: () => void }

export function LoanSheets({ sheet, open, today, onClose }: LoanSheetsProps) {
  const title = useTitle(sheet)
  return (
    <Sheet open={open} onOpenChange={(next) => next || onClose()} {...title}>
      <div key={sheet.kind}>
        {'loanId' in sheet ? (
          <OfLoan sheet={sheet} today={today} onDone={onClose} />
        ) : (
          <OfApplication sheet={sheet} today={today} onDone={onClose} />
        )}
      </div>
    </Sheet>
  )
}

type PartProps<Of extends LoanSheet> = { sheet: Of; today: string; onDone: () => void }

function OfApplication({ sheet, today, onDone }: PartProps<LoanSheet & { kind: OfferSheetKind }>) {
  const { kind, application } = sheet
  switch (kind) {
    case 'accept':
      return <AcceptOffer application={application} today={today} onDone={onDone} />
    case 'offer-schedule':
      return <Schedule schedule={application.offer?.schedule ?? []} today={today} />
    case 'withdraw-application':
      return <WithdrawApplication application={application} onDone={onDone} />
  }
}

function OfLoan({ sheet, today, onDone }: PartProps<LoanSheet & { kind: LoanSheetKind }>) {
  const { data, error, refetch } = useQuery(loanQuery(sheet.loanId))
  if (!data && error) return <Failure message={messageOf(error)} onRetry={() => void refetch()} />
  if (!data) return <RowSkeletons count={3} />
  return <WithLoan kind={sheet.kind} loan={data} today={today} onDone={onDone} />
}

type WithLoanProps = { kind: LoanSheetKind; loan: LoanDetails; today: string; onDone: () => void }

function WithLoan({ kind, loan, today, onDone }: WithLoanProps) {
  switch (kind) {
    case 'pay':
      return <PayExtra loan={loan} onDone={onDone} />
    case 'settle':
      return <SettleLoan loan={loan} onDone={onDone} />
    case 'pause':
      return <PauseLoan loan={loan} today={today} onDone={onDone} />
    case 'withdraw':
      return <WithdrawLoan loan={loan} onDone={onDone} />
    case 'schedule':
      return <Schedule schedule={loan.schedule} today={today} />
    case 'payments':
      return <AllPayments loan={loan} today={today} />
  }
}

function useTitle(sheet: LoanSheet): { title: string; description: string } {
  const { t } = useLingui()
  switch (sheet.kind) {
    case 'accept':
      return { title: t`Accept This Offer?`, description: t`What you agree to` }
    case 'offer-schedule':
    case 'schedule':
      return { title: t`Payment Schedule`, description: t`Every payment, with what it pays` }
    case 'withdraw-application':
      return sheet.application.status === 'offered'
        ? { title: t`Decline This Offer?`, description: t`It can't be accepted afterwards` }
        : { title: t`Withdraw Your Application?`, description: t`We stop reviewing it` }
    case 'pay':
      return { title: t`Pay Extra`, description: t`From your account, right away` }
    case 'settle':
      return { title: t`Settle Early`, description: t`What it takes to repay the whole loan today` }
    case 'pause':
      return { title: t`Pause Payments`, description: t`For up to three months` }
    case 'withdraw':
      return { title: t`Withdraw from This Loan?`, description: t`You pay back what you borrowed` }
    case 'payments':
      return { title: t({ message: 'Payments', context: 'made on a loan' }), description: t`The newest first` }
  }
}
