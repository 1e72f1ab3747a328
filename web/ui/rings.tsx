import { cx } from '#web/ui/cx.ts'

/**
 * Growth rings of a tree around a heart off the middle: Alder's mark, used large and faint, in the current text colour.
 * With `grow` they come from the heart outwards.
 */
export function Rings({ grow = false, className }: { grow?: boolean; className?: string }) {
  return <span aria-hidden className={cx('rings pointer-events-none block', grow && 'rings-grow', className)} />
}
