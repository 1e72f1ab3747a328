import { useLingui } from '@lingui/react/macro'
import type { Analytics } from '#contract/analytics.ts'
import type { SpendingCategory } from '#contract/categories.ts'
import { percentage } from '#web/i18n/formats.ts'
import { SPENDING_LOOKS } from '#web/insights/category-words.ts'

/** The colors match the icons in the list below. The last two are both gray, so they differ in brightness. */
const STROKES: Record<SpendingCategory, string> = {
  food: 'stroke-orange',
  shopping: 'stroke-purple',
  transport: 'stroke-blue',
  entertainment: 'stroke-primary',
  bills: 'stroke-ink-soft',
  other: 'stroke-line-strong',
}

/** The gap between two segments, in percent of the ring. */
const GAP = 1.2

const BOX = 'relative mx-auto my-4 grid size-44 place-items-center'
const RING = { viewBox: '0 0 40 40', className: 'absolute inset-0 -rotate-90', fill: 'none', strokeWidth: 4.5 } as const

/** A placeholder with the size of the ring. */
export function DonutSkeleton() {
  return (
    <div aria-hidden className={BOX}>
      <svg {...RING}>
        <circle cx="20" cy="20" r="17" className="animate-shimmer stroke-muted" />
      </svg>
    </div>
  )
}

/** Shows the month's categories as segments of a ring, with the largest named inside. The list below has the same figures. */
export function Donut({ analytics: { categories } }: { analytics: Analytics }) {
  const { t } = useLingui()
  const spentCategories = categories.filter(({ spentMinor }) => spentMinor > 0)
  const [largestCategory] = spentCategories.toSorted((a, b) => b.spentMinor - a.spentMinor)
  if (!largestCategory) return null
  const total = spentCategories.reduce((sum, { spentMinor }) => sum + spentMinor, 0)
  const spentBefore = (index: number) =>
    spentCategories.slice(0, index).reduce((sum, { spentMinor }) => sum + spentMinor, 0)
  return (
    <div aria-hidden className={BOX}>
      <svg {...RING}>
        {spentCategories.map(({ category, spentMinor }, index) => {
          const share = (spentMinor / total) * 100
          const from = (spentBefore(index) / total) * 100
          const drawnLength = spentCategories.length === 1 ? share : Math.max(0.4, share - GAP)
          return (
            <circle
              key={category}
              data-part={category}
              cx="20"
              cy="20"
              r="17"
              pathLength={100}
              strokeDasharray={`${drawnLength} ${100 - drawnLength}`}
              strokeDashoffset={-from}
              className={STROKES[category]}
            />
          )
        })}
      </svg>
      <div className="flex max-w-28 flex-col items-center text-center">
        <span className="tabular text-2xl font-semibold tracking-tight">{percentage(largestCategory.percent)}</span>
        <span className="text-sm leading-tight text-ink-soft">{t(SPENDING_LOOKS[largestCategory.category].name)}</span>
      </div>
    </div>
  )
}
