import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronRight } from 'lucide-react'
import type { InvestmentHolding, Investments } from '#contract/investing.ts'
import { INVESTMENT_OPTIONS } from '#contract/investment-terms.ts'
import { FundFacts } from '#web/investing/shared/fund-facts.tsx'
import type { InvestingSheet } from '#web/investing/shared/investing-sheet.ts'
import { RiskLine } from '#web/investing/shared/risk-line.tsx'
import { toneOf } from '#web/investing/shared/words.ts'
import { fundText } from '#web/markets/shared/fund-text.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Money } from '#web/ui/money.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

type OptionsProps = { data: Investments | undefined; onOpen: (sheet: InvestingSheet) => void }

/** Lists the three funds with each holding, a button to invest and the way to the details. */
export function Options({ data, onOpen }: OptionsProps) {
  const { t } = useLingui()
  return (
    <Section title={t`Investment Options`}>
      <Card>
        <ul className="divide-y divide-line">
          {INVESTMENT_OPTIONS.map((option) => (
            <li key={option.fund}>
              <Option option={option} data={data} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      </Card>
      <div className="mt-3">
        <RiskLine />
      </div>
    </Section>
  )
}

function Option({ option, data, onOpen }: OptionsProps & { option: (typeof INVESTMENT_OPTIONS)[number] }) {
  const { t } = useLingui()
  const { fund } = option
  const fundName = fundText(fund)
  const holding = data?.holdings.find((candidate) => candidate.fund === fund)
  const isOpen = data?.markets.some((market) => market.fund === fund && market.open)
  return (
    <section aria-label={fundName} className="flex flex-wrap items-center gap-x-2 @container pe-4 pb-3">
      <button
        type="button"
        aria-haspopup="dialog"
        disabled={!data}
        onClick={() => onOpen({ kind: 'fund', fund })}
        className="-mb-3 min-w-0 flex-1 basis-52 py-3 ps-4 text-start -outline-offset-2"
      >
        <span className="flex items-center gap-0.5 font-medium">
          <span className="min-w-0 leading-snug rtl:leading-normal">{fundName}</span>
          <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-soft rtl:-scale-x-100" strokeWidth={2.2} />
        </span>
        <span className="block text-sm text-ink-soft">
          <FundFacts option={option} />
        </span>
        {holding && <HoldingValue holding={holding} />}
      </button>
      <Button
        size="small"
        variant="secondary"
        className="ms-auto mt-3 !bg-primary-subtle !px-3 !text-primary"
        aria-label={t`Invest Now in ${fundName}`}
        aria-haspopup="dialog"
        disabled={!isOpen}
        onClick={() => onOpen({ kind: 'invest', fund })}
      >
        <Trans>Invest Now</Trans>
      </Button>
    </section>
  )
}

/** Shows the value of a holding and its gain. */
function HoldingValue({ holding: { valueMinor, unrealisedMinor } }: { holding: InvestmentHolding }) {
  return (
    <span className="tabular flex flex-wrap gap-x-2 text-sm">
      <Money amountMinor={valueMinor} asset="USD" className="font-semibold" />
      <Money
        amountMinor={unrealisedMinor}
        asset="USD"
        sign="always"
        className={cx('font-medium', toneOf(unrealisedMinor))}
      />
    </span>
  )
}
