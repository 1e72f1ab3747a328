import { Trans, useLingui } from '@lingui/react/macro'
import type { InvestmentHolding, Investments } from '#contract/investing.ts'
import type { Fund } from '#contract/markets.ts'
import { changeText, money } from '#web/i18n/formats.ts'
import { Details } from '#web/investing/shared/details.tsx'
import { priceText, toneOf, unitsFigure } from '#web/investing/shared/words.ts'
import type { InvestingSheet } from '#web/investing/shared/investing-sheet.ts'
import { Button } from '#web/ui/button.tsx'
import { FitMoney, Money } from '#web/ui/money.tsx'

type HoldingDetailsProps = { data: Investments; fund: Fund; onShow: (sheet: InvestingSheet) => void }

/** What is held of one fund, and what can be done with it. */
export function HoldingDetails({ data, fund, onShow }: HoldingDetailsProps) {
  const holding = data.holdings.find((one) => one.fund === fund)
  const isOpen = data.markets.some((market) => market.fund === fund && market.open)
  if (!holding) {
    return (
      <p className="text-ink-soft">
        <Trans>You don't have any units of this fund now.</Trans>
      </p>
    )
  }
  const isFree = holding.unitsMinor > holding.heldUnitsMinor
  return (
    <div className="flex flex-col gap-5">
      <FitMoney amountMinor={holding.valueMinor} asset="USD" most="2rem" className="font-semibold tracking-tight" />
      <Figures holding={holding} />
      {!isOpen && (
        <p className="rounded-control bg-warning-subtle px-4 py-3 text-sm font-medium text-warning">
          <Trans>Trading is paused</Trans>
        </p>
      )}
      <div className="flex flex-col gap-2">
        <Button disabled={!isOpen} onClick={() => onShow({ kind: 'invest', fund })}>
          <Trans>Invest More</Trans>
        </Button>
        <Button variant="secondary" disabled={!isOpen || !isFree} onClick={() => onShow({ kind: 'sell', fund })}>
          <Trans context="an investment">Sell</Trans>
        </Button>
        <Button variant="quiet" onClick={() => onShow({ kind: 'new_plan', fund })}>
          <Trans>Invest Regularly</Trans>
        </Button>
      </div>
    </div>
  )
}

function Figures({ holding }: { holding: InvestmentHolding }) {
  const { t } = useLingui()
  const { fund, unitsMinor, heldUnitsMinor, averageCostMicros, costMinor, unrealisedMinor, realisedMinor } = holding
  const { monthChange } = holding
  const gain = (amountMinor: number) => (
    <Money amountMinor={amountMinor} asset="USD" sign="always" className={toneOf(amountMinor)} />
  )
  return (
    <Details
      details={[
        { label: t({ message: 'Units', comment: 'Of a fund' }), value: unitsFigure(fund, unitsMinor) },
        heldUnitsMinor > 0 && { label: t`In orders to sell`, value: unitsFigure(fund, heldUnitsMinor) },
        { label: t`Average cost a unit`, value: priceText(averageCostMicros) },
        { label: t`Invested`, value: money(costMinor, 'USD') },
        { label: t({ message: 'Gain So Far', comment: 'Gain or loss of what is held' }), value: gain(unrealisedMinor) },
        realisedMinor !== 0 && {
          label: t({ message: 'Gain from Sales', comment: 'Gain or loss' }),
          value: gain(realisedMinor),
        },
        monthChange && {
          label: t({ message: 'Monthly change', comment: 'How a value changed in the past month' }),
          value: (
            <span className={toneOf(monthChange.amountMinor)}>
              <Money amountMinor={monthChange.amountMinor} asset="USD" sign="always" /> ({changeText(monthChange.bps)})
            </span>
          ),
        },
      ]}
    />
  )
}
