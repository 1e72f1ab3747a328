import { cx } from '#web/ui/cx.ts'

export function Spinner({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-block size-5 animate-spin-slow rounded-full border-2 border-current border-e-transparent opacity-80',
        className,
      )}
    />
  )
}
