import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Investments } from '#contract/investing.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { changeText, money } from '#web/i18n/formats.ts'
import { toneOf } from '#web/investing/shared/words.ts'
import { cx } from '#web/ui/cx.ts'
import { Money } from '#web/ui/money.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** How it went so far: what was gained and lost, and both returns in plain words. The first words stand there ahead of their figures. */
export function Returns({ data }: { data: Investments | undefined }) {
  const { t } = useLingui()
  if (data?.returns === null) return null
  return (
    <Section title={t`Performance`}>
      <Card className="divide-y divide-line px-4">
        <Figure label={t`Invested`} value={data && money(data.investedMinor, data.asset)}>
          <Trans>For what you hold now, fees included.</Trans>
        </Figure>
        <Figure
          label={t({ message: 'Gain So Far', comment: 'Gain or loss of what is held' })}
          {...(data && gain(data.unrealisedMinor, data))}
        >
          <Trans>The difference between what you paid and what it's worth now.</Trans>
        </Figure>
        {data?.returns ? <Rows data={data} returns={data.returns} /> : <RowsSkeleton />}
      </Card>
    </Section>
  )
}

const gain = (amountMinor: number, { asset }: Investments) => ({
  value: <Money amountMinor={amountMinor} asset={asset} sign="always" />,
  tone: toneOf(amountMinor),
})

type RowsProps = { data: Investments; returns: NonNullable<Investments['returns']> }

function Rows({ data, returns }: RowsProps) {
  const { t } = useLingui()
  const { realisedMinor } = data
  const { since, timeWeightedBps, moneyWeightedBps, annualised } = returns
  const day = wholeDay(since)
  return (
    <>
      {realisedMinor !== 0 && (
        <Figure label={t({ message: 'Gain from Sales', comment: 'Gain or loss' })} {...gain(realisedMinor, data)}>
          <Trans>What you made or lost on what you've sold.</Trans>
        </Figure>
      )}
      <Figure label={t`Fund Performance`} value={changeText(timeWeightedBps)} tone={toneOf(timeWeightedBps)}>
        {annualised ? (
          <Trans comment="The time-weighted return; {day} is a date">
            Average per year since {day}. How the funds performed, regardless of when you invested (time-weighted).
          </Trans>
        ) : (
          <Trans comment="The time-weighted return; {day} is a date">
            Since {day}. How the funds performed, regardless of when you invested (time-weighted).
          </Trans>
        )}
      </Figure>
      {moneyWeightedBps !== null && (
        <Figure label={t`Return on Your Money`} value={changeText(moneyWeightedBps)} tone={toneOf(moneyWeightedBps)}>
          {annualised ? (
            <Trans comment="The money-weighted return">
              Average per year. Shows how your own money did. It also depends on when you put money in (money-weighted).
            </Trans>
          ) : (
            <Trans comment="The money-weighted return">
              Shows how your own money did. It also depends on when you put money in (money-weighted).
            </Trans>
          )}
        </Figure>
      )}
    </>
  )
}

type FigureProps = { label: string; value?: ReactNode; tone?: string; children: ReactNode }

function Figure({ label, value, tone, children }: FigureProps) {
  return (
    <div className="py-3">
      <div className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">{label}</span>
        {value === undefined ? (
          <Skeleton line className="ms-auto w-24" />
        ) : (
          <span className={cx('tabular ms-auto font-semibold', tone)}>{value}</span>
        )}
      </div>
      <p className="text-sm text-pretty text-ink-soft">{children}</p>
    </div>
  )
}

function RowsSkeleton() {
  return [1, 2].map((place) => (
    <div key={place} className="py-3">
      <Skeleton line className="w-40" />
      <Skeleton line className="w-56 text-sm" />
    </div>
  ))
}
