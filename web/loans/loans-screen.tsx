import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LoanOverview } from '#contract/loans.ts'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { paths } from '#web/lib/paths.ts'
import { useRedirect } from '#web/lib/timeout.ts'
import { ApplyForm, type Obstacle } from '#web/loans/apply/apply-form.tsx'
import { isOpen } from '#web/loans/shared/open-loan.ts'
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

/** What a customer has besides the calculator comes after it, for most have nothing. */
const loadCurrent = () => import('#web/loans/current/current-loans.tsx')

function Loans({ overview }: { overview: LoanOverview | undefined }) {
  const redirect = useRedirect()
  const sheets = useSheets(loadSheets)
  // Whoever has just applied sees what they applied for until they are led back.
  const [appliedFrom, setAppliedFrom] = useState<LoanOverview | null>(null)
  const shown = appliedFrom ?? overview
  const approval = useQuery(preApprovalQuery).data
  const hasPast = shown?.loans.some((loan) => !isOpen(loan)) ?? false
  const hasCurrent = shown !== undefined && (shown.loans.some(isOpen) || shown.application !== null)
  const current = useOnDemand(loadCurrent, hasCurrent || hasPast)
  const obstacle = shown && obstacleOf(shown)
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
          <current.CurrentLoan overview={shown} onOpen={sheets.show} />
        ) : (
          <Skeleton className="h-96 !rounded-card" />
        )}
        <>
          {hasCurrent && current && <current.CurrentPayments overview={shown} onOpen={sheets.show} />}
          {hasCurrent && form}
          {!waits && <ScoreDetails approval={approval} reasons={shown?.application?.status !== 'refused'} />}
          {hasPast && current && shown && <current.PastLoans overview={shown} onOpen={sheets.show} />}
        </>
      </Columns>
      {current && overview && <current.RepaidLoans loans={overview.loans} />}
      {sheets.render(shown)}
    </>
  )
}

/** Why a customer cannot apply just now; null where they can. */
function obstacleOf({ loans, application, mustVerify }: LoanOverview): Obstacle | null {
  if (loans.some(isOpen)) return 'loan'
  if (application !== null && ['pending', 'offered'].includes(application.status)) return 'application'
  return mustVerify ? 'verify' : null
}
