import { bisector, extent, maxIndex, minIndex } from 'd3-array'
import { area, curveMonotoneX, line } from 'd3-shape'
import type { ChartPoint } from '#web/ui/chart/chart-props.ts'

/** A point on the plot, in per cent of its width from the left and of its height from the top. */
export type Place = { x: number; y: number; baseY: number | null }

export type Drawing = {
  places: Place[]
  /** Paths of an SVG of 100 by 100: what has been, and what is to come after it. */
  line: string
  ahead: string
  area: string
  /** The second series, and where the first is above it and below it; null without one. */
  base: string | null
  over: string | null
  under: string | null
  /** Which points have the highest and the lowest value, the first of each; the lowest is null where all are the same. */
  highest: number
  lowest: number | null
  /** The last point that has been. */
  latest: number
}

/** From one range to 0 to 100; where the range is a single value, all of it lies in the middle. */
function toPercent([from, to]: readonly [number, number]): (value: number) => number {
  // Each is divided before the difference is taken, which for the largest numbers would be too large to be one.
  const size = to / 2 - from / 2
  return (value) => (size === 0 ? 50 : ((value / 2 - from / 2) / size) * 100)
}

const timeOf = ({ at }: ChartPoint) => Date.parse(at)

type DrawOptions = {
  /** The height begins at zero, or below it, so that a small change looks like one. */
  fromZero?: boolean | undefined
  /** The last moment that has been; what comes after it is to come. */
  until?: string | undefined
}

/** Where everything lies; null where there is no point. Points are in order of time. */
export function draw(points: readonly ChartPoint[], { fromZero = false, until }: DrawOptions = {}): Drawing | null {
  const [first, last] = extent(points, timeOf)
  const values = points.map(({ value }) => value)
  const bases = points.flatMap(({ base }) => base ?? [])
  const [low, high] = extent([...values, ...bases, ...(fromZero ? [0] : [])])
  if (first === undefined || low === undefined || high === undefined) return null
  const across = toPercent([first, last])
  const up = toPercent([low, high])
  const placeOf = (point: ChartPoint): Place => ({
    x: across(timeOf(point)),
    y: 100 - up(point.value),
    baseY: point.base === undefined ? null : 100 - up(point.base),
  })
  const places = points.map(placeOf)
  const [highest, lowest] = [maxIndex(values), minIndex(values)]
  const been = until === undefined ? points.length : points.filter(({ at }) => at <= until).length
  const lines = bases.length > 0 ? pathsOfTwo(withSteps(points).map(placeOf)) : pathsOfOne(places, been)
  return {
    places,
    ...lines,
    highest,
    lowest: values[lowest] === values[highest] ? null : lowest,
    latest: Math.max(been - 1, 0),
  }
}

type Paths = Pick<Drawing, 'line' | 'ahead' | 'area' | 'base' | 'over' | 'under'>
const xOf = (place: Place) => place.x
const yOf = (place: Place) => place.y

/** One value over time. This curve never goes beyond the values that it joins. */
function pathsOfOne(places: readonly Place[], been: number): Paths {
  const valueLine = line(xOf, yOf).curve(curveMonotoneX)
  const past = places.slice(0, been)
  return {
    line: valueLine(past) ?? '',
    ahead: been < places.length ? (valueLine(places.slice(Math.max(been - 1, 0))) ?? '') : '',
    area: area(xOf, 100, yOf).curve(curveMonotoneX)(past) ?? '',
    base: null,
    over: null,
    under: null,
  }
}

/**
 * What is paid in and out makes both series step, at the later of two points: between them only the gain or loss changes. So a
 * deposit never looks like a gain.
 */
function withSteps(points: readonly ChartPoint[]): ChartPoint[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1]
    if (before?.base === undefined || point.base === undefined || before.base === point.base) return [point]
    // Where some was taken out, what was left of it had the same share of a gain.
    const value =
      point.base > before.base
        ? point.value - (point.base - before.base)
        : point.base > 0
          ? point.value * (before.base / point.base)
          : before.value
    // Rounded prices never make it leave the plot.
    const around = [before.value, point.value, before.base, point.base]
    return [
      { ...point, value: Math.min(Math.max(value, Math.min(...around)), Math.max(...around)), base: before.base },
      point,
    ]
  })
}

/** Two series, and the area between them: straight lines, so that they meet where the series are the same. */
function pathsOfTwo(places: readonly Place[]): Paths {
  const hasBase = ({ baseY }: Place) => baseY !== null
  const baseOf = ({ baseY, y }: Place) => baseY ?? y
  const joined = withMeetings(places)
  const between = (edge: (...ys: number[]) => number) =>
    area(xOf, baseOf, (place: Place) => edge(place.y, baseOf(place))).defined(hasBase)(joined) ?? ''
  return {
    line: line(xOf, yOf)([...places]) ?? '',
    ahead: '',
    area: '',
    base: line(xOf, baseOf).defined(hasBase)([...places]),
    over: between(Math.min),
    under: between(Math.max),
  }
}

/** With a point wherever one series crosses the other. */
function withMeetings(places: readonly Place[]): Place[] {
  return places.flatMap((place, index) => {
    const before = places[index - 1]
    if (!before || before.baseY === null || place.baseY === null) return [place]
    const [from, to] = [before.y - before.baseY, place.y - place.baseY]
    if (from * to >= 0) return [place]
    const share = from / (from - to)
    const meeting = before.y + (place.y - before.y) * share
    return [{ x: before.x + (place.x - before.x) * share, y: meeting, baseY: meeting }, place]
  })
}

const byPlace = bisector<Place, number>(({ x }) => x)

/** The index of the point that is nearest to a place across the plot, in per cent. */
export const nearest = (places: readonly Place[], x: number): number => byPlace.center([...places], x)
