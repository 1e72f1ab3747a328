import { cx } from '#web/ui/cx.ts'

/**
 * The growth rings of a tree around an off-center heart: Alder's logo, large and faint, in the current text color. With `grow`,
 * the rings appear from the heart outwards.
 */
export function Rings({ grow = false, className }: { grow?: boolean; className?: string }) {
  return <span aria-hidden className={cx('rings pointer-events-none block', grow && 'rings-grow', className)} />
}
