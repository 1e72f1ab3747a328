import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Investments } from '#contract/investing.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { changeText, money } from '#web/i18n/formats.ts'
import { toneOf } from '#web/investing/shared/words.ts'
import { cx } from '#web/ui/cx.ts'
import { Money, Said } from '#web/ui/money.tsx'
import { Card } from '#web/ui/screen.tsx'

/** How it went so far: what was gained and lost, and both returns, each in one line. */
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
        label={t({ message: 'Invested', comment: 'What was paid for what is held' })}
        value={money(investedMinor, asset)}
      >
        <Trans>What your holdings cost, fees included</Trans>
      </Figure>
      <Figure label={t({ message: 'Gain So Far', comment: 'Gain or loss of what is held' })} {...gain(unrealisedMinor)}>
        <Trans>What your holdings are worth now, less what they cost</Trans>
      </Figure>
      {realisedMinor !== 0 && (
        <Figure label={t({ message: 'Gain from Sales', comment: 'Gain or loss' })} {...gain(realisedMinor)}>
          <Trans>What you made or lost on what you've sold</Trans>
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
    <Trans comment="How long a return is taken over; {day} is a date">A year on average, since {day}</Trans>
  ) : (
    <Trans comment="How long a return is taken over; {day} is a date">Since {day}</Trans>
  )
  return (
    <>
      <Figure
        label={t`Fund Performance`}
        value={<Said text={changeText(timeWeightedBps)} />}
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
          value={<Said text={changeText(moneyWeightedBps)} />}
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
