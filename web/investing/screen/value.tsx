import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Sprout } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Investments } from '#contract/investing.ts'
import { VALUE_RANGES, type ValueRange } from '#contract/investment-terms.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { changeText, money } from '#web/i18n/formats.ts'
import { valueQuery } from '#web/investing/queries.ts'
import type { InvestingSheet } from '#web/investing/shared/investing-sheet.ts'
import { toneOf } from '#web/investing/shared/words.ts'
import { Poster } from '#web/ui/art/poster.tsx'
import { Button } from '#web/ui/button.tsx'
import { Chart } from '#web/ui/chart/chart.tsx'
import { cx } from '#web/ui/cx.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { FitMoney, Money, SpokenFigure } from '#web/ui/money.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type ValueProps = { data: Investments | undefined; onOpen: (sheet: InvestingSheet) => void }

/** Shows the total value, its change over a month, and its history beside the money invested. */
export function Value({ data, onOpen }: ValueProps) {
  const { t } = useLingui()
  if (data?.returns === null) return <NothingYet data={data} />
  return (
    <section aria-label={t`Portfolio Value`}>
      <Card className="p-5 pb-3">
        <div className="flex items-center justify-between gap-3">
          <p className="text-sm font-medium text-ink-soft">
            <Trans>Portfolio Value</Trans>
          </p>
          <Button
            size="small"
            variant="quiet"
            className="-my-3 -me-3 !px-3"
            aria-haspopup="dialog"
            disabled={!data}
            onClick={() => onOpen({ kind: 'returns' })}
          >
            <Trans context="of gains and returns">Details</Trans>
          </Button>
        </div>
        {data ? (
          <>
            <FitMoney
              amountMinor={data.valueMinor}
              asset={data.asset}
              most="2.25rem"
              smallDecimals
              className="font-semibold tracking-tight"
            />
            <MonthChange data={data} />
          </>
        ) : (
          <>
            <Skeleton line className="w-48 text-[2.25rem]" />
            <Skeleton line className="mt-1 w-44 text-sm" />
          </>
        )}
        <div className="mt-4">
          <ValueChart data={data} />
        </div>
      </Card>
    </section>
  )
}

function MonthChange({ data: { monthChange, asset } }: { data: Investments }) {
  if (!monthChange) {
    return (
      <p className="mt-1 text-sm text-ink-soft">
        <Trans>You have nothing invested right now</Trans>
      </p>
    )
  }
  const { amountMinor, bps } = monthChange
  const change = (
    <strong className={cx('font-semibold', toneOf(amountMinor))}>
      <Money amountMinor={amountMinor} asset={asset} sign="always" /> (<SpokenFigure text={changeText(bps)} />)
    </strong>
  )
  return (
    <p className="tabular mt-1 text-sm text-ink-soft">
      <Trans comment="{change} is an amount with a percentage: +$12.00 (+1.2%)">{change} in the past month</Trans>
    </p>
  )
}

function ValueChart({ data }: { data: Investments | undefined }) {
  const { t } = useLingui()
  const [range, setRange] = useState<ValueRange>('month')
  const query = useQuery(valueQuery(range))
  const points = useMemo(
    () =>
      query.data?.points.map(({ at, valueMinor, investedMinor }) => ({ at, value: valueMinor, base: investedMinor })),
    [query.data],
  )
  if (query.error && !query.data) {
    return <LoadFailure {...query} />
  }
  const today = data ? data.today : null
  const labels: Record<ValueRange, string> = {
    month: t({ message: '1M', comment: 'The range of a chart: one month' }),
    quarter: t({ message: '3M', comment: 'The range of a chart: three months' }),
    year: t({ message: '1Y', comment: 'The range of a chart: one year' }),
    all: t({ message: 'All', comment: 'The range of a chart: the whole period' }),
  }
  return (
    <Chart
      label={t`The value of your investments over time`}
      points={points}
      names={{
        at: t({ message: 'Date', context: 'of a value' }),
        value: t({ message: 'Value', comment: 'The current value of investments' }),
        base: t({ message: 'Invested', comment: 'The purchase price of assets still held' }),
      }}
      gain={{
        name: t({ message: 'Gain So Far', comment: 'Gain or loss on assets still held' }),
        format: (gainMinor) => money(gainMinor, 'USD', { sign: 'always' }),
      }}
      formatAt={(at) => shortDay(at, today)}
      formatValue={(valueMinor) => money(valueMinor, 'USD')}
      empty={t`There's nothing to show yet.`}
      ranges={{
        label: t`Time span`,
        options: VALUE_RANGES.map((value) => ({ value, label: labels[value] })),
        value: range,
        onChange: (next) => setRange(VALUE_RANGES.find((value) => value === next) ?? 'month'),
      }}
    />
  )
}

/** Shown to a customer who has never invested. */
function NothingYet({ data: { orders } }: { data: Investments }) {
  const { t } = useLingui()
  return orders.length > 0 ? (
    <Card>
      <EmptyState icon={Sprout} picture={<Poster of="insights" />} title={t`Your first order is pending`}>
        <Trans>Once it's filled, you can follow its value here.</Trans>
      </EmptyState>
    </Card>
  ) : (
    <Card>
      <EmptyState icon={Sprout} picture={<Poster of="insights" />} title={t`Start with $10`}>
        <Trans>Choose one of three funds, from low to high risk. You can sell on any business day.</Trans>
      </EmptyState>
    </Card>
  )
}
