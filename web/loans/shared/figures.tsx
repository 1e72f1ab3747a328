import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { effectiveRateBps } from '#contract/effective-rate.ts'
import { rateText } from '#web/i18n/formats.ts'
import { cx } from '#web/ui/cx.ts'

/** Named figures, one under the other. */
export function Figures({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={cx('flex flex-col gap-1', className)}>{children}</dl>
}

/** Where the name and the figure have no room beside each other, the figure stands below. */
export function FigureRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="@container flex min-h-7 flex-wrap items-center justify-between gap-x-4 text-[0.9375rem]">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="tabular ms-auto max-w-full min-w-0 text-end font-medium">{children}</dd>
    </div>
  )
}

/** The nominal rate of a loan, which stays the same until it is repaid. */
export function AprRow({ aprBps }: { aprBps: number }) {
  const { t } = useLingui()
  const rate = rateText(aprBps)
  return (
    <FigureRow label={t`Interest Rate`}>
      <Trans comment="{rate} is the nominal annual rate of a loan, as in 6.9%; use the legal word for the nominal rate">
        {rate} APR, fixed
      </Trans>
    </FigureRow>
  )
}

/** The rate with interest on interest, which many countries' laws ask for beside the nominal one. */
export function EffectiveRateRow({ aprBps }: { aprBps: number }) {
  const { t } = useLingui()
  const label = t({ message: 'Effective Annual Rate', comment: 'Of a loan; use the legal word, as in TAEG or RRSO' })
  return <FigureRow label={label}>{rateText(effectiveRateBps(aprBps))}</FigureRow>
}
