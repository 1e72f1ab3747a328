import '#web/ui/celebration/celebration.css'
import { type CSSProperties, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { CelebratedMilestone } from '#web/ui/celebration/milestone.ts'
import { cx } from '#web/ui/cx.ts'
import { DoneTick } from '#web/ui/done-tick.tsx'
import { Rings } from '#web/ui/rings.tsx'

/** The time before the card appears in its live region. */
const DELAY_MS = 100
const VISIBLE_MS = 5000
/** The duration of the fade-out in celebration.css. */
const FADE_OUT_MS = 400

/**
 * The falling leaves: the distance from the left in percent of the width, the delay in seconds, the sway in pixels, and the
 * color.
 */
const LEAVES = [
  [6, 0.1, 34, 'text-primary'],
  [16, 0.55, -26, 'text-orange'],
  [27, 0, 40, 'text-primary'],
  [38, 0.8, -36, 'text-warning'],
  [49, 0.3, 28, 'text-primary'],
  [58, 1, 44, 'text-orange'],
  [68, 0.15, -32, 'text-primary'],
  [78, 0.7, 30, 'text-warning'],
  [87, 0.4, -40, 'text-primary'],
  [95, 0.95, -24, 'text-orange'],
] as const

/** Shows the celebration of a milestone above the current screen. It disappears automatically. */
export function showCelebration(milestone: CelebratedMilestone): void {
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  const end = () => {
    root.unmount()
    place.remove()
  }
  root.render(<Celebration milestone={milestone} onEnd={end} />)
}

/** The screen below stays usable, except under the card. A click on the card dismisses the celebration. */
function Celebration({ milestone: { title, text }, onEnd }: { milestone: CelebratedMilestone; onEnd: () => void }) {
  const [phase, setPhase] = useState<'waiting' | 'visible' | 'ending'>('waiting')
  useEffect(() => {
    // Screen readers announce changes only in a live region that already exists, so the card appears after the region.
    const timer = setTimeout(
      phase === 'ending' ? onEnd : () => setPhase(phase === 'waiting' ? 'visible' : 'ending'),
      { waiting: DELAY_MS, visible: VISIBLE_MS, ending: FADE_OUT_MS }[phase],
    )
    return () => clearTimeout(timer)
  }, [phase, onEnd])
  return (
    <div
      data-ending={phase === 'ending' || undefined}
      className="celebration pointer-events-none fixed inset-0 z-50 grid place-items-center overflow-hidden p-6"
    >
      <span aria-hidden>
        {LEAVES.map(([left, delay, sway, color]) => (
          <span
            key={left}
            className={cx('celebration-leaf', color)}
            style={
              {
                left: `${left}%`,
                '--delay': `${delay}s`,
                '--sway': `${sway}px`,
                '--rotation': `${left * 7}deg`,
              } as CSSProperties
            }
          />
        ))}
      </span>
      <div role="status">
        {phase !== 'waiting' && (
          // The card covers controls only for a pointer, so only a click has to dismiss it early.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
          <div
            onClick={() => setPhase('ending')}
            className="pointer-events-auto relative flex w-full max-w-80 flex-col items-center rounded-[1.75rem] border border-line bg-surface px-6 pt-6 pb-7 text-center shadow-lift"
          >
            <span className="relative grid size-40 place-items-center text-primary">
              <Rings grow className="absolute inset-0 opacity-60" />
              <span className="relative grid size-16 place-items-center rounded-full bg-surface">
                <DoneTick className="size-12" />
              </span>
            </span>
            <p className="mt-4 text-xl font-semibold tracking-tight text-balance">{title}</p>
            <p className="mt-1.5 text-pretty break-words text-ink-soft">{text}</p>
          </div>
        )}
      </div>
    </div>
  )
}
