import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { InvestmentHolding, Investments } from '#contract/investing.ts'
import { INVESTMENT_OPTIONS } from '#contract/investment-terms.ts'
import type { Fund } from '#contract/markets.ts'
import { changeText, money } from '#web/i18n/formats.ts'
import { DetailList } from '#web/investing/shared/details.tsx'
import { FundFacts } from '#web/investing/shared/fund-facts.tsx'
import type { InvestingSheet } from '#web/investing/shared/investing-sheet.ts'
import { RiskLine } from '#web/investing/shared/risk-line.tsx'
import { fundPriceText, toneOf, unitsFigure } from '#web/investing/shared/words.ts'
import { Button } from '#web/ui/button.tsx'
import { FitMoney, Money, SpokenFigure } from '#web/ui/money.tsx'

const DESCRIPTIONS: Record<Fund, MessageDescriptor> = {
  FUND_CONSERVATIVE: msg`Mostly bonds. For money you may need in a few years.`,
  FUND_BALANCED: msg`Stocks and bonds in equal parts. For goals five years away.`,
  FUND_AGGRESSIVE: msg`Stocks from all over the world. For money you can leave for ten years.`,
}

type FundDetailsProps = { data: Investments; fund: Fund; onShow: (sheet: InvestingSheet) => void }

/** Shows a fund's facts, the customer's holding and its actions. */
export function FundDetails({ data, fund, onShow }: FundDetailsProps) {
  const { t } = useLingui()
  const holding = data.holdings.find((candidate) => candidate.fund === fund)
  const market = data.markets.find((candidate) => candidate.fund === fund)
  return (
    <div className="flex flex-col gap-5">
      {holding && (
        <FitMoney amountMinor={holding.valueMinor} asset="USD" most="2rem" className="font-semibold tracking-tight" />
      )}
      <div className="text-pretty text-ink-soft">
        {INVESTMENT_OPTIONS.map((option) => option.fund === fund && <FundFacts key={fund} option={option} />)}
        <p className="mt-1">{t(DESCRIPTIONS[fund])}</p>
        <Price priceMicros={market?.price?.priceMicros ?? null} />
      </div>
      {holding && <Figures holding={holding} />}
      {!market?.open && (
        <p className="rounded-control bg-warning-subtle px-4 py-3 text-sm font-medium text-warning">
          <Trans>Trading is paused</Trans>
        </p>
      )}
      <Actions holding={holding} isOpen={market?.open ?? false} fund={fund} onShow={onShow} />
      {!holding && <RiskLine />}
    </div>
  )
}

function Price({ priceMicros }: { priceMicros: number | null }) {
  const price = priceMicros === null ? '' : fundPriceText(priceMicros)
  return <p className="tabular mt-1">{price ? <Trans>{price} a unit</Trans> : <Trans>No price yet</Trans>}</p>
}

type ActionsProps = Pick<FundDetailsProps, 'fund' | 'onShow'> & {
  holding: InvestmentHolding | undefined
  isOpen: boolean
}

function Actions({ holding, isOpen, fund, onShow }: ActionsProps) {
  return (
    <div className="flex flex-col gap-2">
      <Button disabled={!isOpen} onClick={() => onShow({ kind: 'invest', fund })}>
        {holding ? <Trans>Invest More</Trans> : <Trans>Invest Now</Trans>}
      </Button>
      {holding && (
        <Button
          variant="secondary"
          disabled={!isOpen || holding.unitsMinor <= holding.heldUnitsMinor}
          onClick={() => onShow({ kind: 'sell', fund })}
        >
          <Trans context="an investment">Sell</Trans>
        </Button>
      )}
      <Button variant="quiet" onClick={() => onShow({ kind: 'new_plan', fund })}>
        <Trans>Invest Regularly</Trans>
      </Button>
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
    <DetailList
      details={[
        { label: t({ message: 'Units', comment: 'Units of a fund' }), value: unitsFigure(fund, unitsMinor) },
        heldUnitsMinor > 0 && { label: t`In Sell Orders`, value: unitsFigure(fund, heldUnitsMinor) },
        { label: t`Average Cost per Unit`, value: fundPriceText(averageCostMicros) },
        {
          label: t({ message: 'Invested', comment: 'The purchase price of assets still held' }),
          value: money(costMinor, 'USD'),
        },
        {
          label: t({ message: 'Gain So Far', comment: 'Gain or loss on assets still held' }),
          value: gain(unrealisedMinor),
        },
        realisedMinor !== 0 && {
          label: t({ message: 'Gain from Sales', comment: 'Gain or loss on sold assets' }),
          value: gain(realisedMinor),
        },
        monthChange && {
          label: t({ message: 'Monthly Change', comment: 'The change of a value in the past month' }),
          value: (
            <span className={toneOf(monthChange.amountMinor)}>
              <Money amountMinor={monthChange.amountMinor} asset="USD" sign="always" /> (
              <SpokenFigure text={changeText(monthChange.bps)} />)
            </span>
          ),
        },
      ]}
    />
  )
}
