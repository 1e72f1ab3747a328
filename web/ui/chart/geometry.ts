import { bisector, extent, maxIndex, minIndex } from 'd3-array'
import { area, curveMonotoneX, line } from 'd3-shape'
import type { ChartPoint } from '#web/ui/chart/chart-props.ts'

/**
 * A point on the plot, in percent of the width from the left and of the height from the top. `baseY` is null without a base.
 */
export type PlotPoint = { x: number; y: number; baseY: number | null }

export type Drawing = {
  places: PlotPoint[]
  /** Paths in an SVG of 100 by 100: the past, and the forecast after it. */
  line: string
  ahead: string
  area: string
  /** The path of the second series, and the areas where the first is above and below it; null without a second series. */
  base: string | null
  over: string | null
  under: string | null
  /** The indexes of the first points with the highest and the lowest value. `lowest` is null if all values are equal. */
  highest: number
  lowest: number | null
  /** The index of the last past point. */
  latest: number
}

/** Returns a function that maps a range to 0 to 100. If the range is a single value, the result is always 50. */
function toPercent([from, to]: readonly [number, number]): (value: number) => number {
  // Both values are halved before the subtraction, so that the difference of the largest numbers does not overflow.
  const size = to / 2 - from / 2
  return (value) => (size === 0 ? 50 : ((value / 2 - from / 2) / size) * 100)
}

const timeOf = ({ at }: ChartPoint) => Date.parse(at)

type DrawOptions = {
  /** True if the vertical axis includes zero. */
  fromZero?: boolean | undefined
  /** The last past point in time; later points are a forecast. */
  until?: string | undefined
}

/** Returns the paths and positions of all points, which are in order of time. Returns null without points. */
export function drawChart(
  points: readonly ChartPoint[],
  { fromZero = false, until }: DrawOptions = {},
): Drawing | null {
  const [first, last] = extent(points, timeOf)
  const values = points.map(({ value }) => value)
  const bases = points.flatMap(({ base }) => base ?? [])
  const [low, high] = extent([...values, ...bases, ...(fromZero ? [0] : [])])
  if (first === undefined || low === undefined || high === undefined) return null
  const toWidth = toPercent([first, last])
  const toHeight = toPercent([low, high])
  const placeOf = (point: ChartPoint): PlotPoint => ({
    x: toWidth(timeOf(point)),
    y: 100 - toHeight(point.value),
    baseY: point.base === undefined ? null : 100 - toHeight(point.base),
  })
  const places = points.map(placeOf)
  const [highest, lowest] = [maxIndex(values), minIndex(values)]
  const pastCount = until === undefined ? points.length : points.filter(({ at }) => at <= until).length
  const lines = bases.length > 0 ? pathsOfTwo(withSteps(points).map(placeOf)) : pathsOfOne(places, pastCount)
  return {
    places,
    ...lines,
    highest,
    lowest: values[lowest] === values[highest] ? null : lowest,
    latest: Math.max(pastCount - 1, 0),
  }
}

type Paths = Pick<Drawing, 'line' | 'ahead' | 'area' | 'base' | 'over' | 'under'>
const xOf = (place: PlotPoint) => place.x
const yOf = (place: PlotPoint) => place.y

/** Returns the paths of one series. The curve never exceeds the values of its points. */
function pathsOfOne(places: readonly PlotPoint[], pastCount: number): Paths {
  const valueLine = line(xOf, yOf).curve(curveMonotoneX)
  const past = places.slice(0, pastCount)
  return {
    line: valueLine(past) ?? '',
    ahead: pastCount < places.length ? (valueLine(places.slice(Math.max(pastCount - 1, 0))) ?? '') : '',
    area: area(xOf, 100, yOf).curve(curveMonotoneX)(past) ?? '',
    base: null,
    over: null,
    under: null,
  }
}

/**
 * Adds steps for payments in and out. Both series step at the later of two points, and only the gain or loss changes between
 * them. A payment therefore never looks like a gain.
 */
function withSteps(points: readonly ChartPoint[]): ChartPoint[] {
  return points.flatMap((point, index) => {
    const previousPoint = points[index - 1]
    if (previousPoint?.base === undefined || point.base === undefined || previousPoint.base === point.base)
      return [point]
    // After a withdrawal, the gain is the same share of the remaining value as before.
    const value =
      point.base > previousPoint.base
        ? point.value - (point.base - previousPoint.base)
        : point.base > 0
          ? point.value * (previousPoint.base / point.base)
          : previousPoint.value
    // The limit keeps a step within the plot despite rounded prices.
    const limits = [previousPoint.value, point.value, previousPoint.base, point.base]
    return [
      {
        ...point,
        value: Math.min(Math.max(value, Math.min(...limits)), Math.max(...limits)),
        base: previousPoint.base,
      },
      point,
    ]
  })
}

/**
 * Returns the paths of two series and the area between them. The lines are straight, so that they meet where the values are
 * equal.
 */
function pathsOfTwo(places: readonly PlotPoint[]): Paths {
  const hasBase = ({ baseY }: PlotPoint) => baseY !== null
  const baseOf = ({ baseY, y }: PlotPoint) => baseY ?? y
  const joinedPlaces = withMeetings(places)
  const areaBetween = (edge: (...ys: number[]) => number) =>
    area(xOf, baseOf, (place: PlotPoint) => edge(place.y, baseOf(place))).defined(hasBase)(joinedPlaces) ?? ''
  return {
    line: line(xOf, yOf)([...places]) ?? '',
    ahead: '',
    area: '',
    base: line(xOf, baseOf).defined(hasBase)([...places]),
    over: areaBetween(Math.min),
    under: areaBetween(Math.max),
  }
}

/** Adds a point at each crossing of the two series. */
function withMeetings(places: readonly PlotPoint[]): PlotPoint[] {
  return places.flatMap((place, index) => {
    const previousPlace = places[index - 1]
    if (!previousPlace || previousPlace.baseY === null || place.baseY === null) return [place]
    const [gapBefore, gapAfter] = [previousPlace.y - previousPlace.baseY, place.y - place.baseY]
    if (gapBefore * gapAfter >= 0) return [place]
    const share = gapBefore / (gapBefore - gapAfter)
    const meeting = previousPlace.y + (place.y - previousPlace.y) * share
    return [{ x: previousPlace.x + (place.x - previousPlace.x) * share, y: meeting, baseY: meeting }, place]
  })
}

const byPlace = bisector<PlotPoint, number>(({ x }) => x)

/** Returns the index of the point nearest to `x`, in percent of the plot's width. */
export const nearestIndex = (places: readonly PlotPoint[], x: number): number => byPlace.center([...places], x)
