import type { ReactNode } from 'react'
import { cx } from '#web/ui/cx.ts'

/** Shows the figures of a trade or an order, one per line. */
export function FigureLines({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line">{children}</dl>
}

type LineProps = { name: ReactNode; note?: ReactNode; strong?: boolean; children: ReactNode }

/** Shows a name and its figure. The figure moves below the name if both do not fit on one line. */
export function FigureLine({ name, note, strong = false, children }: LineProps) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5">
      <dt className={cx('min-w-0', strong ? 'font-semibold' : 'text-ink-soft')}>
        {name}
        {note && <span className="block text-sm font-normal text-ink-soft">{note}</span>}
      </dt>
      <dd className={cx('tabular ms-auto text-end', strong ? 'font-semibold' : 'font-medium')}>{children}</dd>
    </div>
  )
}
