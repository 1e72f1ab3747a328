import { Trans } from '@lingui/react/macro'
import { annualYieldBps } from '#contract/savings-yield.ts'
import { rateText } from '#web/i18n/formats.ts'

/** Shows the interest rate of savings, and the annual yield with compound interest. */
export function RateText({ rateBps }: { rateBps: number }) {
  const rate = <strong className="font-semibold text-success">{rateText(rateBps)}</strong>
  const apy = rateText(annualYieldBps(rateBps))
  return (
    <Trans comment="{rate} is a percentage, such as 4%; {apy} is the effective annual yield of savings, such as 4.07%">
      Earns {rate} a year ({apy} APY)
    </Trans>
  )
}
