import { Trans, useLingui } from '@lingui/react/macro'
import type { Dashboard } from '#contract/accounts.ts'
import { percentOf } from '#contract/money.ts'
import { GoalRings } from '#web/accounts/shared/goal-rings.tsx'
import { HiddenFigure } from '#web/accounts/shared/hidden-figure.tsx'
import { percentage } from '#web/i18n/formats.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Money } from '#web/ui/money.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const LINE = 'flex flex-wrap items-center gap-x-3 gap-y-2'

type GoalCardProps = { goal: NonNullable<Dashboard['goal']>; hidden: boolean }

/** Shows the first savings goal and a button to add money to it. */
export function DashboardGoalCard({ goal, hidden }: GoalCardProps) {
  const { t } = useLingui()
  const percent = percentOf(goal.savedMinor, goal.targetMinor)
  const { name: goalName } = goal
  return (
    <section aria-label={t`Savings goal`}>
      <Card className="@container px-4 py-2">
        <div className={LINE}>
          <GoalRings icon={goal.icon} percent={hidden ? undefined : percent} />
          <div className="min-w-0 flex-1 basis-28">
            <div className="flex items-baseline justify-between gap-2">
              <h2 className="line-clamp-2 min-w-0 leading-snug rtl:leading-normal font-semibold">{goalName}</h2>
              {!hidden && <span className="tabular text-sm font-semibold text-primary">{percentage(percent)}</span>}
            </div>
            {!hidden && (
              <div className="my-1 [&>*]:h-1.5">
                <Progress label={t`${goalName}, saved so far`} percent={percent} />
              </div>
            )}
            <p className="text-sm text-ink-soft">{hidden ? <HiddenFigure /> : <Saved goal={goal} />}</p>
          </div>
          <ButtonLink
            to={paths.savings}
            variant="secondary"
            size="small"
            aria-label={t`Add to ${goalName}`}
            className="@max-[9rem]:flex-1"
          >
            <Trans context="money to a savings goal">Add</Trans>
          </ButtonLink>
        </div>
      </Card>
    </section>
  )
}

function Saved({ goal }: Pick<GoalCardProps, 'goal'>) {
  const saved = <Money amountMinor={goal.savedMinor} asset={goal.asset} className="font-medium text-ink" />
  const target = <Money amountMinor={goal.targetMinor} asset={goal.asset} />
  return (
    <Trans comment="The saved amount and the target of a savings goal. Example: $1,200.00 of $3,000.00">
      {saved} of {target}
    </Trans>
  )
}

export function DashboardGoalSkeleton() {
  return (
    <Card className="@container px-4 py-2">
      <div aria-hidden className={LINE}>
        <Skeleton round className="size-14 @max-[12rem]:hidden" />
        <div className="min-w-0 flex-1 basis-28">
          <Skeleton line className="w-32" />
          <Skeleton round className="my-1 h-1.5 w-full" />
          <Skeleton line className="w-40 text-sm" />
        </div>
        <Skeleton round className="h-11 w-16" />
      </div>
    </Card>
  )
}
