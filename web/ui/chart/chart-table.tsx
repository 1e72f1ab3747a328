import type { ChartViewProps } from '#web/ui/chart/chart-props.ts'
import { cx } from '#web/ui/cx.ts'
import { SpokenFigure } from '#web/ui/money.tsx'

const CELL = 'px-3 py-2'
const AMOUNT = 'tabular text-end'

/** A table of the chart's points, the latest first; with `isAhead`, the earliest first. */
export function ChartTable(chart: ChartViewProps & { id: string }) {
  const { id, label, points, names, formatAt, formatValue, isAhead = false, gain } = chart
  const hasBase = names.base !== undefined
  const hasNotes = names.note !== undefined
  return (
    // The table scrolls, so keyboard users must be able to focus it.
    <div
      id={id}
      role="region"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="mt-2 max-h-80 overflow-auto rounded-control border border-line text-sm"
    >
      <table className="w-full border-collapse">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 bg-muted text-ink-soft">
          <tr>
            <th scope="col" className={cx(CELL, 'text-start font-medium')}>
              {names.at}
            </th>
            <th scope="col" className={cx(CELL, AMOUNT, 'font-medium')}>
              {names.value}
            </th>
            {hasBase && (
              <th scope="col" className={cx(CELL, AMOUNT, 'font-medium')}>
                {names.base}
              </th>
            )}
            {gain && (
              <th scope="col" className={cx(CELL, AMOUNT, 'font-medium')}>
                {gain.name}
              </th>
            )}
            {hasNotes && (
              <th scope="col" className={cx(CELL, 'text-start font-medium')}>
                {names.note}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {(isAhead ? points : points.toReversed()).map(({ at, value, base, note }) => (
            <tr key={at} className="border-t border-line">
              <th scope="row" className={cx(CELL, 'text-start font-normal')}>
                {formatAt(at)}
              </th>
              <Figure text={formatValue(value)} />
              {hasBase && <Figure text={base === undefined ? '–' : formatValue(base)} />}
              {gain && <Figure text={base === undefined ? '–' : gain.format(value - base)} />}
              {hasNotes && <td className={CELL}>{note}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Figure({ text }: { text: string }) {
  return (
    <td className={cx(CELL, AMOUNT)}>
      <bdi>
        <SpokenFigure text={text} />
      </bdi>
    </td>
  )
}
