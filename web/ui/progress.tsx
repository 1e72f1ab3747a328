import { Progress as Base } from 'radix-ui'

type ProgressProps = {
  label: string
  /** 0 to 100. */
  percent: number
}

export function Progress({ label, percent }: ProgressProps) {
  const shown = Math.max(0, Math.min(100, percent))
  return (
    <Base.Root value={shown} aria-label={label} className="h-2 overflow-hidden rounded-full bg-muted">
      <Base.Indicator
        className="h-full rounded-full bg-primary transition-[width] duration-500 ease-out-soft"
        style={{ width: `${shown}%` }}
      />
    </Base.Root>
  )
}
