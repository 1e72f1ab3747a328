import { Trans, useLingui } from '@lingui/react/macro'
import type { InvestmentHolding, Investments } from '#contract/investing.ts'
import { FUND_LOOKS } from '#web/investing/shared/fund-looks.ts'
import { toneOf, unitsFigure } from '#web/investing/shared/words.ts'
import { fundText } from '#web/markets/shared/fund-text.ts'
import type { InvestingSheet } from '#web/investing/shared/investing-sheet.ts'
import { cx } from '#web/ui/cx.ts'
import { Money } from '#web/ui/money.tsx'
import { NamedAmount } from '#web/ui/named-amount.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

type HoldingsProps = { data: Investments | undefined; onOpen: (sheet: InvestingSheet) => void }

/** What is held of each fund. */
export function Holdings({ data, onOpen }: HoldingsProps) {
  const { t } = useLingui()
  if (data?.holdings.length === 0) return null
  return (
    <Section title={t`Your Holdings`}>
      <Card>
        {data ? (
          <ul className="divide-y divide-line">
            {data.holdings.map((holding) => (
              <li key={holding.fund}>
                <HoldingRow holding={holding} onOpen={() => onOpen({ kind: 'holding', fund: holding.fund })} />
              </li>
            ))}
          </ul>
        ) : (
          <RowSkeletons count={2} />
        )}
      </Card>
    </Section>
  )
}

function HoldingRow({ holding, onOpen }: { holding: InvestmentHolding; onOpen: () => void }) {
  const { fund, unitsMinor, valueMinor, unrealisedMinor } = holding
  const units = unitsFigure(fund, unitsMinor)
  return (
    <ButtonRow
      {...FUND_LOOKS[fund]}
      title={<NamedAmount name={fundText(fund)} amount={<Money fit amountMinor={valueMinor} asset="USD" />} />}
      description={
        <span className="tabular flex flex-wrap justify-between gap-x-3">
          <span>
            <Trans>{units} units</Trans>
          </span>
          <span className={cx('font-medium', toneOf(unrealisedMinor))}>
            <Money amountMinor={unrealisedMinor} asset="USD" sign="always" />
          </span>
        </span>
      }
      opens
      onClick={onOpen}
    />
  )
}
