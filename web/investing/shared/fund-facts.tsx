import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { INVESTMENT_OPTIONS, type Risk, RISKS } from '#contract/investment-terms.ts'
import { cx } from '#web/ui/cx.ts'
import { InlineFacts } from '#web/ui/inline-facts.tsx'

export const RISK_TEXTS: Record<Risk, MessageDescriptor> = {
  low: msg`Low risk`,
  medium: msg`Medium risk`,
  high: msg`High risk`,
}

/** Shows a fund's risk and expected return. */
export function FundFacts({ option: { risk, returnPercent } }: { option: (typeof INVESTMENT_OPTIONS)[number] }) {
  const { t } = useLingui()
  const [from, to] = returnPercent
  return (
    <InlineFacts
      facts={[
        {
          key: 'risk',
          fact: (
            <span className="inline-flex items-baseline gap-1">
              <RiskBars risk={risk} />
              {t(RISK_TEXTS[risk])}
            </span>
          ),
        },
        {
          key: 'return',
          fact: (
            <span className="font-medium text-ink">
              <Trans comment="The expected yearly return of a fund. Example: 5-7% annually">
                {from}-{to}% annually
              </Trans>
            </span>
          ),
        },
      ]}
    />
  )
}

const BARS = ['h-1.5', 'h-2.25', 'h-3'] as const

/** Shows the risk as one to three filled bars. */
function RiskBars({ risk }: { risk: Risk }) {
  return (
    <span aria-hidden className="inline-flex items-end gap-0.5">
      {BARS.map((height, place) => (
        <span
          key={height}
          className={cx('w-0.75 rounded-xs', height, place <= RISKS.indexOf(risk) ? 'bg-primary' : 'bg-line-strong')}
        />
      ))}
    </span>
  )
}
