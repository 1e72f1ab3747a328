import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { CryptoOverview } from '#contract/crypto.ts'
import { ChangeArrow, gainLossColor } from '#web/crypto/shared/price-change.tsx'
import { dayChange } from '#web/crypto/shared/value.ts'
import { changeText } from '#web/i18n/formats.ts'
import { cx } from '#web/ui/cx.ts'
import { FitMoney, Money, SpokenFigure } from '#web/ui/money.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the value of all coins, its change and the gains. */
export function PortfolioTotal({ overview }: { overview: CryptoOverview | undefined }) {
  const { t } = useLingui()
  return (
    <section aria-label={t`Total Value`}>
      <Card className="p-5">
        <p className="text-sm font-medium text-ink-soft">
          <Trans comment="The total value of all coins">Total Value</Trans>
        </p>
        {overview ? (
          <>
            <FitMoney
              amountMinor={overview.totalMinor}
              asset="USD"
              most="2.25rem"
              smallDecimals
              className="font-semibold tracking-tight"
            />
            <DayChange overview={overview} />
            <Gains overview={overview} />
          </>
        ) : (
          <>
            <Skeleton line className="w-48 text-[2.25rem]" />
            <Skeleton line className="w-52 text-sm" />
            <div className="mt-4 grid grid-cols-2 gap-3 border-t border-line pt-3 text-sm">
              {[1, 2].map((place) => (
                <div key={place}>
                  <Skeleton line className="w-24" />
                  <Skeleton line className="w-20 text-base" />
                </div>
              ))}
            </div>
          </>
        )}
      </Card>
    </section>
  )
}

function DayChange({ overview: { holdings, totalMinor } }: { overview: CryptoOverview }) {
  const { amountMinor, bps } = dayChange(holdings, totalMinor)
  const change = (
    <bdi dir="ltr" className={cx('font-semibold', gainLossColor(amountMinor))}>
      <ChangeArrow amount={amountMinor} />
      <Money amountMinor={amountMinor} asset="USD" sign="always" />{' '}
      <span className="whitespace-nowrap">
        (<SpokenFigure text={changeText(bps)} />)
      </span>
    </bdi>
  )
  return (
    <p className="tabular text-sm text-ink-soft">
      {totalMinor === 0 ? (
        <Trans>Own a fraction of a coin from $1</Trans>
      ) : (
        <Trans comment="{change} is an amount and a percentage: the effect of price changes on the current holdings">
          {change} in the last 24 hours
        </Trans>
      )}
    </p>
  )
}

/** Shows the unrealized gain of current holdings over their cost, and the realized gain of past sales. */
function Gains({ overview: { unrealisedMinor, realisedMinor } }: { overview: CryptoOverview }) {
  return (
    <dl className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-3 border-t border-line pt-3">
      <Gain
        name={<Trans comment="Profit on assets still held">Unrealized Profit</Trans>}
        amountMinor={unrealisedMinor}
      />
      <Gain name={<Trans comment="Profit on assets already sold">Realized Profit</Trans>} amountMinor={realisedMinor} />
    </dl>
  )
}

function Gain({ name, amountMinor }: { name: ReactNode; amountMinor: number }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd>
        <Money
          amountMinor={amountMinor}
          asset="USD"
          sign="always"
          className={cx('font-semibold', gainLossColor(amountMinor))}
        />
      </dd>
    </div>
  )
}
