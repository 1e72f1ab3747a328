import { cx } from '#web/ui/cx.ts'

type ProgressProps = {
  label: string
  /** 0 to 100; null if it is unknown. */
  percent: number | null
  /** The progress as text; the percentage by default. */
  text?: string
  /** True if more than the total was used. */
  isOver?: boolean
}

/** A bar that moves back and forth, for work of unknown length. */
const UNTOLD =
  'h-full w-1/3 animate-pending rounded-full bg-primary motion-reduce:w-full motion-reduce:opacity-45 rtl:[animation-direction:reverse]'

export function Progress({ label, percent, text, isOver = false }: ProgressProps) {
  const clampedPercent = percent === null ? null : Math.max(0, Math.min(100, percent))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={clampedPercent ?? undefined}
      aria-valuetext={text ?? (clampedPercent === null ? undefined : `${Math.round(clampedPercent)}%`)}
      className="h-2 overflow-hidden rounded-full bg-muted"
    >
      {clampedPercent === null ? (
        <div className={UNTOLD} />
      ) : (
        <div
          className={cx(
            'h-full rounded-full transition-[width] duration-500 ease-out-soft',
            isOver ? 'bg-danger' : 'bg-primary',
          )}
          style={{ width: `${clampedPercent}%` }}
        />
      )}
    </div>
  )
}
