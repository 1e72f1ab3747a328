import { Trans, useLingui } from '@lingui/react/macro'
import type { Analytics } from '#contract/analytics.ts'
import { monthName } from '#web/i18n/dates.ts'
import { signedPercentage } from '#web/i18n/formats.ts'
import { perLanguage } from '#web/i18n/per-language.ts'
import { MonthRings } from '#web/insights/month-rings.tsx'
import { isRunning } from '#web/insights/running.ts'
import { FitMoney, Said } from '#web/ui/money.tsx'
import { MonthSteps, MonthStepsSkeleton } from '#web/ui/month-steps.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type MonthCardProps = {
  analytics: Analytics | undefined
  /** Of a month that is on its way, another is shown until it is there. */
  isOld: boolean
  onMonth: (month: string) => void
}

/** What was spent in a month, how that changed, and the way to other months. */
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
            {isRunning(analytics) ? <Trans>This Month</Trans> : <Trans>Spent</Trans>}
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

/** A month that still runs is compared with the same days of the last; one that is over, with the whole month before it. */
function Change({ bps, analytics }: { bps: number; analytics: Analytics }) {
  const { from, to } = analytics.comparedWith
  const change = (
    <bdi className="tabular font-semibold text-on-brand">
      <Said text={signedPercentage(bps / 100)} />
    </bdi>
  )
  if (isRunning(analytics)) {
    const days = <bdi className="whitespace-nowrap">{DAYS().formatRange(new Date(from), new Date(to))}</bdi>
    return (
      <Trans comment="{change} is a signed percentage, {days} the days that are compared with: -8.5% vs last month (Jul 1 – 28)">
        {change} vs last month ({days})
      </Trans>
    )
  }
  const month = monthName(from)
  return (
    <Trans comment="{change} is a signed percentage, {month} the month before the one that is shown: +2.4% vs June">
      {change} vs {month}
    </Trans>
  )
}
