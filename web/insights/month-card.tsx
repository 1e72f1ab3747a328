import { Trans, useLingui } from '@lingui/react/macro'
import type { Analytics } from '#contract/analytics.ts'
import { monthName } from '#web/i18n/dates.ts'
import { signedPercentage } from '#web/i18n/formats.ts'
import { perLanguage } from '#web/i18n/per-language.ts'
import { MonthRings } from '#web/insights/month-rings.tsx'
import { isCurrentMonth } from '#web/insights/current-month.ts'
import { FitMoney, SpokenFigure } from '#web/ui/money.tsx'
import { MonthSteps, MonthStepsSkeleton } from '#web/ui/month-steps.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type MonthCardProps = {
  analytics: Analytics | undefined
  /** Whether the figures belong to the previously shown month, while the chosen one loads. */
  isOld: boolean
  onMonth: (month: string) => void
}

/** Shows a month's spending, its change, and buttons for other months. */
export function MonthCard({ analytics, isOld, onMonth }: MonthCardProps) {
  const { t } = useLingui()
  return (
    <section
      aria-label={t`Your spending`}
      aria-busy={isOld || undefined}
      className="on-brand @container relative isolate overflow-hidden rounded-[1.75rem] bg-linear-to-br from-brand to-brand-deep p-5 text-on-brand shadow-card"
    >
      {analytics && (
        <MonthRings
          trend={analytics.trend}
          month={analytics.month}
          className="absolute -end-14 -top-14 -z-10 size-60 rtl:-scale-x-100"
        />
      )}
      {analytics ? (
        <>
          <MonthSteps month={analytics.month} months={analytics.months} onMonth={onMonth} />
          <p className="mt-1 text-[0.9375rem] text-on-brand-soft">
            {isCurrentMonth(analytics) ? <Trans>This Month</Trans> : <Trans>Spent</Trans>}
          </p>
          <FitMoney
            amountMinor={analytics.spentMinor}
            asset={analytics.asset}
            most="2.75rem"
            smallDecimals
            className="font-semibold tracking-[-0.03em]"
          />
          <p className="mt-1 min-h-[1lh] text-[0.9375rem] text-on-brand">
            {analytics.changeBps !== null && <Change bps={analytics.changeBps} analytics={analytics} />}
          </p>
        </>
      ) : (
        <>
          <MonthStepsSkeleton />
          <p className="mt-1 text-[0.9375rem] text-on-brand-soft">
            <Trans>This Month</Trans>
          </p>
          <Skeleton line className="w-[4.5em] text-[2.75rem] !bg-on-brand/15" />
          <Skeleton line className="mt-1 w-60 text-[0.9375rem] !bg-on-brand/15" />
        </>
      )}
    </section>
  )
}

const DAYS = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' }),
)

/**
 * Shows the change of the spending. A running month is compared with the same days of the previous month, a past month with the
 * whole previous month.
 */
function Change({ bps, analytics }: { bps: number; analytics: Analytics }) {
  const { from, to } = analytics.comparedWith
  const change = (
    <bdi className="tabular font-semibold text-on-brand">
      <SpokenFigure text={signedPercentage(bps / 100)} />
    </bdi>
  )
  if (isCurrentMonth(analytics)) {
    const days = <bdi className="whitespace-nowrap">{DAYS().formatRange(new Date(from), new Date(to))}</bdi>
    return (
      <Trans comment="{change} is a signed percentage, {days} the period of comparison. Example: -8.5% vs last month (Jul 1 – 28)">
        {change} vs last month ({days})
      </Trans>
    )
  }
  const month = monthName(from)
  return (
    <Trans comment="{change} is a signed percentage, {month} the previous month. Example: +2.4% vs June">
      {change} vs {month}
    </Trans>
  )
}
