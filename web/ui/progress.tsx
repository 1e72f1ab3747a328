import { Progress as Base } from 'radix-ui'
import { cx } from '#web/ui/cx.ts'

type ProgressProps = {
  label: string
  /** 0 to 100. */
  percent: number
  /** It stands on a surface in the brand's colour. */
  onBrand?: boolean
}

export function Progress({ label, percent, onBrand = false }: ProgressProps) {
  const shown = Math.max(0, Math.min(100, percent))
  return (
    <Base.Root
      value={shown}
      aria-label={label}
      className={cx('h-2 overflow-hidden rounded-full', onBrand ? 'bg-on-brand/20' : 'bg-muted')}
    >
      <Base.Indicator
        className={cx(
          'h-full rounded-full transition-[width] duration-500 ease-out-soft',
          onBrand ? 'bg-on-brand' : 'bg-primary',
        )}
        style={{ width: `${shown}%` }}
      />
    </Base.Root>
  )
}
