import { useLingui } from '@lingui/react/macro'
import type { CSSProperties } from 'react'
import type { Analytics } from '#contract/analytics.ts'
import { monthAndYear, shortMonth } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { cx } from '#web/ui/cx.ts'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/**
 * What was spent in each of the last months, as bars; as a table for those who cannot see them. Time runs from left to
 * right in every language, as in the other charts.
 */
export function Trend({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useLingui()
  return (
    <Section title={t`Monthly Trend`}>
      <Card className="p-4">{analytics ? <Bars analytics={analytics} /> : <Skeleton className="h-44 w-full" />}</Card>
    </Section>
  )
}

function Bars({ analytics: { trend, month: chosen, asset } }: { analytics: Analytics }) {
  const { t } = useLingui()
  const names = trend.map(({ month }) => shortMonth(month))
  const longest = Math.max(1, ...names.map(({ length }) => length))
  const most = Math.max(1, ...trend.map(({ spentMinor }) => spentMinor))
  return (
    <>
      <div
        aria-hidden
        dir="ltr"
        className="flex h-44 gap-1 text-[0.6875rem]"
        style={{ '--chars': longest } as CSSProperties}
      >
        {trend.map(({ month, spentMinor }, index) => (
          <div key={month} className="@container flex min-w-0 flex-1 flex-col items-center gap-1.5">
            <div className="flex w-full flex-1 items-end justify-center">
              <div
                data-bar={month}
                className={cx(
                  'w-full max-w-9 min-h-1 rounded-t-lg transition-[height] duration-500 ease-out-soft',
                  month === chosen ? 'bg-primary' : 'bg-primary/35',
                )}
                style={{ height: `${Math.max(0, Math.round((spentMinor / most) * 100))}%` }}
              />
            </div>
            <span className="fit-container whitespace-nowrap text-ink-soft">{names[index]}</span>
          </div>
        ))}
      </div>
      <div className="sr-only">
        <table>
          <caption>{t`Monthly Trend`}</caption>
          <thead>
            <tr>
              <th scope="col">{t`Month`}</th>
              <th scope="col">{t`Spent`}</th>
            </tr>
          </thead>
          <tbody>
            {trend.map(({ month, spentMinor }) => (
              <tr key={month}>
                <th scope="row">{monthAndYear(month)}</th>
                <td>{money(spentMinor, asset)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
