import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Bell, Car, ChevronRight, Gift, House, Leaf, type LucideIcon, Plane, Settings, Umbrella } from 'lucide-react'
import { Link } from 'react-router'
import type { Dashboard, GoalIcon } from '#contract/accounts.ts'
import { percentOf } from '#contract/money.ts'
import { NothingYet } from '#web/accounts/shared/nothing-yet.tsx'
import { BalanceCard } from '#web/accounts/dashboard/balance-card.tsx'
import { Features, QuickActions } from '#web/accounts/dashboard/dashboard-links.tsx'
import { dashboardQuery, useBusinessNow } from '#web/accounts/queries.ts'
import { TransactionRows } from '#web/accounts/transaction-row.tsx'
import { messageOf } from '#web/lib/api.ts'
import { meQuery } from '#web/lib/me.ts'
import { greeting } from '#web/i18n/dates.ts'
import { percentage } from '#web/i18n/formats.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { IconLink } from '#web/ui/icon-button.tsx'
import { Money } from '#web/ui/money.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons, Skeleton } from '#web/ui/skeleton.tsx'

export function DashboardScreen() {
  const { t } = useLingui()
  const dashboard = useQuery(dashboardQuery)
  const { data } = dashboard
  if (dashboard.isError && !data) {
    return (
      <Screen title={t`Dashboard`}>
        <Failure message={messageOf(dashboard.error)} onRetry={() => void dashboard.refetch()} />
      </Screen>
    )
  }
  return (
    <Screen title={t`Dashboard`} header={<Greeting data={data} />}>
      {!data && <Loading label={t`Loading your account`} />}
      <BalanceCard account={data?.account} />
      <QuickActions />
      {data ? data.goal && <GoalCard goal={data.goal} /> : <GoalSkeleton />}
      <Features />
      <Recent recent={data?.recent} />
      <SampleNote />
    </Screen>
  )
}

function Greeting({ data }: { data: Dashboard | undefined }) {
  const { t } = useLingui()
  const unread = data?.unreadNotifications ?? 0
  return (
    <header className="flex min-h-18 items-center gap-0.5 ps-5 pe-2.5 pt-3 pb-1">
      <h1 tabIndex={-1} className="min-w-0 flex-1">
        <Salutation fullName={data?.customer.fullName} />
      </h1>
      <IconLink
        icon={Bell}
        label={
          unread > 0
            ? plural(unread, { one: 'Notifications, # unread', other: 'Notifications, # unread' })
            : t`Notifications`
        }
        dot={unread > 0}
        to={paths.notifications}
      />
      <IconLink icon={Settings} label={t`Settings`} to={paths.settings} />
    </header>
  )
}

/** What stands for the title: 'Good morning' and the name, once both are known. */
function Salutation({ fullName }: { fullName: string | undefined }) {
  const now = useBusinessNow()
  if (fullName === undefined || !now) {
    return (
      <>
        <span className="sr-only">
          <Trans>Dashboard</Trans>
        </span>
        <Skeleton className="mb-1.5 h-4 w-24" />
        <Skeleton className="h-6 w-40" />
      </>
    )
  }
  const greetingOfHour = greeting(now)
  return (
    <Trans comment="Good morning, Sofia: the greeting and the name stand on two lines; the comma is only read aloud">
      <span className="block text-sm text-ink-soft">
        {greetingOfHour}
        <span className="sr-only">, </span>
      </span>
      <span className="block truncate text-xl leading-tight font-semibold tracking-tight">{fullName}</span>
    </Trans>
  )
}

const GOAL_LOOKS: Record<GoalIcon, LucideIcon> = {
  plane: Plane,
  umbrella: Umbrella,
  car: Car,
  home: House,
  gift: Gift,
  leaf: Leaf,
}

function GoalCard({ goal }: { goal: NonNullable<Dashboard['goal']> }) {
  const { t } = useLingui()
  const percent = percentOf(goal.savedMinor, goal.targetMinor)
  const { name: goalName } = goal
  const saved = <Money amountMinor={goal.savedMinor} asset={goal.asset} className="font-medium text-ink" />
  const target = <Money amountMinor={goal.targetMinor} asset={goal.asset} />
  const Icon = GOAL_LOOKS[goal.icon]
  return (
    <section aria-label={t`Savings goal`}>
      <Card className="p-4">
        <div className="flex items-center gap-3">
          <span
            aria-hidden
            className="grid size-11 shrink-0 place-items-center rounded-full bg-primary-subtle text-primary"
          >
            <Icon className="size-5" strokeWidth={1.9} />
          </span>
          <div className="min-w-0 flex-1">
            <h2 className="truncate font-semibold">{goalName}</h2>
            <p className="text-sm text-ink-soft">
              <Trans comment="What is saved of what a savings goal needs: $1,200.00 of $3,000.00">
                {saved} of {target}
              </Trans>
            </p>
          </div>
          <ButtonLink to={paths.savings} variant="secondary" size="small" aria-label={t`Add to ${goalName}`}>
            <Trans context="money to a savings goal">Add</Trans>
          </ButtonLink>
        </div>
        <div className="mt-3.5 flex items-center gap-3">
          <div className="flex-1">
            <Progress label={t`${goalName}, saved so far`} percent={percent} />
          </div>
          <span className="tabular text-sm font-semibold text-primary">{percentage(percent)}</span>
        </div>
      </Card>
    </section>
  )
}

function GoalSkeleton() {
  return (
    <Card className="p-4">
      <div aria-hidden className="flex items-center gap-3">
        <Skeleton round className="size-11" />
        <div className="flex-1 space-y-2">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-3.5 w-40" />
        </div>
        <Skeleton round className="h-11 w-16" />
      </div>
      <Skeleton round className="mt-5 mb-1.5 h-2 w-full" />
    </Card>
  )
}

function Recent({ recent }: { recent: Dashboard['recent'] | undefined }) {
  const { t } = useLingui()
  const now = useBusinessNow()
  return (
    <Section
      title={t`Recent Transactions`}
      action={
        <Link
          to={paths.transactions}
          className="-me-1 inline-flex min-h-11 items-center gap-0.5 rounded-full px-2 text-[0.9375rem] font-semibold text-primary"
        >
          <Trans comment="All transactions">See All</Trans>
          <ChevronRight aria-hidden className="size-4 rtl:-scale-x-100" strokeWidth={2.4} />
        </Link>
      }
    >
      <Card>
        {!recent && <RowSkeletons count={5} />}
        {recent && recent.length > 0 && <TransactionRows transactions={recent} now={now} />}
        {recent?.length === 0 && <NothingYet icon={Leaf} />}
      </Card>
    </Section>
  )
}

/** In a sample bank: says that the money is not real, and leads to the sample panel. */
function SampleNote() {
  const { data } = useQuery(meQuery)
  if (data?.mode !== 'sample') return null
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-2 text-sm text-ink-soft">
      <Trans>This is a sample bank. No real money moves.</Trans>
      <span className="flex gap-x-3">
        <Link to={paths.sample} className="inline-flex min-h-11 items-center px-1 font-semibold text-primary">
          <Trans>Sample Controls</Trans>
        </Link>
        <Link to={paths.sampleMail} className="inline-flex min-h-11 items-center px-1 font-semibold text-primary">
          <Trans>Open Mailbox</Trans>
        </Link>
      </span>
    </p>
  )
}
