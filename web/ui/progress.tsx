import { cx } from '#web/ui/cx.ts'

type ProgressProps = {
  label: string
  /** 0 to 100; null where nobody can tell. */
  percent: number | null
  /** How far it is, in words; the percentage unless told. */
  text?: string
  /** More was used than there was to use. */
  isOver?: boolean
}

/** Moves across the bar and back to its start: it says that there is work, and nothing of how much. */
const UNTOLD =
  'h-full w-1/3 animate-pending rounded-full bg-primary motion-reduce:w-full motion-reduce:opacity-45 rtl:[animation-direction:reverse]'

export function Progress({ label, percent, text, isOver = false }: ProgressProps) {
  const shown = percent === null ? null : Math.max(0, Math.min(100, percent))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={shown ?? undefined}
      aria-valuetext={text ?? (shown === null ? undefined : `${Math.round(shown)}%`)}
      className="h-2 overflow-hidden rounded-full bg-muted"
    >
      {shown === null ? (
        <div className={UNTOLD} />
      ) : (
        <div
          className={cx(
            'h-full rounded-full transition-[width] duration-500 ease-out-soft',
            isOver ? 'bg-danger' : 'bg-primary',
          )}
          style={{ width: `${shown}%` }}
        />
      )}
    </div>
  )
}
