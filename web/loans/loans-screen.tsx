import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Refusal } from '#contract/errors.ts'
import type { LoanApplication, LoanOverview } from '#contract/loans.ts'
import { messageOf } from '#web/lib/api.ts'
import { useLineUp } from '#web/lib/line.ts'
import { useOpened } from '#web/lib/on-demand.ts'
import { paths } from '#web/lib/paths.ts'
import { useTimeout } from '#web/lib/timeout.ts'
import { ApplicationCard } from '#web/loans/application-card.tsx'
import { ApplyForm } from '#web/loans/apply/apply-form.tsx'
import { LoanCard } from '#web/loans/loan-card.tsx'
import { isOpen, PastLoans } from '#web/loans/past-loans.tsx'
import { Payments } from '#web/loans/payments.tsx'
import { ScoreDetails } from '#web/loans/apply/pre-approval.tsx'
import { loansQuery, preApprovalQuery } from '#web/loans/queries.ts'
import type { LoanSheet } from '#web/loans/sheets/loan-sheets.tsx'
import { Columns } from '#web/ui/columns.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { withSheet } from '#web/ui/sheet.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

const REDIRECT_AFTER_MS = 2000

const loadSheets = withSheet(() => import('#web/loans/sheets/loan-sheets.tsx'))

/** Which sheet is open; it keeps what it shows while it leaves. */
function useSheets() {
  const [sheet, setSheet] = useState<LoanSheet | null>(null)
  const [open, setOpen] = useState(false)
  return {
    sheet,
    open,
    show: (next: LoanSheet) => {
      setSheet(next)
      setOpen(true)
    },
    close: () => setOpen(false),
  }
}

export function LoansScreen() {
  const { t } = useLingui()
  const query = useQuery(loansQuery)
  const isUp = useLineUp()
  const { data } = query
  if (query.errorUpdateCount > 0 && !data) {
    const error = query.error ?? new Refusal(isUp ? 'unavailable' : 'unreachable')
    return (
      <Screen title={t`Loans`} back={paths.dashboard}>
        <Failure message={messageOf(error)} busy={query.isFetching} onRetry={() => void query.refetch()} />
      </Screen>
    )
  }
  return (
    <Screen title={t`Loans`} back={paths.dashboard}>
      {!data && <Loading label={t`Loading your loans`} />}
      <Loans overview={data} />
    </Screen>
  )
}

/** An application that keeps a customer from another one. */
const isWaiting = (application: LoanApplication | null) =>
  application !== null && ['pending', 'offered'].includes(application.status)

function Loans({ overview }: { overview: LoanOverview | undefined }) {
  const navigate = useNavigate()
  const schedule = useTimeout()
  const { sheet, open, show, close } = useSheets()
  const sheets = useOpened(loadSheets, open, close)
  // Whoever has just applied sees what they applied for until they are led back.
  const [appliedFrom, setAppliedFrom] = useState<LoanOverview | null>(null)
  const { loans = [], application = null, today = '' } = appliedFrom ?? overview ?? {}
  const approval = useQuery(preApprovalQuery).data
  const loan = loans.find(isOpen)
  const obstacle = overview && (loan ? 'loan' : isWaiting(application) ? 'application' : null)
  const form = (
    <ApplyForm
      approval={approval}
      obstacle={obstacle}
      onApplied={() => {
        setAppliedFrom(overview ?? null)
        schedule(() => void navigate(paths.dashboard), REDIRECT_AFTER_MS)
      }}
    />
  )
  const score = <ScoreDetails approval={approval} />
  const past = <PastLoans loans={loans} today={today} onOpen={show} />
  return (
    <>
      {loan ? (
        <Columns>
          <LoanCard key={loan.id} loan={loan} today={today} onOpen={show} />
          <>
            <Payments loan={loan} today={today} onOpen={show} />
            {form}
            {past}
          </>
        </Columns>
      ) : application ? (
        <Columns>
          <>
            <ApplicationCard application={application} today={today} onOpen={show} />
            {past}
          </>
          <>
            {form}
            {obstacle === null && score}
          </>
        </Columns>
      ) : (
        <Columns>
          <>{form}</>
          <>
            {score}
            {past}
          </>
        </Columns>
      )}
      {sheets && sheet && <sheets.LoanSheets sheet={sheet} open={open} today={today} onClose={close} />}
    </>
  )
}
