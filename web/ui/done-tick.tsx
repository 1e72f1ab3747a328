import { cx } from '#web/ui/cx.ts'

/** A tick for success, with a ring that grows around it. With reduced motion, the complete ring is shown at once. */
export function DoneTick({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cx('shrink-0 overflow-visible', className)}
    >
      <circle className="tick-wave" cx="12" cy="12" r="10.5" strokeWidth={1} />
      <circle className="tick-ring" cx="12" cy="12" r="10.5" strokeWidth={1.8} pathLength={1} />
      <path className="tick" d="m7.5 12.4 3.1 3.1 6-6.6" strokeWidth={2.4} pathLength={1} />
    </svg>
  )
}
