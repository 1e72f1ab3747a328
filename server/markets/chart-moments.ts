import { DAY_MS } from '#server/platform/durations.ts'
import type { PriceRange } from '#contract/markets.ts'

const RANGE_DAYS = { day: 1, week: 7, month: 30, year: 365 } as const satisfies Partial<Record<PriceRange, number>>
/** A chart has one more point than this. */
const STEPS = 90

/** When a range that ends `now` begins: for all of it, with the first there is. Milliseconds since 1970. */
export const rangeStart = (range: PriceRange, first: number, now: number): number =>
  range === 'all' ? Math.min(first, now) : now - RANGE_DAYS[range] * DAY_MS

/** The moments of a chart's points, evenly apart, both ends among them. */
export const chartMoments = (from: number, to: number): Date[] =>
  Array.from({ length: STEPS + 1 }, (_, step) => new Date(from + ((to - from) * step) / STEPS))
