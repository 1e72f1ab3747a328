import { Trans, useLingui } from '@lingui/react/macro'
import { Lightbulb } from 'lucide-react'
import type { Analytics, SmartInsight } from '#contract/analytics.ts'
import { money, percentage } from '#web/i18n/formats.ts'
import { SPENDING_LOOKS } from '#web/insights/category-words.ts'
import { isCurrentMonth } from '#web/insights/current-month.ts'
import { RowIcon } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the most important fact about the month. */
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
              <InsightText insight={analytics.insight} ofThisMonth={isCurrentMonth(analytics)} />
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

function InsightText({ insight, ofThisMonth }: { insight: SmartInsight; ofThisMonth: boolean }) {
  const { t } = useLingui()
  if (insight.code === 'nothing_spent') return <Trans>No spending this month yet.</Trans>
  const name = t(SPENDING_LOOKS[insight.category].name)
  const amount = 'amountMinor' in insight ? money(insight.amountMinor, 'USD') : ''
  const share = 'percent' in insight ? percentage(insight.percent) : ''
  switch (insight.code) {
    case 'over_budget':
      return (
        <Trans comment="{name} is a spending category">
          You're {amount} over your budget for {name}.
        </Trans>
      )
    case 'near_budget':
      return (
        <Trans comment="{name} is a spending category">
          You've used {share} of your budget for {name}.
        </Trans>
      )
    case 'category_up':
      return ofThisMonth ? (
        <Trans comment="{name} is a spending category, {share} a percentage">
          You've spent {amount} ({share}) more on {name} than at this point last month.
        </Trans>
      ) : (
        <Trans comment="{name} is a spending category, {share} a percentage">
          You spent {amount} ({share}) more on {name} than the month before.
        </Trans>
      )
    case 'category_down':
      return ofThisMonth ? (
        <Trans comment="{name} is a spending category, {share} a percentage">
          You've spent {amount} ({share}) less on {name} than at this point last month.
        </Trans>
      ) : (
        <Trans comment="{name} is a spending category, {share} a percentage">
          You spent {amount} ({share}) less on {name} than the month before.
        </Trans>
      )
    case 'largest':
      return (
        <Trans comment="{name} is a spending category, {share} a percentage">
          You spent most on {name}: {share} of the total.
        </Trans>
      )
  }
}
