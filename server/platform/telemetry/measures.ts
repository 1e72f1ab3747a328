import type { CounterName, GaugeName, HistogramName, LabelsOf } from '#server/platform/telemetry/catalogue.ts'

export type Reading<Name extends CounterName | GaugeName> = { labels: LabelsOf<Name>; value: number }

/** What parts of the bank tell of their work. Nothing here throws or waits: what is measured goes on whatever happens. */
export type Measures = {
  /**
   * Says that nothing of this has been counted yet. Prometheus sees growth only from a value that it has read: what appears with its
   * first failure has not grown, and an alert misses that one.
   */
  begin<Name extends CounterName | HistogramName>(name: Name, labels: LabelsOf<Name>): void
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number): void
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number): void
  /** Asked each time the metrics are read, so it answers at once what is known. Readings of the same labels add up. */
  watch<Name extends CounterName | GaugeName>(name: Name, read: () => readonly Reading<Name>[]): void
  /** Whether anybody looks: what costs something to find out is left alone otherwise. */
  isOn: boolean
}

declare module '#server/platform/deps.ts' {
  interface Core {
    measures: Measures
  }
}

const nothing = () => undefined

/** Where nobody measures. */
export const UNMEASURED: Measures = { begin: nothing, count: nothing, observe: nothing, watch: nothing, isOn: false }

/** Seconds since a moment of `performance.now()`. */
export const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000
