import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { Analytics } from '#contract/analytics.ts'
import { monthAndYear } from '#web/i18n/dates.ts'
import { signedPercentage } from '#web/i18n/formats.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { FitMoney } from '#web/ui/money.tsx'
import { Rings } from '#web/ui/rings.tsx'
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
      <Rings className="absolute -end-24 -top-28 -z-10 size-80 opacity-[0.17]" />
      {analytics ? (
        <>
          <Months analytics={analytics} onMonth={onMonth} />
          <p className="mt-1 text-[0.9375rem] text-on-brand-soft">
            {analytics.month === analytics.months.at(-1) ? <Trans>This Month</Trans> : <Trans>Spent</Trans>}
          </p>
          <FitMoney
            amountMinor={analytics.spentMinor}
            asset={analytics.asset}
            most="2.75rem"
            smallDecimals
            className="font-semibold tracking-[-0.03em]"
          />
          <p className="mt-1 min-h-[1lh] text-[0.9375rem] text-on-brand-soft">
            {analytics.changeBps !== null && <Change bps={analytics.changeBps} />}
          </p>
        </>
      ) : (
        <>
          <Skeleton line className="my-2.5 w-36 !bg-on-brand/15" />
          <span className="flex min-h-15 items-center text-[2.75rem]">
            <Skeleton line className="w-[4.5em] !bg-on-brand/15" />
          </span>
          <Skeleton line className="mt-1 w-40 !bg-on-brand/15" />
        </>
      )}
    </section>
  )
}

function Change({ bps }: { bps: number }) {
  const change = <bdi className="tabular font-semibold text-on-brand">{signedPercentage(bps / 100)}</bdi>
  return <Trans comment="{change} is a signed percentage: -8.5% vs last month">{change} vs last month</Trans>
}

const ARROW = 'text-on-brand! hover:bg-on-brand/15! disabled:opacity-35'

function Months({
  analytics: { month, months },
  onMonth,
}: {
  analytics: Analytics
  onMonth: MonthCardProps['onMonth']
}) {
  const { t } = useLingui()
  const place = months.indexOf(month)
  const step = (by: number) => {
    const next = months[place + by]
    return { disabled: next === undefined, onClick: () => next !== undefined && onMonth(next) }
  }
  return (
    <div className="-mx-2.5 flex items-center justify-between gap-1">
      <IconButton icon={ChevronLeft} directed label={t`Previous Month`} className={ARROW} {...step(-1)} />
      <h2 aria-live="polite" className="min-w-0 text-center text-[0.9375rem] font-medium text-on-brand">
        {monthAndYear(month)}
      </h2>
      <IconButton icon={ChevronRight} directed label={t`Next Month`} className={ARROW} {...step(1)} />
    </div>
  )
}
