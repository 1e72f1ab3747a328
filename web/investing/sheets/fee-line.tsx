import { Trans } from '@lingui/react/macro'
import type { Investments } from '#contract/investing.ts'
import { money, rateText } from '#web/i18n/formats.ts'

/** Shows the bank's fee for an investment. */
export function FeeLine({ data }: { data: Pick<Investments, 'fee' | 'asset'> }) {
  const [fee, least] = [rateText(data.fee.bps), money(data.fee.leastMinor, data.asset)]
  return (
    <p className="tabular px-1 text-sm text-pretty text-ink-soft">
      <Trans comment="{fee} is a percentage, {least} an amount">
        We take a fee of {fee} (at least {least}) out of this amount.
      </Trans>
    </p>
  )
}
