import { bisector, extent, maxIndex, minIndex } from 'd3-array'
import { area, curveMonotoneX, curveStepAfter, line } from 'd3-shape'
import type { ChartPoint } from '#web/ui/chart/chart-props.ts'

/** A point on the plot, in per cent of its width from the left and of its height from the top. */
export type Place = { x: number; y: number; baseY: number | null }

export type Drawing = {
  places: Place[]
  /** Paths of an SVG of 100 by 100. */
  line: string
  area: string
  base: string | null
  /** Which points have the highest and the lowest value, the first of each; the lowest is null where all are the same. */
  highest: number
  lowest: number | null
}

/** From one range to 0 to 100; where the range is a single value, all of it lies in the middle. */
function toPercent([from, to]: readonly [number, number]): (value: number) => number {
  // Each is divided before the difference is taken, which for the largest numbers would be too large to be one.
  const size = to / 2 - from / 2
  return (value) => (size === 0 ? 50 : ((value / 2 - from / 2) / size) * 100)
}

const timeOf = ({ at }: ChartPoint) => Date.parse(at)

/**
 * Where everything lies; null where there is no point. Points are in order of time. `fromZero`: the height begins at zero, or
 * below it, so that a small change looks like one.
 */
export function draw(points: readonly ChartPoint[], { fromZero = false } = {}): Drawing | null {
  const [first, last] = extent(points, timeOf)
  const values = points.map(({ value }) => value)
  const bases = points.flatMap(({ base }) => base ?? [])
  const [low, high] = extent([...values, ...bases, ...(fromZero ? [0] : [])])
  if (first === undefined || low === undefined || high === undefined) return null
  const across = toPercent([first, last])
  const up = toPercent([low, high])
  const places = points.map((point) => ({
    x: across(timeOf(point)),
    y: 100 - up(point.value),
    baseY: point.base === undefined ? null : 100 - up(point.base),
  }))
  const [highest, lowest] = [maxIndex(values), minIndex(values)]
  return {
    places,
    ...pathsOf(places),
    highest,
    lowest: values[lowest] === values[highest] ? null : lowest,
  }
}

function pathsOf(places: readonly Place[]): Pick<Drawing, 'line' | 'area' | 'base'> {
  const x = (place: Place) => place.x
  const y = (place: Place) => place.y
  // This curve never goes beyond the values that it joins.
  const valueLine = line(x, y).curve(curveMonotoneX)
  const valueArea = area(x, 100, y).curve(curveMonotoneX)
  const baseLine = line<Place>(x, ({ baseY }) => baseY ?? 0)
    .defined(({ baseY }) => baseY !== null)
    .curve(curveStepAfter)
  return { line: valueLine([...places]) ?? '', area: valueArea([...places]) ?? '', base: baseLine([...places]) }
}

const byPlace = bisector<Place, number>(({ x }) => x)

/** The index of the point that is nearest to a place across the plot, in per cent. */
export const nearest = (places: readonly Place[], x: number): number => byPlace.center([...places], x)
