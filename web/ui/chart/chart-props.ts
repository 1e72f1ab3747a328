/** What was at a moment (ISO 8601): a value and, where there is one, another to compare it with. */
export type ChartPoint = { at: string; value: number; base?: number }

export type ChartProps = {
  /** Names the chart, and says what its values are. */
  label: string
  /** Oldest first; left out until they are there. */
  points: readonly ChartPoint[] | undefined
  /** What a moment and each series are called, as at the head of a table. */
  names: { at: string; value: string; base?: string }
  formatAt: (at: string) => string
  formatValue: (value: number) => string
  /** Stands in the place of the chart where there are no points. */
  empty: string
  /** The spans of time to choose from. */
  ranges: {
    label: string
    options: readonly { value: string; label: string }[]
    value: string
    onChange: (value: string) => void
  }
}

export type ChartViewProps = ChartProps & { points: readonly ChartPoint[] }
