import type { CSSProperties } from 'react'
import { cx } from '#web/ui/cx.ts'

type GrownRingsProps = {
  /** The progress, 0 to 100. The remaining part of the rings is faint. */
  percent: number
  /** True for a few wide rings, which stay clear at a small size and have space for content in the middle. */
  few?: boolean
  /** The position; the rings are positioned absolutely. */
  className: string
}

/** The rings of Alder's logo as a progress display. Screen readers skip them, because the figures are beside them. */
export function GrownRings({ percent, few = false, className }: GrownRingsProps) {
  const ringClass = cx('absolute inset-0', few ? 'rings-few' : 'rings')
  const share = Math.max(0, Math.min(100, percent)) / 100
  return (
    <span aria-hidden className={cx('pointer-events-none block', className)}>
      <span className={cx(ringClass, 'opacity-35')} />
      <span
        data-grown={Math.round(share * 100)}
        className={cx(ringClass, 'rings-grown')}
        style={{ '--grown': share } as CSSProperties}
      />
    </span>
  )
}
