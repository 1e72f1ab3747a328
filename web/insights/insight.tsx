import { Trans, useLingui } from '@lingui/react/macro'
import { Lightbulb } from 'lucide-react'
import type { Analytics, SmartInsight } from '#contract/analytics.ts'
import { money, percentage } from '#web/i18n/formats.ts'
import { SPENDING_LOOKS } from '#web/insights/category-words.ts'
import { isRunning } from '#web/insights/running.ts'
import { RowIcon } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** What is worth saying of the month first. */
export function Insight({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useLingui()
  return (
    <section aria-label={t`Smart Insight`}>
      <Card className="@container flex items-center gap-3 p-4">
        <RowIcon icon={Lightbulb} tint="orange" />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">
            <Trans>Smart Insight</Trans>
          </h2>
          <p className="text-[0.9375rem] text-pretty text-ink-soft">
            {analytics ? (
              <Said insight={analytics.insight} ofThisMonth={isRunning(analytics)} />
            ) : (
              <>
                <Skeleton line className="w-full" />
                <Skeleton line className="w-3/4" />
              </>
            )}
          </p>
        </div>
      </Card>
    </section>
  )
}

function Said({ insight, ofThisMonth }: { insight: SmartInsight; ofThisMonth: boolean }) {
  const { t } = useLingui()
  if (insight.code === 'nothing_spent') return <Trans>Nothing spent in this month yet.</Trans>
  const name = t(SPENDING_LOOKS[insight.category].name)
  const amount = 'amountMinor' in insight ? money(insight.amountMinor, 'USD') : ''
  const share = 'percent' in insight ? percentage(insight.percent) : ''
  switch (insight.code) {
    case 'over_budget':
      return (
        <Trans comment="{name} is a category of spending">
          You're {amount} over your budget for {name}.
        </Trans>
      )
    case 'near_budget':
      return (
        <Trans comment="{name} is a category of spending">
          You've used {share} of your budget for {name}.
        </Trans>
      )
    case 'category_up':
      return ofThisMonth ? (
        <Trans comment="{name} is a category of spending, {share} a percentage">
          You've spent {share} more on {name} than at this point last month: {amount} more.
        </Trans>
      ) : (
        <Trans comment="{name} is a category of spending, {share} a percentage">
          You spent {share} more on {name} than the month before: {amount} more.
        </Trans>
      )
    case 'category_down':
      return ofThisMonth ? (
        <Trans comment="{name} is a category of spending, {share} a percentage">
          You've spent {share} less on {name} than at this point last month: {amount} less.
        </Trans>
      ) : (
        <Trans comment="{name} is a category of spending, {share} a percentage">
          You spent {share} less on {name} than the month before: you saved {amount}.
        </Trans>
      )
    case 'largest':
      return (
        <Trans comment="{name} is a category of spending, {share} a percentage">
          You spent most on {name}: {share} of the total.
        </Trans>
      )
  }
}
