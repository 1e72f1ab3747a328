import type { Analytics } from '#contract/analytics.ts'
import { cx } from '#web/ui/cx.ts'

/** The space of the picture, and the heart of its rings, which is off the middle as a tree's is. */
const SIZE = 200
const HEART = { x: 91, y: 106 }
/** The heart itself, and what a month takes at least and at most besides. */
const HEART_RADIUS = 7
const LEAST = 4
const MORE = 78

/** A ring as a tree draws it: never quite round, and like its neighbours. */
function ringOf(radius: number, turn: number): string {
  const points = Array.from({ length: 36 }, (_, index) => {
    const angle = (index / 36) * 2 * Math.PI
    const far = radius * (1 + 0.022 * Math.sin(3 * angle + turn * 0.5) + 0.012 * Math.sin(5 * angle - turn * 0.4))
    return `${(HEART.x + far * Math.cos(angle)).toFixed(1)} ${(HEART.y + far * Math.sin(angle)).toFixed(1)}`
  })
  return `M${points.join('L')}Z`
}

/** The last months as the rings of a tree, the oldest innermost: the more was spent, the wider; the one shown stands out. */
export function MonthRings({
  trend,
  month: shown,
  className,
}: Pick<Analytics, 'trend' | 'month'> & { className: string }) {
  const sum = Math.max(1, ...trend.map(({ spentMinor }) => spentMinor)) * Math.max(1, trend.length)
  const widths = trend.map(({ spentMinor }) => LEAST + ((MORE - LEAST * trend.length) * Math.max(0, spentMinor)) / sum)
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      fill="none"
      stroke="currentColor"
      className={cx('forced-colors:hidden', className)}
    >
      <circle cx={HEART.x} cy={HEART.y} r={HEART_RADIUS - 3} fill="currentColor" stroke="none" opacity={0.12} />
      {trend.map(({ month }, index) => {
        const width = widths[index] ?? LEAST
        const inner = widths.slice(0, index).reduce((before, one) => before + one, HEART_RADIUS)
        return (
          <path
            key={month}
            data-ring={month}
            d={ringOf(inner + width / 2, index)}
            strokeWidth={width - 2}
            className={month === shown ? 'opacity-25' : 'opacity-[0.09]'}
          />
        )
      })}
    </svg>
  )
}
