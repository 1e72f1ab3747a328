import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LoanOverview } from '#contract/loans.ts'
import { useLazy } from '#web/lib/lazy.ts'
import { paths } from '#web/lib/paths.ts'
import { useRedirect } from '#web/lib/timeout.ts'
import { ApplyForm, type Obstacle } from '#web/loans/apply/apply-form.tsx'
import { isLoanOpen } from '#web/loans/shared/is-loan-open.ts'
import { ScoreDetails } from '#web/loans/apply/pre-approval.tsx'
import { loansQuery, preApprovalQuery } from '#web/loans/shared/queries.ts'
import { Columns } from '#web/ui/columns.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { useSheets } from '#web/ui/sheet.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const loadSheets = async () => (await import('#web/loans/sheets/loan-sheets.tsx')).LoanSheets

export function LoansScreen() {
  const { t } = useLingui()
  const query = useQuery(loansQuery)
  const { data } = query
  return (
    <QueryScreen query={query} title={t`Loans`} back={paths.dashboard} loading={t`Loading your loans`}>
      <Loans overview={data} />
    </QueryScreen>
  )
}

/** The code for loans and applications is loaded separately, because most customers have neither. */
const loadCurrent = () => import('#web/loans/current/current-loans.tsx')

function Loans({ overview }: { overview: LoanOverview | undefined }) {
  const redirect = useRedirect()
  const sheets = useSheets(loadSheets)
  // After the customer has applied, the screen shows the state before the application until the redirect.
  const [appliedFrom, setAppliedFrom] = useState<LoanOverview | null>(null)
  const displayedOverview = appliedFrom ?? overview
  const approval = useQuery(preApprovalQuery).data
  const hasPast = displayedOverview?.loans.some((loan) => !isLoanOpen(loan)) ?? false
  const hasCurrent =
    displayedOverview !== undefined &&
    (displayedOverview.loans.some(isLoanOpen) || displayedOverview.application !== null)
  const current = useLazy(loadCurrent, hasCurrent || hasPast)
  const obstacle = displayedOverview && obstacleOf(displayedOverview)
  const form = (
    <ApplyForm
      approval={approval}
      obstacle={obstacle}
      onApplied={() => {
        setAppliedFrom(overview ?? null)
        redirect(paths.dashboard, { afterMs: 2000 })
      }}
    />
  )
  const waits = obstacle === 'loan' || obstacle === 'application'
  return (
    <>
      <Columns>
        {!hasCurrent ? (
          form
        ) : current ? (
          <current.CurrentLoan overview={displayedOverview} onOpen={sheets.show} />
        ) : (
          <Skeleton className="h-96 !rounded-card" />
        )}
        <>
          {hasCurrent && current && <current.CurrentPayments overview={displayedOverview} onOpen={sheets.show} />}
          {hasCurrent && form}
          {!waits && (
            <ScoreDetails approval={approval} reasons={displayedOverview?.application?.status !== 'refused'} />
          )}
          {hasPast && current && displayedOverview && (
            <current.PastLoans overview={displayedOverview} onOpen={sheets.show} />
          )}
        </>
      </Columns>
      {current && overview && <current.RepaidLoans loans={overview.loans} />}
      {sheets.render(displayedOverview)}
    </>
  )
}

/** Returns the reason why a customer cannot apply now, or null if they can. */
function obstacleOf({ loans, application, mustVerify }: LoanOverview): Obstacle | null {
  if (loans.some(isLoanOpen)) return 'loan'
  if (application !== null && ['pending', 'offered'].includes(application.status)) return 'application'
  return mustVerify ? 'verify' : null
}
