import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Leaf } from 'lucide-react'
import { useDeferredValue } from 'react'
import { Link } from 'react-router'
import type { Dashboard } from '#contract/accounts.ts'
import { useFirstSalary } from '#web/accounts/shared/first-salary.ts'
import { NoTransactions } from '#web/accounts/shared/no-transactions.tsx'
import { ActionsCard, BalanceCard } from '#web/accounts/dashboard/balance-card.tsx'
import { Features } from '#web/accounts/dashboard/features.tsx'
import { DashboardGoalCard, DashboardGoalSkeleton } from '#web/accounts/dashboard/goal-card.tsx'
import { Greeting } from '#web/accounts/dashboard/greeting.tsx'
import { NewcomerLine, useNewcomer } from '#web/accounts/dashboard/newcomer.tsx'
import { UpcomingPayments } from '#web/accounts/dashboard/upcoming.tsx'
import { UnansweredCard } from '#web/accounts/dashboard/unanswered-card.tsx'
import { dashboardQuery, useBusinessDay } from '#web/accounts/queries.ts'
import { TransactionRows } from '#web/accounts/shared/transaction-row.tsx'
import { OwedCard } from '#web/owed/shared/owed-card.tsx'
import { paths } from '#web/lib/paths.ts'
import { useStoredSwitch } from '#web/lib/stored-switch.ts'
import { Columns } from '#web/ui/columns.tsx'
import { LoadFailure, hasLoadFailed } from '#web/ui/load-failure.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

export function DashboardScreen() {
  const { t } = useLingui()
  const dashboard = useQuery(dashboardQuery)
  // A deferred value lets React render in slices, so that the screen reacts to input meanwhile.
  const data = useDeferredValue(dashboard.data)
  useFirstSalary(dashboard.data?.recent)
  const [hidden, setHidden] = useStoredSwitch('alder.balance-hidden', false)
  const { isSample, isNew, dismiss } = useNewcomer()
  const newcomerLine = isNew && <NewcomerLine onDismiss={dismiss} />
  const note = isSample && <SampleNote hasControls={!isNew} />
  // After a failed request, the error stays on the screen until data arrives, however often the request is retried.
  if (hasLoadFailed({ ...dashboard, data })) {
    return (
      <Screen
        title={t`Home`}
        header={
          <Greeting data={undefined} isWaiting={false} hidden={hidden}>
            {newcomerLine}
          </Greeting>
        }
      >
        <LoadFailure {...dashboard} />
        <ActionsCard />
        <Features />
        {note}
      </Screen>
    )
  }
  return (
    <Screen
      title={t`Home`}
      className="!gap-3"
      header={
        <Greeting data={data} hidden={hidden}>
          {newcomerLine}
        </Greeting>
      }
    >
      {!data && <Loading label={t`Loading your account`} />}
      <Columns>
        <>
          <BalanceCard account={data?.account} hidden={hidden} onHiddenChange={setHidden} />
          <UnansweredCard unanswered={data?.unanswered} hidden={hidden} />
          <OwedCard owed={data?.owed} />
          {data ? data.goal && <DashboardGoalCard goal={data.goal} hidden={hidden} /> : <DashboardGoalSkeleton />}
          <Features />
        </>
        <>
          <Recent recent={data?.recent} hidden={hidden} />
          {data?.upcoming && <UpcomingPayments upcoming={data.upcoming} hidden={hidden} />}
          {note}
        </>
      </Columns>
    </Screen>
  )
}

function Recent({ recent, hidden }: { recent: Dashboard['recent'] | undefined; hidden: boolean }) {
  const { t } = useLingui()
  const today = useBusinessDay()
  return (
    <Section
      title={t`Recent Transactions`}
      className="-mt-2"
      action={
        <Link
          to={paths.transactions}
          className="-ms-2 -me-1 inline-flex min-h-11 items-center gap-0.5 rounded-full px-2 text-[0.9375rem] font-semibold text-primary"
        >
          <Trans comment="Opens the list of all transactions">See All</Trans>
          <ChevronRight aria-hidden className="size-4 rtl:-scale-x-100" strokeWidth={2.4} />
        </Link>
      }
    >
      <Card>
        {!recent && <RowSkeletons count={5} />}
        {recent && recent.length > 0 && <TransactionRows transactions={recent} today={today} hidden={hidden} />}
        {recent?.length === 0 && <NoTransactions icon={Leaf} />}
      </Card>
    </Section>
  )
}

/** States that the money is not real. Links to the sample panel if the newcomer's note above has no such link. */
function SampleNote({ hasControls }: { hasControls: boolean }) {
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-2 text-center text-sm text-ink-soft">
      <Trans>This is a sample bank. No real money moves.</Trans>
      <span className="flex flex-wrap justify-center gap-x-3">
        {hasControls && (
          <Link to={paths.sample} className="inline-flex min-h-11 items-center px-1 font-semibold text-primary">
            <Trans>Sample Controls</Trans>
          </Link>
        )}
        <Link to={paths.sampleMail} className="inline-flex min-h-11 items-center px-1 font-semibold text-primary">
          <Trans>Open Mailbox</Trans>
        </Link>
      </span>
    </p>
  )
}
