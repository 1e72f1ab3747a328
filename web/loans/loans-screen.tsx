import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Refusal } from '#contract/errors.ts'
import type { LoanOverview } from '#contract/loans.ts'
import { messageOf } from '#web/lib/api.ts'
import { useLineUp } from '#web/lib/line.ts'
import { useOnDemand, useOpened } from '#web/lib/on-demand.ts'
import { paths } from '#web/lib/paths.ts'
import { useTimeout } from '#web/lib/timeout.ts'
import { ApplyForm, type Obstacle } from '#web/loans/apply/apply-form.tsx'
import { isOpen } from '#web/loans/shared/open-loan.ts'
import { ScoreDetails } from '#web/loans/apply/pre-approval.tsx'
import { loansQuery, preApprovalQuery } from '#web/loans/shared/queries.ts'
import type { LoanSheet } from '#web/loans/shared/loan-sheet.ts'
import { Columns } from '#web/ui/columns.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { useSheets, withSheet } from '#web/ui/sheet.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

const REDIRECT_AFTER_MS = 2000

const loadSheets = withSheet(() => import('#web/loans/sheets/loan-sheets.tsx'))

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

/** What a customer has besides the calculator comes after it, for most have nothing. */
const loadCurrent = () => import('#web/loans/current/current-loans.tsx')

function Loans({ overview }: { overview: LoanOverview | undefined }) {
  const navigate = useNavigate()
  const schedule = useTimeout()
  const { sheet, open, show, close } = useSheets<LoanSheet>()
  const sheets = useOpened(loadSheets, open, close)
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
        schedule(() => void navigate(paths.dashboard), REDIRECT_AFTER_MS)
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
          <current.CurrentLoan overview={shown} onOpen={show} />
        ) : (
          <Skeleton className="h-96 !rounded-card" />
        )}
        <>
          {hasCurrent && current && <current.CurrentPayments overview={shown} onOpen={show} />}
          {hasCurrent && form}
          {!waits && <ScoreDetails approval={approval} reasons={shown?.application?.status !== 'refused'} />}
          {hasPast && current && shown && <current.PastLoans overview={shown} onOpen={show} />}
        </>
      </Columns>
      {sheets && sheet && shown && <sheets.LoanSheets sheet={sheet} open={open} today={shown.today} onClose={close} />}
    </>
  )
}

/** Why a customer cannot apply just now; null where they can. */
function obstacleOf({ loans, application, mustVerify }: LoanOverview): Obstacle | null {
  if (loans.some(isOpen)) return 'loan'
  if (application !== null && ['pending', 'offered'].includes(application.status)) return 'application'
  return mustVerify ? 'verify' : null
}
