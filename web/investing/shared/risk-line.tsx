import { Trans } from '@lingui/react/macro'
import { TrendingDown } from 'lucide-react'

/** States that the value of investments can fall. It appears wherever a fund can be bought. */
export function RiskLine() {
  return (
    <p className="flex gap-2 px-1 text-sm text-pretty text-ink-soft">
      <TrendingDown aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={2} />
      <span className="min-w-0">
        <Trans>
          Investments can lose value, and you may get back less than you put in. A fund's expected return isn't
          guaranteed.
        </Trans>
      </span>
    </p>
  )
}
