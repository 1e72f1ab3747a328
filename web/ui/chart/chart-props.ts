/**
 * A past or future point in time (ISO 8601) with its value and, optionally, the money paid in (`base`). `note` describes an
 * event, which is marked on the line.
 */
export type ChartPoint = { at: string; value: number; base?: number; note?: string }

export type ChartProps = {
  /** The accessible name of the chart, which also names its values. */
  label: string
  /** The points, the oldest first; undefined while the points load. */
  points: readonly ChartPoint[] | undefined
  /** The column headings of the table: time, each series, and the notes. */
  names: { at: string; value: string; base?: string; note?: string }
  /** The difference between `value` and `base`: its name and its format. */
  gain?: { name: string; format: (gain: number) => string }
  /** The last past point in time. The line continues from there as a forecast. */
  until?: string
  /** True if the table begins with the earliest point, for future points. By default, it begins with the latest. */
  isAhead?: boolean
  /** True if the vertical axis includes zero, for balances, so that a small change does not look large. */
  fromZero?: boolean
  formatAt: (at: string) => string
  formatValue: (value: number) => string
  /** The text that replaces the chart if there are no points. */
  empty?: string
  /** The ranges to choose from, if there are several. */
  ranges?: {
    label: string
    options: readonly { value: string; label: string }[]
    value: string
    onChange: (value: string) => void
  }
}

export type ChartViewProps = ChartProps & { points: readonly ChartPoint[] }
