import { useLingui } from '@lingui/react/macro'
import { cx } from '#web/ui/cx.ts'

type HiddenFigureProps = { label?: string; className?: string }

/** A placeholder for a hidden figure, the same for every figure. */
export function HiddenFigure({ label, className }: HiddenFigureProps) {
  const { t } = useLingui()
  return (
    <span className={cx('whitespace-nowrap', className)}>
      <span aria-hidden className="font-semibold tracking-[0.08em]">
        ••••••
      </span>
      <span className="sr-only">{label ?? t`Amount hidden`}</span>
    </span>
  )
}
