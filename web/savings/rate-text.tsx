import { Trans } from '@lingui/react/macro'
import { annualYieldBps } from '#contract/savings-yield.ts'
import { rateText } from '#web/i18n/formats.ts'

/** The rate of savings, and what it comes to with interest on interest. */
export function RateText({ rateBps }: { rateBps: number }) {
  const rate = <strong className="font-semibold text-success">{rateText(rateBps)}</strong>
  const apy = rateText(annualYieldBps(rateBps))
  return (
    <Trans comment="{rate} is a percentage, as in 4%; {apy} is the effective annual yield of savings, as in 4.07%">
      Earns {rate} a year ({apy} APY)
    </Trans>
  )
}
