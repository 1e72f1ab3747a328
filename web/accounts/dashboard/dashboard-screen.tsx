import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Leaf } from 'lucide-react'
import { useDeferredValue } from 'react'
import { Link } from 'react-router'
import type { Dashboard } from '#contract/accounts.ts'
import { useFirstSalary } from '#web/accounts/shared/first-salary.ts'
import { NothingYet } from '#web/accounts/shared/nothing-yet.tsx'
import { ActionsCard, BalanceCard } from '#web/accounts/dashboard/balance-card.tsx'
import { Features } from '#web/accounts/dashboard/features.tsx'
import { GoalCard, GoalSkeleton } from '#web/accounts/dashboard/goal-card.tsx'
import { Greeting } from '#web/accounts/dashboard/greeting.tsx'
import { NewcomerLine, useNewcomer } from '#web/accounts/dashboard/newcomer.tsx'
import { Upcoming } from '#web/accounts/dashboard/upcoming.tsx'
import { UnansweredCard } from '#web/accounts/dashboard/unanswered-card.tsx'
import { dashboardQuery, useBusinessDay } from '#web/accounts/queries.ts'
import { TransactionRows } from '#web/accounts/shared/transaction-row.tsx'
import { OwedCard } from '#web/owed/shared/owed-card.tsx'
import { paths } from '#web/lib/paths.ts'
import { useStoredSwitch } from '#web/lib/stored.ts'
import { Columns } from '#web/ui/columns.tsx'
import { Failure, hasFailed } from '#web/ui/failure.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

export function DashboardScreen() {
  const { t } = useLingui()
  const dashboard = useQuery(dashboardQuery)
  // Drawn in slices, so that the screen answers to what is pressed meanwhile.
  const data = useDeferredValue(dashboard.data)
  useFirstSalary(dashboard.data?.recent)
  const [hidden, setHidden] = useStoredSwitch('alder.balance-hidden', false)
  const { isSample, isNew, dismiss } = useNewcomer()
  const told = isNew && <NewcomerLine onDismiss={dismiss} />
  const note = isSample && <SampleNote hasControls={!isNew} />
  // Once it has failed it says so until there is something to show, however often it is tried behind that.
  if (hasFailed({ ...dashboard, data })) {
    return (
      <Screen
        title={t`Dashboard`}
        header={
          <Greeting data={undefined} isWaiting={false} hidden={hidden}>
            {told}
          </Greeting>
        }
      >
        <Failure {...dashboard} />
        <ActionsCard />
        <Features />
        {note}
      </Screen>
    )
  }
  return (
    <Screen
      title={t`Dashboard`}
      className="!gap-3"
      header={
        <Greeting data={data} hidden={hidden}>
          {told}
        </Greeting>
      }
    >
      {!data && <Loading label={t`Loading your account`} />}
      <Columns>
        <>
          <BalanceCard account={data?.account} hidden={hidden} onHide={setHidden} />
          <UnansweredCard unanswered={data?.unanswered} hidden={hidden} />
          <OwedCard owed={data?.owed} />
          {data ? data.goal && <GoalCard goal={data.goal} hidden={hidden} /> : <GoalSkeleton />}
          <Features />
        </>
        <>
          <Recent recent={data?.recent} hidden={hidden} />
          {data?.upcoming && <Upcoming upcoming={data.upcoming} hidden={hidden} />}
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
          <Trans comment="All transactions">See All</Trans>
          <ChevronRight aria-hidden className="size-4 rtl:-scale-x-100" strokeWidth={2.4} />
        </Link>
      }
    >
      <Card>
        {!recent && <RowSkeletons count={5} />}
        {recent && recent.length > 0 && <TransactionRows transactions={recent} today={today} hidden={hidden} />}
        {recent?.length === 0 && <NothingYet icon={Leaf} />}
      </Card>
    </Section>
  )
}

/** Says that the money is not real, and leads to the sample panel where nothing above does. */
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
