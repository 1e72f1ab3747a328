import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { Investments } from '#contract/investing.ts'
import { INVESTMENT_OPTIONS } from '#contract/investment-terms.ts'
import type { Fund } from '#contract/markets.ts'
import { FUND_LOOKS } from '#web/investing/shared/fund-looks.ts'
import { RiskLine } from '#web/investing/shared/risk-line.tsx'
import { priceText, RISK_TEXTS } from '#web/investing/shared/words.ts'
import { fundText } from '#web/markets/shared/fund-text.ts'
import type { InvestingSheet } from '#web/investing/shared/investing-sheet.ts'
import { Button } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { RowIcon } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

const DESCRIPTIONS: Record<Fund, MessageDescriptor> = {
  FUND_CONSERVATIVE: msg`Mostly bonds. For money you may need in a few years.`,
  FUND_BALANCED: msg`Shares and bonds in equal parts. For goals five years away.`,
  FUND_AGGRESSIVE: msg`Shares from all over the world. For money you can leave for ten years.`,
}

type OptionsProps = { data: Investments | undefined; onOpen: (sheet: InvestingSheet) => void }

/** The three funds, and the way into each. */
export function Options({ data, onOpen }: OptionsProps) {
  const { t } = useLingui()
  return (
    <Section title={t`Investment Options`}>
      <ul className="mt-1 flex flex-col gap-3">
        {INVESTMENT_OPTIONS.map((option) => (
          <li key={option.fund}>
            <Option option={option} data={data} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      <div className="mt-3">
        <RiskLine />
      </div>
    </Section>
  )
}

function Option({ option, data, onOpen }: OptionsProps & { option: (typeof INVESTMENT_OPTIONS)[number] }) {
  const { t } = useLingui()
  const { fund, risk, returnPercent } = option
  const [from, to] = returnPercent
  const fundName = fundText(fund)
  const market = data?.markets.find((one) => one.fund === fund)
  return (
    <section aria-label={fundName}>
      <Card className="@container p-4">
        <div className="flex items-start gap-3">
          <RowIcon {...FUND_LOOKS[fund]} />
          <div className="min-w-0 flex-1">
            <h3 className="leading-snug font-semibold rtl:leading-normal">{fundName}</h3>
            <p className="text-sm text-ink-soft">
              <Facts
                facts={[
                  { key: 'risk', fact: t(RISK_TEXTS[risk]) },
                  {
                    key: 'return',
                    fact: (
                      <span className="font-medium text-ink">
                        <Trans comment="What a fund is expected to return in a year: 5-7% annually">
                          {from}-{to}% annually
                        </Trans>
                      </span>
                    ),
                  },
                ]}
              />
            </p>
          </div>
        </div>
        <p className="mt-2.5 text-sm text-pretty text-ink-soft">{t(DESCRIPTIONS[fund])}</p>
        <Price priceMicros={market?.price?.priceMicros ?? null} isKnown={market !== undefined} />
        <Button
          size="small"
          className="mt-3 w-full"
          aria-label={t`Invest Now in ${fundName}`}
          aria-haspopup="dialog"
          disabled={!market?.open}
          onClick={() => onOpen({ kind: 'invest', fund })}
        >
          <Trans>Invest Now</Trans>
        </Button>
      </Card>
    </section>
  )
}

/** Has the room of its line before it is known, too. */
function Price({ priceMicros, isKnown }: { priceMicros: number | null; isKnown: boolean }) {
  const price = priceMicros === null ? '' : priceText(priceMicros)
  return (
    <p className="tabular text-sm text-ink-soft">
      {!isKnown ? '\u00a0' : price ? <Trans>{price} a unit</Trans> : <Trans>No price yet</Trans>}
    </p>
  )
}
