import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { effectiveRateBps } from '#contract/effective-rate.ts'
import { rateText } from '#web/i18n/formats.ts'
import { cx } from '#web/ui/cx.ts'

/** Shows labeled figures below each other. */
export function FigureTable({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={cx('flex flex-col gap-1', className)}>{children}</dl>
}

/** The figure moves below the label if both do not fit on one line. */
export function FigureRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="@container flex min-h-7 flex-wrap items-center justify-between gap-x-4 text-[0.9375rem]">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="tabular ms-auto max-w-full min-w-0 text-end font-medium">{children}</dd>
    </div>
  )
}

/** Shows a loan's nominal annual rate, which is fixed until the loan is repaid. */
export function AprRow({ aprBps }: { aprBps: number }) {
  const { t } = useLingui()
  const rate = rateText(aprBps)
  return (
    <FigureRow label={t`Interest Rate`}>
      <Trans comment="{rate} is the nominal annual rate of a loan, such as 6.9%. Use the legal term for the nominal rate">
        {rate} APR, fixed
      </Trans>
    </FigureRow>
  )
}

/** Shows the effective annual rate with compound interest, which the laws of many countries require beside the nominal rate. */
export function EffectiveRateRow({ aprBps }: { aprBps: number }) {
  const { t } = useLingui()
  const label = t({
    message: 'Effective Annual Rate',
    comment: 'The effective annual rate of a loan. Use the legal term, such as TAEG or RRSO',
  })
  return <FigureRow label={label}>{rateText(effectiveRateBps(aprBps))}</FigureRow>
}
