import { Plural, Trans } from '@lingui/react/macro'
import { QUOTE_SECONDS } from '#contract/crypto-terms.ts'
import { cx } from '#web/ui/cx.ts'

/** The number of remaining seconds at which a screen reader announces the end of a quote. */
const LAST_SECONDS = 5

/**
 * Shows the seconds for which a quote is valid. A screen reader announces the remaining time once shortly before the end, and
 * then the end itself.
 */
export function Countdown({ left: secondsLeft, isOver }: { left: number; isOver: boolean }) {
  const isLast = secondsLeft <= LAST_SECONDS
  const seconds = LAST_SECONDS
  const expiredText = <Trans>This quote has expired. The price may have changed.</Trans>
  return (
    <div className="flex items-center gap-3">
      <Ring seconds={isOver ? 0 : secondsLeft} isLast={isLast} />
      <p className={cx('min-w-0 text-sm text-pretty', isOver ? 'font-medium text-danger' : 'text-ink-soft')}>
        {isOver ? expiredText : <Trans>Confirm before the time runs out to get exactly this price.</Trans>}
      </p>
      <p role="status" className="sr-only">
        {isOver ? expiredText : isLast && <Plural value={seconds} one="# second left" other="# seconds left" />}
      </p>
    </div>
  )
}

/** The circumference of the ring in its own units. */
const AROUND = 100

function Ring({ seconds, isLast }: { seconds: number; isLast: boolean }) {
  return (
    <span role="timer" aria-live="off" className="relative grid size-13 shrink-0 place-items-center">
      <svg aria-hidden viewBox="0 0 36 36" className="absolute inset-0 size-full -rotate-90">
        <circle cx="18" cy="18" r="16" fill="none" strokeWidth="3" className="stroke-muted" />
        <circle
          cx="18"
          cy="18"
          r="16"
          fill="none"
          strokeWidth="3"
          strokeLinecap="round"
          pathLength={AROUND}
          strokeDasharray={AROUND}
          strokeDashoffset={AROUND - (seconds / QUOTE_SECONDS) * AROUND}
          className={cx(
            'transition-[stroke-dashoffset] duration-300 ease-linear',
            seconds === 0 ? 'stroke-transparent' : isLast ? 'stroke-danger' : 'stroke-primary',
          )}
        />
      </svg>
      <span className={cx('tabular text-lg font-semibold', isLast && 'text-danger')}>{seconds}</span>
    </span>
  )
}
