import type { CSSProperties } from 'react'
import { cx } from '#web/ui/cx.ts'

type GrownRingsProps = {
  /** How far what they stand for has come, 0 to 100: what is still to grow is faint. */
  percent: number
  /** A few wide ones around something in the middle, which stay clear in a small space. */
  few?: boolean
  /** Says where they stand: they take their place from it. */
  className: string
}

/** The rings of Alder's mark, as far as they have grown. The figures stand beside them, so they say nothing themselves. */
export function GrownRings({ percent, few = false, className }: GrownRingsProps) {
  const look = cx('absolute inset-0', few ? 'rings-few' : 'rings')
  const share = Math.max(0, Math.min(100, percent)) / 100
  return (
    <span aria-hidden className={cx('pointer-events-none block', className)}>
      <span className={cx(look, 'opacity-35')} />
      <span
        data-grown={Math.round(share * 100)}
        className={cx(look, 'rings-grown')}
        style={{ '--grown': share } as CSSProperties}
      />
    </span>
  )
}
