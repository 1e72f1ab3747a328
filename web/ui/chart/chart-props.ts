/**
 * What was or will be at a moment (ISO 8601): a value and, where there is one, what was put in for it. `note`: what happens
 * then, which is marked on the line.
 */
export type ChartPoint = { at: string; value: number; base?: number; note?: string }

export type ChartProps = {
  /** Names the chart, and says what its values are. */
  label: string
  /** Oldest first; left out until they are there. */
  points: readonly ChartPoint[] | undefined
  /** What a moment, each series and the notes are called, as at the head of a table. */
  names: { at: string; value: string; base?: string; note?: string }
  /** What is between the value and what was put in: its name, and how it is written. */
  gain?: { name: string; format: (gain: number) => string }
  /** The last moment that has been, where the line goes on from there into what is to come. */
  until?: string
  /** The points are still to come: a table begins with the nearest. */
  isAhead?: boolean
  /** The height begins at zero: for what there is, where a small change is not to look like a large one. */
  fromZero?: boolean
  formatAt: (at: string) => string
  formatValue: (value: number) => string
  /** Stands in the place of the chart where there may be no points. */
  empty?: string
  /** The spans of time to choose from, where there are several. */
  ranges?: {
    label: string
    options: readonly { value: string; label: string }[]
    value: string
    onChange: (value: string) => void
  }
}

export type ChartViewProps = ChartProps & { points: readonly ChartPoint[] }
