import type { Analytics } from '#contract/analytics.ts'
import { cx } from '#web/ui/cx.ts'

/** The size of the picture, and the center of its rings. The center is not in the middle, as in a tree. */
const SIZE = 200
const HEART = { x: 91, y: 106 }
/** The radius of the center, and the smallest width of a month's ring. */
const HEART_RADIUS = 7
const MIN_SEGMENT = 4
const SEGMENTS_LENGTH = 78

/** Returns the path of a ring. It is slightly uneven and similar to its neighbors, as in a tree. */
function ringOf(radius: number, turn: number): string {
  const points = Array.from({ length: 36 }, (_, index) => {
    const angle = (index / 36) * 2 * Math.PI
    const distance = radius * (1 + 0.022 * Math.sin(3 * angle + turn * 0.5) + 0.012 * Math.sin(5 * angle - turn * 0.4))
    return `${(HEART.x + distance * Math.cos(angle)).toFixed(1)} ${(HEART.y + distance * Math.sin(angle)).toFixed(1)}`
  })
  return `M${points.join('L')}Z`
}

/**
 * Draws the last months as growth rings of a tree, the oldest innermost. A ring's width shows the month's spending. The chosen
 * month is highlighted.
 */
export function MonthRings({
  trend,
  month: shownMonth,
  className,
}: Pick<Analytics, 'trend' | 'month'> & { className: string }) {
  const sum = Math.max(1, ...trend.map(({ spentMinor }) => spentMinor)) * Math.max(1, trend.length)
  const widths = trend.map(
    ({ spentMinor }) => MIN_SEGMENT + ((SEGMENTS_LENGTH - MIN_SEGMENT * trend.length) * Math.max(0, spentMinor)) / sum,
  )
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
        const width = widths[index] ?? MIN_SEGMENT
        const inner = widths.slice(0, index).reduce((radius, ringWidth) => radius + ringWidth, HEART_RADIUS)
        return (
          <path
            key={month}
            data-ring={month}
            d={ringOf(inner + width / 2, index)}
            strokeWidth={width - 2}
            className={month === shownMonth ? 'opacity-25' : 'opacity-[0.09]'}
          />
        )
      })}
    </svg>
  )
}
