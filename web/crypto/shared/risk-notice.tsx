import { Trans, useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import { betweenSentences } from '#web/i18n/formats.ts'

/** Shows the risks of crypto. Customers cannot dismiss this notice. */
export function CryptoRiskNotice() {
  const { t } = useLingui()
  return (
    <aside
      aria-label={t`Risk notice`}
      className="flex gap-3 rounded-card bg-warning-subtle px-4 py-3.5 text-sm text-pretty text-warning"
    >
      <TriangleAlert aria-hidden className="mt-px size-5 shrink-0" strokeWidth={1.9} />
      <p className="min-w-0">
        <strong className="font-semibold">
          <Trans>Crypto is risky.</Trans>
        </strong>
        {betweenSentences()}
        <Trans>
          Prices can rise and fall sharply, and you could lose all the money you put in. Coins are not covered by
          deposit insurance.
        </Trans>
      </p>
    </aside>
  )
}
