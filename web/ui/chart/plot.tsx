import { type CSSProperties, type PointerEvent, useId, useRef } from 'react'
import type { ChartViewProps } from '#web/ui/chart/chart-props.ts'
import { PLOT_SIZE } from '#web/ui/chart/plot-size.ts'
import { type Drawing, nearestIndex, type PlotPoint } from '#web/ui/chart/geometry.ts'
import { cx } from '#web/ui/cx.ts'

type PlotProps = ChartViewProps & {
  drawing: Drawing
  /** The index of the highlighted point. */
  index: number
  /** True if the customer chose the point. False if the point is the last past point, which is highlighted by default. */
  isChosen: boolean
  onChoose: (index: number | null) => void
}

/**
 * The lines, with the highest and the lowest value and the first and the last date. Time runs from left to right in every
 * language. An invisible range input makes the plot a slider for keyboards and assistive technology.
 */
export function Plot(plot: PlotProps) {
  const { drawing, points, index, isChosen, onChoose } = plot
  const place = drawing.places[index]
  const slider = useRef<HTMLInputElement>(null)
  const pointed = usePointer(drawing, onChoose, slider)
  return (
    <>
      <div
        dir="ltr"
        {...pointed}
        className={cx(
          PLOT_SIZE,
          // The padding holds the labels above the highest and below the lowest point.
          'relative cursor-crosshair touch-pan-y rounded-lg py-[1.75rem] select-none has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-0 has-[:focus-visible]:outline-primary',
        )}
      >
        <div className="@container relative h-full">
          <Lines {...drawing} />
          {drawing.places.map(
            ({ x, y }, pointIndex) => points[pointIndex]?.note !== undefined && <Mark key={x} x={x} y={y} />,
          )}
          {place && isChosen && <Cursor x={place.x} />}
          {place && <Dot {...place} />}
          <Extremes {...plot} />
        </div>
        <Slider {...plot} input={slider} />
      </div>
      <EndLabels points={points} formatAt={plot.formatAt} />
    </>
  )
}

/** Returns the handlers that highlight the point under a mouse, or under a finger that moves across the plot. */
function usePointer(
  { places }: Drawing,
  onChoose: PlotProps['onChoose'],
  slider: { current: HTMLInputElement | null },
) {
  const choose = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    onChoose(nearestIndex(places, ((clientX - left) / width) * 100))
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      // The point stays chosen while the slider has the focus, and the arrow keys move it.
      event.preventDefault()
      slider.current?.focus({ preventScroll: true })
      choose(event)
    },
    onPointerMove: choose,
    onPointerLeave: ({ pointerType }: PointerEvent<HTMLElement>) => {
      if (pointerType === 'mouse' && document.activeElement !== slider.current) onChoose(null)
    },
  }
}

