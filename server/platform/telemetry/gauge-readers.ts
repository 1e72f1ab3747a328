import { secondsSince, type Measures } from '#server/platform/telemetry/measures.ts'

/** A reader of gauges from the database. It runs at intervals: a query at every read of the metrics would be too expensive. */
export type GaugeReader = {
  name: string
  everyMs: number
  read(): Promise<void>
}

/**
 * Runs each reader at once and then at its interval, one at a time, until the returned function is called. If a reader fails,
 * its last values stay. The age of these values is also a metric.
 */
export function openGaugeReaders(measures: Measures, samples: readonly GaugeReader[]): () => Promise<void> {
  const stopController = new AbortController()
  const openedAt = performance.now()
  const readAt = new Map<string, number>()
  measures.watch('alder_sample_age_seconds', () =>
    samples.map(({ name }) => ({ labels: { sample: name }, value: secondsSince(readAt.get(name) ?? openedAt) })),
  )
  /**
   * The last read. All readers share one connection, so each read begins after the previous one and does not have to wait for
   * the connection.
   */
  let readQueue = Promise.resolve()
  const readGauge = (sample: GaugeReader): Promise<void> =>
    (readQueue = readQueue.then(async () => {
      if (stopController.signal.aborted) return
      try {
        await sample.read()
        readAt.set(sample.name, performance.now())
      } catch {
        // The metric of the values' age shows the failure.
      }
    }))
  const runningNames = new Set<string>()
  const timers = samples.map((sample) => {
    const turn = async (): Promise<void> => {
      // A slow reader does not run twice at the same time.
      if (runningNames.has(sample.name)) return
      runningNames.add(sample.name)
      await readGauge(sample)
      runningNames.delete(sample.name)
    }
    void turn()
    return setInterval(() => void turn(), sample.everyMs).unref()
  })
  return async () => {
    stopController.abort()
    for (const timer of timers) clearInterval(timer)
    await readQueue
  }
}
