import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Investments } from '#contract/investing.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { changeText, money } from '#web/i18n/formats.ts'
import { toneOf } from '#web/investing/shared/words.ts'
import { cx } from '#web/ui/cx.ts'
import { Money, SpokenFigure } from '#web/ui/money.tsx'
import { Card } from '#web/ui/screen.tsx'

/** Shows the cost of the holdings, their gain, the gain from sales, and the two rates of return. */
export function Returns({ data }: { data: Investments }) {
  const { t } = useLingui()
  const { investedMinor, unrealisedMinor, realisedMinor, returns, asset } = data
  const gain = (amountMinor: number) => ({
    value: <Money amountMinor={amountMinor} asset={asset} sign="always" />,
    tone: toneOf(amountMinor),
  })
  return (
    <Card className="divide-y divide-line px-4">
      <Figure
        label={t({ message: 'Invested', comment: 'The purchase price of assets still held' })}
        value={money(investedMinor, asset)}
      >
        <Trans>The cost of your holdings, fees included</Trans>
      </Figure>
      <Figure
        label={t({ message: 'Gain So Far', comment: 'Gain or loss on assets still held' })}
        {...gain(unrealisedMinor)}
      >
        <Trans>The value of your holdings now, minus their cost</Trans>
      </Figure>
      {realisedMinor !== 0 && (
        <Figure
          label={t({ message: 'Gain from Sales', comment: 'Gain or loss on sold assets' })}
          {...gain(realisedMinor)}
        >
          <Trans>Your gain or loss on the units you've sold</Trans>
        </Figure>
      )}
      {returns && <Rates returns={returns} />}
    </Card>
  )
}

function Rates({ returns }: { returns: NonNullable<Investments['returns']> }) {
  const { t } = useLingui()
  const { since, timeWeightedBps, moneyWeightedBps, annualised } = returns
  const day = wholeDay(since)
  const time = annualised ? (
    <Trans comment="The period of an investment return. {day} is a date">Per year on average, since {day}</Trans>
  ) : (
    <Trans comment="The period of an investment return. {day} is a date">Since {day}</Trans>
  )
  return (
    <>
      <Figure
        label={t`Fund Performance`}
        value={<SpokenFigure text={changeText(timeWeightedBps)} />}
        tone={toneOf(timeWeightedBps)}
        time={time}
      >
        <Trans comment="The time-weighted return">
          How the funds performed, regardless of when you invested (time-weighted)
        </Trans>
      </Figure>
      {moneyWeightedBps !== null && (
        <Figure
          label={t`Return on Your Money`}
          value={<SpokenFigure text={changeText(moneyWeightedBps)} />}
          tone={toneOf(moneyWeightedBps)}
          time={time}
        >
          <Trans comment="The money-weighted return">How your own money performed (money-weighted)</Trans>
        </Figure>
      )}
    </>
  )
}

type FigureProps = { label: string; value: ReactNode; tone?: string; time?: ReactNode; children: ReactNode }

function Figure({ label, value, tone, time, children }: FigureProps) {
  return (
    <div className="py-3">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">{label}</span>
        <span className={cx('tabular ms-auto font-semibold', tone)}>{value}</span>
      </p>
      <p className="text-sm text-pretty text-ink-soft">{children}</p>
      {time && <p className="text-sm text-pretty text-ink-soft">{time}</p>}
    </div>
  )
}