function Lines({ line, ahead, area, base, over, under, places }: Drawing) {
  const fillId = useId()
  return (
    <svg aria-hidden viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute size-full overflow-visible">
      <defs>
        <linearGradient id={fillId} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="var(--color-primary)" stopOpacity="0.22" />
          <stop offset="1" stopColor="var(--color-primary)" stopOpacity="0" />
        </linearGradient>
      </defs>
      {places.length > 1 && area !== '' && <path d={area} fill={`url(#${fillId})`} />}
      {over !== null && <path data-over d={over} fill="var(--color-success)" fillOpacity="0.22" />}
      {under !== null && <path data-under d={under} fill="var(--color-danger)" fillOpacity="0.22" />}
      {base !== null && (
        <path
          d={base}
          fill="none"
          stroke="var(--color-ink-soft)"
          strokeWidth="1.5"
          strokeDasharray="5 4"
          vectorEffect="non-scaling-stroke"
        />
      )}
      {ahead !== '' && (
        <path
          data-ahead
          d={ahead}
          fill="none"
          stroke="var(--color-primary)"
          strokeWidth="2"
          strokeDasharray="2 5"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
      <path
        d={line}
        fill="none"
        stroke="var(--color-primary)"
        strokeWidth="2"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

/** The position is set by `left` and not by a transform, so that it is on whole pixels if the plot is. */
const positionAt = (x: number): CSSProperties => ({ left: `${x}%` })

function Cursor({ x }: { x: number }) {
  return (
    <span
      aria-hidden
      style={positionAt(x)}
      className="absolute -inset-y-[1.75rem] -ms-px border-s border-line-strong"
    />
  )
}

function Dot({ x, y, baseY }: PlotPoint) {
  const dotClass = 'absolute -mt-1.5 -ms-1.5 size-3 rounded-full border-2 border-surface'
  return (
    <>
      {baseY !== null && (
        <span aria-hidden style={{ ...positionAt(x), top: `${baseY}%` }} className={cx(dotClass, 'bg-ink-soft')} />
      )}
      <span aria-hidden style={{ ...positionAt(x), top: `${y}%` }} className={cx(dotClass, 'bg-primary')} />
    </>
  )
}

/** The mark of an event on the line. */
function Mark({ x, y }: Pick<PlotPoint, 'x' | 'y'>) {
  return (
    <span
      aria-hidden
      data-mark
      style={{ ...positionAt(x), top: `${y}%` }}
      className="absolute -ms-1 -mt-1 size-2 rounded-full border-2 border-primary bg-surface"
    />
  )
}

/** The labels of the highest value, above its point, and of the lowest value, below its point, so that they never overlap. */
function Extremes({ drawing: { places, highest, lowest }, points, formatValue }: PlotProps) {
  const marks = [
    { index: highest, where: 'bottom' },
    { index: lowest, where: 'top' },
  ] as const
  return marks.map(({ index, where }) => {
    const [place, point] = index === null ? [] : [places[index], points[index]]
    if (!place || !point) return null
    const text = formatValue(point.value)
    const { x, y } = place
    return (
      <span
        key={where}
        aria-hidden
        style={
          {
            ...positionAt(x),
            [where]: `calc(${where === 'top' ? y : 100 - y}% + 0.4rem)`,
            // Near the edges, the label is shifted towards the middle, so that it is never cut off.
            transform: `translateX(-${x}%)`,
            '--chars': text.length,
          } as CSSProperties
        }
        className="tabular pointer-events-none absolute text-xs font-medium whitespace-nowrap text-ink-soft"
      >
        <bdi className="fit-container">{text}</bdi>
      </span>
    )
  })
}

function Slider({
  label,
  points,
  names,
  formatAt,
  formatValue,
  gain,
  index,
  onChoose,
  input,
}: PlotProps & { input: { current: HTMLInputElement | null } }) {
  const point = points[index]
  const valueParts = point && [
    formatAt(point.at),
    `${names.value} ${formatValue(point.value)}`,
    ...(names.base !== undefined && point.base !== undefined ? [`${names.base} ${formatValue(point.base)}`] : []),
    ...(gain && point.base !== undefined ? [`${gain.name} ${gain.format(point.value - point.base)}`] : []),
    ...(point.note === undefined ? [] : [point.note]),
  ]
  return (
    <input
      ref={input}
      type="range"
      aria-label={label}
      aria-valuetext={valueParts?.join(', ')}
      min={0}
      max={points.length - 1}
      step={1}
      value={index}
      onChange={(event) => onChoose(event.currentTarget.valueAsNumber)}
      onBlur={() => onChoose(null)}
      onKeyDown={(event) => event.key === 'Escape' && onChoose(null)}
      className="pointer-events-none absolute inset-0 size-full opacity-0"
    />
  )
}

function EndLabels({ points, formatAt }: Pick<ChartViewProps, 'points' | 'formatAt'>) {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  return (
    <p aria-hidden dir="ltr" className="flex min-h-[1lh] justify-between gap-3 text-xs text-ink-soft">
      {points.length > 1 && <bdi>{formatAt(first.at)}</bdi>}
      <bdi className={points.length > 1 ? 'text-end' : 'mx-auto'}>{formatAt(last.at)}</bdi>
    </p>
  )
}
