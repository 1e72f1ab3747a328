import { Progress as Base } from 'radix-ui'
import { cx } from '#web/ui/cx.ts'

type ProgressProps = {
  label: string
  /** 0 to 100. */
  percent: number
  /** More was used than there was to use. */
  isOver?: boolean
}

export function Progress({ label, percent, isOver = false }: ProgressProps) {
  const shown = Math.max(0, Math.min(100, percent))
  return (
    <Base.Root value={shown} aria-label={label} className="h-2 overflow-hidden rounded-full bg-muted">
      <Base.Indicator
        className={cx(
          'h-full rounded-full transition-[width] duration-500 ease-out-soft',
          isOver ? 'bg-danger' : 'bg-primary',
        )}
        style={{ width: `${shown}%` }}
      />
    </Base.Root>
  )
}
