import '#web/ui/celebration/celebration.css'
import { type CSSProperties, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { Reached } from '#web/ui/celebration/reached.ts'
import { cx } from '#web/ui/cx.ts'
import { DoneTick } from '#web/ui/done-tick.tsx'
import { Rings } from '#web/ui/rings.tsx'

/** How long it stays, and how long it takes to go. */
const STAYS_MS = 5000
const GOES_MS = 400

/** Where leaves fall, in percent of the width, when, how far they sway and in which colour. */
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

/** Shows it above whatever screen is open, and leaves by itself. */
export function show(reached: Reached): void {
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  const end = () => {
    root.unmount()
    place.remove()
  }
  root.render(<Celebration reached={reached} onEnd={end} />)
}

/** It holds nobody up: all that is under it can be pressed, and pressing it sends it away. */
function Celebration({ reached: { title, text }, onEnd }: { reached: Reached; onEnd: () => void }) {
  const [phase, setPhase] = useState<'coming' | 'there' | 'ending'>('coming')
  useEffect(() => {
    // A screen reader says what changes in a place that it knows already.
    const timer = setTimeout(
      phase === 'ending' ? onEnd : () => setPhase(phase === 'coming' ? 'there' : 'ending'),
      { coming: 100, there: STAYS_MS, ending: GOES_MS }[phase],
    )
    return () => clearTimeout(timer)
  }, [phase, onEnd])
  return (
    <div
      data-ending={phase === 'ending' || undefined}
      className="celebration pointer-events-none fixed inset-0 z-50 grid place-items-center overflow-hidden p-6"
    >
      <span aria-hidden>
        {LEAVES.map(([at, after, sway, colour]) => (
          <span
            key={at}
            className={cx('celebration-leaf', colour)}
            style={
              {
                left: `${at}%`,
                '--after': `${after}s`,
                '--sway': `${sway}px`,
                '--turned': `${at * 7}deg`,
              } as CSSProperties
            }
          />
        ))}
      </span>
      <div role="status">
        {phase !== 'coming' && (
          // Only a pointer needs it gone sooner: it covers nothing that a keyboard or a screen reader reaches.
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
