import { cx } from '#web/ui/cx.ts'

/** The logo and the name of the bank. */
export function Brand({ className }: { className?: string }) {
  return (
    <span className={cx('inline-flex items-center gap-2.5 text-xl font-semibold tracking-tight', className)}>
      <img src="/icon.svg" alt="" width={32} height={32} />
      Alder
    </span>
  )
}
