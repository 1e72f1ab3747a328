import { useLingui } from '@lingui/react/macro'
import type { CSSProperties } from 'react'
import type { Analytics } from '#contract/analytics.ts'
import { monthAndYear, shortDay, shortMonth } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { cx } from '#web/ui/cx.ts'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/**
 * Shows the spending of the last months, and of each day of the chosen month, as bars. A table has the same figures for screen
 * readers. Time runs from left to right in every language, as in the other charts.
 */
export function Trend({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useLingui()
  const [title, byDay] = [t`Monthly Trend`, t`Spending by Day`]
  if (!analytics) {
    return (
      <>
        {[title, byDay].map((line) => (
          <Section key={line} title={line}>
            <Card className="p-4">
              <Skeleton className="h-44 w-full" />
            </Card>
          </Section>
        ))}
      </>
    )
  }
  // Figures that an older version cached on the device have no `days`.
  const { trend, days = [], month: chosenMonth, asset } = analytics
  const monthBars = trend.map(({ month, spentMinor }) => ({
    at: month,
    spentMinor,
    name: monthAndYear(month),
    label: shortMonth(month),
    isFaint: month !== chosenMonth,
  }))
  const dayBars = days.map(({ day, spentMinor }, index) => ({
    at: day,
    spentMinor,
    name: shortDay(day, null),
    // Only the first day of each week has a label, because there is no space for more.
    label: index % 7 === 0 ? String(index + 1) : '',
    isFaint: false,
  }))
  return (
    <>
      <Section title={title}>
        <Card className="p-4">
          <Bars title={title} bars={monthBars} asset={asset} unit={t`Month`} />
        </Card>
      </Section>
      <Section title={byDay}>
        <Card className="p-4">
          <Bars title={byDay} bars={dayBars} asset={asset} unit={t`Date`} />
        </Card>
      </Section>
    </>
  )
}

type Bar = { at: string; spentMinor: number; name: string; label: string; isFaint: boolean }
type BarsProps = { title: string; bars: readonly Bar[]; asset: Analytics['asset']; unit: string }

function Bars({ title, bars, asset, unit }: BarsProps) {
  const { t } = useLingui()
  const maxLabelLength = Math.max(1, ...bars.map(({ label }) => label.length))
  const highestMinor = Math.max(1, ...bars.map(({ spentMinor }) => spentMinor))
  return (
    <>
      <div
        aria-hidden
        dir="ltr"
        className={cx('flex h-44 text-[0.6875rem]', bars.length > 12 ? 'gap-0.5' : 'gap-1')}
        style={{ '--chars': maxLabelLength } as CSSProperties}
      >
        {bars.map(({ at, spentMinor, label, isFaint }) => (
          <div key={at} className="@container flex min-w-0 flex-1 flex-col items-center gap-1.5">
            <div className="flex w-full flex-1 items-end justify-center">
              <div
                data-bar={at}
                className={cx(
                  'w-full max-w-9 transition-[height] duration-500 ease-out-soft',
                  bars.length > 12 ? 'min-h-0.5 rounded-t-sm' : 'min-h-1 rounded-t-lg',
                  isFaint ? 'bg-primary/35' : 'bg-primary',
                )}
                style={{ height: `${Math.max(0, Math.round((spentMinor / highestMinor) * 100))}%` }}
              />
            </div>
            <span className={cx('h-[1lh] whitespace-nowrap text-ink-soft', bars.length <= 12 && 'fit-container')}>
              {label}
            </span>
          </div>
        ))}
      </div>
      <div className="sr-only">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              <th scope="col">{t`Spent`}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ at, name, spentMinor }) => (
              <tr key={at}>
                <th scope="row">{name}</th>
                <td>{money(spentMinor, asset)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
