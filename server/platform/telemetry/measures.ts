import type { CounterName, GaugeName, HistogramName, LabelsOf } from '#server/platform/telemetry/catalog.ts'

export type MetricReading<Name extends CounterName | GaugeName> = { labels: LabelsOf<Name>; value: number }

/**
 * The interface through which parts of the bank report measurements. No method throws or waits, so the measured work is never
 * disturbed.
 */
export type Measures = {
  /**
   * Starts a counter or a histogram at zero. Prometheus sees growth only between two values that it has read. A counter that
   * appears with its first failure has not grown, so an alert would miss that failure.
   */
  begin<Name extends CounterName | HistogramName>(name: Name, labels: LabelsOf<Name>): void
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number): void
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number): void
  /**
   * Registers a function that is called each time the metrics are read. The function must return at once. The values of
   * readings with the same labels are added up.
   */
  watch<Name extends CounterName | GaugeName>(name: Name, read: () => readonly MetricReading<Name>[]): void
  /** Whether metrics are on. Expensive measurements are skipped otherwise. */
  isOn: boolean
}

declare module '#server/platform/deps.ts' {
  interface Core {
    measures: Measures
  }
}

const doNothing = () => undefined

/** The measures of a bank without metrics. */
export const UNMEASURED: Measures = {
  begin: doNothing,
  count: doNothing,
  observe: doNothing,
  watch: doNothing,
  isOn: false,
}

/** Returns the seconds since a moment of `performance.now()`. */
export const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000
