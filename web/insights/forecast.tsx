import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CashFlowForecast } from '#contract/analytics.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { upcomingName } from '#web/accounts/shared/upcoming-name.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { type ForecastDay, listForecastDays } from '#web/insights/forecast-days.ts'
import { forecastQuery } from '#web/insights/queries.ts'
import { Chart } from '#web/ui/chart/chart.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { FitMoney, Money } from '#web/ui/money.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the expected balance at the end of the month and how certain it is. */
export function ForecastCard() {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(forecastQuery)
  return (
    <Section title={t`End of Month`}>
      {error && !data ? (
        <LoadFailure error={error} refetch={refetch} />
      ) : (
        <Card className="p-4">{data ? <Expected forecast={data} /> : <ExpectedSkeleton />}</Card>
      )}
    </Section>
  )
}

function ExpectedSkeleton() {
  return (
    <>
      <Skeleton line className="w-36 text-sm" />
      <Skeleton line className="w-[5em] text-[2rem]" />
      <Skeleton line className="w-64 text-sm" />
      <div className="mt-3 flex flex-col gap-1.5 border-t border-line pt-3 text-[0.9375rem]">
        {['w-52', 'w-64'].map((width) => (
          <Skeleton key={width} line className={width} />
        ))}
      </div>
    </>
  )
}

function Expected({ forecast }: { forecast: CashFlowForecast }) {
  const { asset, onDate, expectedBalanceMinor, errorMinor, incomeMinor, outgoingMinor, everydayMinor } = forecast
  const day = shortDay(onDate, null)
  return (
    <>
      <p className="text-sm text-ink-soft">
        <Trans comment="Example: Expected on Aug 31">Expected on {day}</Trans>
      </p>
      <FitMoney amountMinor={expectedBalanceMinor} asset={asset} most="2rem" className="font-semibold tracking-tight" />
      <p className="tabular text-sm text-ink-soft">
        {errorMinor === null ? (
          <Trans>We need a few more months to see how accurate this is.</Trans>
        ) : (
          <Range {...forecast} />
        )}
      </p>
      <Curve forecast={forecast} />
      <dl className="mt-3 flex flex-col gap-1.5 border-t border-line pt-3 text-[0.9375rem]">
        <Part name={<Trans>Expected Money In</Trans>} amountMinor={incomeMinor} />
        {forecast.expected.map((payment, index) => (
          <Part
            // Two payments can be identical, so the index is the key.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            name={`${nameOf(payment)} · ${shortDay(payment.dueOn, null)}`}
            amountMinor={payment.amountMinor}
            isPart
          />
        ))}
        <Part name={<Trans>Expected Money Out</Trans>} amountMinor={-outgoingMinor} />
        {everydayMinor < outgoingMinor && (
          <Part name={<Trans>Including Everyday Spending</Trans>} amountMinor={-everydayMinor} isPart />
        )}
      </dl>
    </>
  )
}

/** Draws the expected balance for each day until the end of the month, with the expected payments. */
function Curve({ forecast }: { forecast: CashFlowForecast }) {
  const { t } = useLingui()
  const today = useBusinessDay()
  if (today === null) return null
  const days = listForecastDays(forecast, today)
  if (days.length === 0) return null
  const noteOf = ({ expected }: ForecastDay) =>
    expected.length === 0
      ? {}
      : {
          note: expected
            .map((payment) => `${nameOf(payment)} ${money(payment.amountMinor, forecast.asset, { sign: 'always' })}`)
            .join(' · '),
        }
  return (
    <div className="mt-3">
      <Chart
        label={t`Expected balance until the end of the month`}
        points={days.map((day) => ({ at: day.day, value: day.balanceMinor, ...noteOf(day) }))}
        names={{
          at: t`Date`,
          value: t`Balance`,
          note: t({ message: 'Expected', comment: 'Expected payments' }),
        }}
        isAhead
        fromZero
        formatAt={(at) => shortDay(at, today)}
        formatValue={(amountMinor) => money(amountMinor, forecast.asset)}
      />
    </div>
  )
}

/**
 * Returns the name of an expected payment. Income and recurring payments have the name of the other party. Other payments have
 * the name that the dashboard shows.
 */
const nameOf = ({ kind, name }: CashFlowForecast['expected'][number]): string =>
  kind === 'income' || kind === 'recurring' ? name : upcomingName({ kind, name })

function Range({ errorMinor, asset }: CashFlowForecast) {
  const { t } = useLingui()
  const range = money(errorMinor ?? 0, asset)
  return t({
    message: `Usually within ${range}`,
    comment: '{range} is an amount: the usual error of a forecast',
  })
}

function Part({ name, amountMinor, isPart = false }: { name: ReactNode; amountMinor: number; isPart?: boolean }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className={isPart ? 'ps-4 text-ink-soft' : 'font-medium'}>{name}</dt>
      <dd className="ms-auto">
        <Money
          amountMinor={amountMinor}
          asset="USD"
          sign="always"
          className={isPart ? 'text-ink-soft' : 'font-medium'}
        />
      </dd>
    </div>
  )
}
