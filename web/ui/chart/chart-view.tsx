import { Trans } from '@lingui/react/macro'
import { useId, useMemo, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { ChartPoint, ChartViewProps } from '#web/ui/chart/chart-props.ts'
import { PLOT_SIZE } from '#web/ui/chart/plot-size.ts'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { drawChart } from '#web/ui/chart/geometry.ts'
import { Plot } from '#web/ui/chart/plot.tsx'
import { cx } from '#web/ui/cx.ts'
import { SpokenFigure } from '#web/ui/money.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

/** The loaded chart: the values at the chosen point, the plot, the ranges, and the same data as a table. */
export function ChartView(chart: ChartViewProps) {
  const { label, points, empty = '', ranges, fromZero, until } = chart
  const drawing = useMemo(() => drawChart(points, { fromZero, until }), [points, fromZero, until])
  // A chosen point stays chosen when newer points arrive. It is reset for another chart or range.
  const chartKey = `${label} ${ranges?.value}`
  const [chosenPoint, setChosen] = useState<{ shown: string; index: number } | null>(null)
  const isChosen = chosenPoint?.shown === chartKey
  const index = Math.min(isChosen ? chosenPoint.index : (drawing?.latest ?? 0), points.length - 1)
  const point = points[index]
  return (
    <div>
      {drawing && point ? (
        <>
          <Readout point={point} {...chart} />
          <Plot
            {...chart}
            drawing={drawing}
            index={index}
            isChosen={isChosen}
            onChoose={(next) => setChosen(next === null ? null : { shown: chartKey, index: next })}
          />
        </>
      ) : (
        <EmptyChart text={empty} hasBase={chart.names.base !== undefined} hasGain={chart.gain !== undefined} />
      )}
      {ranges && (
        <div className="mt-3">
          <Segmented {...ranges} />
        </div>
      )}
      <AsTable {...chart} />
    </div>
  )
}

/** The date and the values of one point. It also serves as the legend. */
function Readout({ point, names, gain, until, formatAt, formatValue }: ChartViewProps & { point: ChartPoint }) {
  const { value, base } = point
  return (
    <div className="text-sm">
      <p className="text-ink-soft">{formatAt(point.at)}</p>
      <p className="tabular flex flex-wrap gap-x-4 [overflow-wrap:anywhere]">
        <Figure
          name={names.value}
          value={formatValue(value)}
          mark={cx('border-t-2 border-primary', until !== undefined && point.at > until && 'border-dotted')}
        />
        {names.base !== undefined && (
          <Figure
            name={names.base}
            value={base === undefined ? '–' : formatValue(base)}
            mark="border-t-2 border-dashed border-ink-soft"
          />
        )}
        {gain && (
          <Figure
            name={gain.name}
            value={base === undefined ? '–' : gain.format(value - base)}
            mark={cx('h-2.5 rounded-xs', base !== undefined && value < base ? 'bg-danger/35' : 'bg-success/35')}
          />
        )}
      </p>
      {names.note !== undefined && <p className="min-h-[1lh] truncate text-ink-soft">{point.note}</p>}
    </div>
  )
}

function Figure({ name, value, mark }: { name: string; value: string; mark: string }) {
  return (
    <span className="min-w-0">
      <span aria-hidden className={cx('me-1.5 inline-block w-4 align-middle', mark)} />
      <span className="text-ink-soft">{name}</span>{' '}
      <span className="font-semibold">
        <bdi>
          <SpokenFigure text={value} />
        </bdi>
      </span>
    </span>
  )
}

/** The text of an empty chart, with the height of a chart. */
function EmptyChart({ text, hasBase, hasGain }: { text: string; hasBase: boolean; hasGain: boolean }) {
  return (
    <div className="grid">
      <div aria-hidden className="invisible col-start-1 row-start-1">
        <p className="text-sm">{'\u00a0'}</p>
        <p className={cx('text-sm', hasBase || 'truncate')}>{'\u00a0'}</p>
        {hasGain && <p className="text-sm">{'\u00a0'}</p>}
        <div className={PLOT_SIZE} />
        <p className="text-xs">{'\u00a0'}</p>
      </div>
      <p className="col-start-1 row-start-1 self-center px-4 text-center text-sm text-pretty text-ink-soft">{text}</p>
    </div>
  )
}

function AsTable(chart: ChartViewProps) {
  const id = useId()
  const [isShown, setShown] = useState(false)
  if (chart.points.length === 0) return <div className="mt-1 h-11" />
  return (
    <>
      <div className="mt-1 flex justify-center">
        <Button
          variant="quiet"
          size="small"
          aria-expanded={isShown}
          aria-controls={isShown ? id : undefined}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? (
            <Trans>Hide Table</Trans>
          ) : (
            <Trans comment="Shows the data of a chart as a table">Show as Table</Trans>
          )}
        </Button>
      </div>
      {isShown && <ChartTable id={id} {...chart} />}
    </>
  )
}
