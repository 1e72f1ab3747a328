import { Trans, useLingui } from '@lingui/react/macro'
import { Coins, Ellipsis, Lock, type LucideIcon, Repeat, Target } from 'lucide-react'
import type { ReactNode } from 'react'
import { percentOf } from '#contract/money.ts'
import type { Goal } from '#contract/savings.ts'
import { GoalRings } from '#web/accounts/shared/goal-rings.tsx'
import { dateAndTime, shortDay } from '#web/i18n/dates.ts'
import { money, percentage } from '#web/i18n/formats.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Money } from '#web/ui/money.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type GoalCardProps = { goal: Goal; today: string; onOpen: (kind: 'add' | 'manage') => void }

/** Shows a savings goal, its progress and the button to add money. */
export function SavingsGoalCard({ goal, today, onOpen }: GoalCardProps) {
  const { t } = useLingui()
  const { name: goalName, savedMinor, targetMinor } = goal
  const percent = percentOf(savedMinor, targetMinor)
  return (
    <section aria-label={goalName}>
      <Card className="@container p-4">
        <div className="flex items-start gap-3">
          <GoalRings icon={goal.icon} percent={percent} />
          <div className="min-w-0 flex-1">
            <h3 className="leading-snug rtl:leading-normal font-semibold [overflow-wrap:anywhere]">{goalName}</h3>
            <Saved goal={goal} />
          </div>
          <IconButton
            icon={Ellipsis}
            label={t`Manage ${goalName}`}
            aria-haspopup="dialog"
            className="-me-2 -mt-1"
            onClick={() => onOpen('manage')}
          />
        </div>
        <div className="mt-3 flex items-center gap-3">
          <div className="min-w-0 flex-1">
            <Progress label={t`${goalName}, saved so far`} percent={percent} />
          </div>
          <span className="tabular text-sm font-semibold text-primary">{percentage(percent)}</span>
        </div>
        <Facts goal={goal} today={today} />
        <Button
          variant="secondary"
          size="small"
          className="mt-3.5 w-full"
          aria-label={t`Add Money to ${goalName}`}
          onClick={() => onOpen('add')}
        >
          <Trans context="to a savings goal">Add Money</Trans>
        </Button>
      </Card>
    </section>
  )
}

function Saved({ goal: { savedMinor, targetMinor, asset } }: Pick<GoalCardProps, 'goal'>) {
  const saved = <Money amountMinor={savedMinor} asset={asset} className="font-medium text-ink" />
  const target = <Money amountMinor={targetMinor} asset={asset} />
  return (
    <p className="text-sm text-ink-soft">
      <Trans comment="The saved amount and the target of a savings goal. Example: $1,200.00 of $3,000.00">
        {saved} of {target}
      </Trans>
    </p>
  )
}

/** Lists a goal's facts: its target date, automatic savings and lock. */
function Facts({ goal, today }: Pick<GoalCardProps, 'goal' | 'today'>) {
  const { asset, savedMinor, targetMinor, targetOn, monthlyNeedMinor, monthly, roundUpTimes, lockedUntil } = goal
  const facts = [
    savedMinor >= targetMinor && { key: 'reached', icon: Target, fact: <Trans>Goal reached</Trans> },
    monthlyNeedMinor !== null &&
      targetOn !== null && {
        key: 'need',
        icon: Target,
        fact: <Need amount={money(monthlyNeedMinor, asset)} day={shortDay(targetOn, today)} />,
      },
    monthly !== null && {
      key: 'monthly',
      icon: Repeat,
      fact: <Monthly amount={money(monthly.amountMinor, asset)} day={shortDay(monthly.nextOn, today)} />,
    },
    roundUpTimes !== null && { key: 'round-ups', icon: Coins, fact: <RoundUps times={roundUpTimes} /> },
    lockedUntil !== null && { key: 'lock', icon: Lock, fact: <LockFact goal={goal} today={today} /> },
  ].filter((fact) => fact !== false)
  if (facts.length === 0) return null
  return (
    <ul className="mt-3 flex flex-col gap-1.5 text-sm text-ink-soft">
      {facts.map(({ key, ...fact }) => (
        <Fact key={key} {...fact} />
      ))}
    </ul>
  )
}

function Fact({ icon: Icon, fact }: { icon: LucideIcon; fact: ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={2} />
      <span className="tabular min-w-0">{fact}</span>
    </li>
  )
}

function Need({ amount, day }: { amount: string; day: string }) {
  return (
    <Trans comment="{amount} is the monthly saving that reaches the goal by {day}">
      {amount} a month gets you there by {day}
    </Trans>
  )
}

function Monthly({ amount, day }: { amount: string; day: string }) {
  return (
    <Trans comment="The automatic monthly payment into a savings goal, and its next date">
      {amount} every month, next on {day}
    </Trans>
  )
}

function RoundUps({ times }: { times: number }) {
  if (times === 1) return <Trans>Rounds up your card payments</Trans>
  return (
    <Trans comment="{times} is the multiplier of each round-up: 2 or 5">Rounds up your card payments, ×{times}</Trans>
  )
}

function LockFact({ goal: { lockedUntil, unlocksAt }, today }: Pick<GoalCardProps, 'goal' | 'today'>) {
  if (unlocksAt !== null) {
    const moment = dateAndTime(unlocksAt)
    return <Trans comment="{moment} is a date with a time">Unlocks on {moment}</Trans>
  }
  const day = lockedUntil && shortDay(lockedUntil, today)
  return <Trans comment="{day} is a date">Locked until {day}</Trans>
}

export function SavingsGoalSkeleton() {
  return (
    <Card className="@container p-4">
      <div aria-hidden className="flex items-start gap-3">
        <Skeleton round className="size-14 shrink-0 @max-[12rem]:hidden" />
        <div className="min-w-0 flex-1">
          <Skeleton line className="w-32" />
          <Skeleton line className="w-40 text-sm" />
        </div>
      </div>
      <div className="mt-3 flex h-5 items-center text-sm">
        <Skeleton round className="h-2 w-full" />
      </div>
      <Skeleton round className="mt-3.5 h-11 w-full" />
    </Card>
  )
}
