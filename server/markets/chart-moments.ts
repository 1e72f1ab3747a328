import { DAY_MS } from '#server/platform/durations.ts'
import type { PriceRange } from '#contract/markets.ts'

const RANGE_DAYS = { day: 1, week: 7, month: 30, year: 365 } as const satisfies Partial<Record<PriceRange, number>>
/** The number of steps in a chart. A chart has one more point than steps. */
const STEPS = 90

/** Returns the beginning of a range that ends at `now`, in milliseconds since 1970. The range `all` begins at `first`. */
export const rangeStart = (range: PriceRange, first: number, now: number): number =>
  range === 'all' ? Math.min(first, now) : now - RANGE_DAYS[range] * DAY_MS

/** Returns the moments of a chart's points, evenly spaced, both ends included. */
export const chartMoments = (from: number, to: number): Date[] =>
  Array.from({ length: STEPS + 1 }, (_, step) => new Date(from + ((to - from) * step) / STEPS))
