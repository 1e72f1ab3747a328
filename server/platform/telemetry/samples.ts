import { secondsSince, type Measures } from '#server/platform/telemetry/measures.ts'

/** What is read now and then, because it cannot be read each time that the metrics are: it is asked of the database. */
export type Sample = {
  name: string
  everyMs: number
  read(): Promise<void>
}

/**
 * Reads each sample at once and then again and again, one after the other, until the answered function is called. What was read
 * last stays where a sample fails; how long ago that was is a metric, too.
 */
export function takeSamples(measures: Measures, samples: readonly Sample[]): () => Promise<void> {
  const stopping = new AbortController()
  const openedAt = performance.now()
  const readAt = new Map<string, number>()
  measures.watch('alder_sample_age_seconds', () =>
    samples.map(({ name }) => ({ labels: { sample: name }, value: secondsSince(readAt.get(name) ?? openedAt) })),
  )
  /** They share one connection, for which none of them is to wait. */
  let reading = Promise.resolve()
  const read = (sample: Sample): Promise<void> =>
    (reading = reading.then(async () => {
      if (stopping.signal.aborted) return
      try {
        await sample.read()
        readAt.set(sample.name, performance.now())
      } catch {
        // Its age tells.
      }
    }))
  const underWay = new Set<string>()
  const timers = samples.map((sample) => {
    const turn = async (): Promise<void> => {
      // One that takes long is not read twice at a time.
      if (underWay.has(sample.name)) return
      underWay.add(sample.name)
      await read(sample)
      underWay.delete(sample.name)
    }
    void turn()
    return setInterval(() => void turn(), sample.everyMs).unref()
  })
  return async () => {
    stopping.abort()
    for (const timer of timers) clearInterval(timer)
    await reading
  }
}
