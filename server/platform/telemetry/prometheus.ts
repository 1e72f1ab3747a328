import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Logger } from 'pino'
import { type MetricName, METRICS } from '#server/platform/telemetry/catalog.ts'
import type { Measures, MetricReading } from '#server/platform/telemetry/measures.ts'

/** The bank's measurements in Prometheus' format. */
export type Prometheus = Measures & {
  /** Returns all metrics as text. Waits for no other process. */
  text(): Promise<string>
  contentType: string
}

/**
 * The largest number of series of a metric; further ones count as 'other'. Labels have few values by design. The limit prevents
 * a bug in the labels from filling the memory here and in Prometheus.
 */
const MAX_SERIES = 2_000

type Labels = Readonly<Record<string, string>>
type Source = () => readonly { labels: Labels; value: number }[]

/** Opens the metrics. `log` receives one warning if a value cannot be measured. */
export function openPrometheus(log: Pick<Logger, 'warn'>, { most: maxSeries = MAX_SERIES } = {}): Prometheus {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  let hasFailed = false
  const safely = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'a value cannot be measured')
      hasFailed = true
    }
  }
  const sources = new Map<MetricName, Source[]>()
  const metrics = Object.fromEntries(
    Object.entries(METRICS).map(([name, described]) => {
      const readSources = () => sources.get(name as MetricName) ?? []
      return [name, openMetric(registry, name, described, { read: readSources, safely })]
    }),
  ) as Record<MetricName, ReturnType<typeof openMetric>>
  const boundLabels = boundSeries(maxSeries)
  return {
    isOn: true,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    begin: (name, labels) =>
      safely(() => {
        const metric = metrics[name]
        if (metric instanceof Histogram) metric.zero(boundLabels(name, labels))
        else (metric as Counter).inc(boundLabels(name, labels), 0)
      }),
    count: (name, labels, by = 1) => safely(() => (metrics[name] as Counter).inc(boundLabels(name, labels), by)),
    observe: (name, labels, value) =>
      safely(() => (metrics[name] as Histogram).observe(boundLabels(name, labels), value)),
    watch: (name, read: () => readonly MetricReading<typeof name>[]) => {
      sources.set(name, [...(sources.get(name) ?? []), read])
    },
  }
}

type MetricDescription = {
  kind: 'counter' | 'gauge' | 'histogram'
  help: string
  labels: readonly string[]
  buckets?: readonly number[]
}
type Hooks = { read(): readonly Source[]; safely(work: () => void): void }

function openMetric(
  registry: Registry,
  name: string,
  described: MetricDescription,
  { read: readSources, safely }: Hooks,
) {
  const { kind, help, labels: labelNames } = described
  const commonOptions = { name, help, labelNames: [...labelNames], registers: [registry] }
  if (kind === 'histogram') return new Histogram({ ...commonOptions, buckets: [...(described.buckets ?? [])] })
  const collect = function (this: Counter | Gauge): void {
    const sources = readSources()
    if (kind === 'counter' && sources.length === 0) return
    this.reset()
    // A gauge without labels begins with a zero, which an alert would take for a reading.
    if (kind === 'gauge' && labelNames.length === 0) this.remove()
    for (const source of sources) {
      safely(() => {
        for (const { labels, value } of source()) this.inc(labels, value)
      })
    }
  }
  return kind === 'counter' ? new Counter({ ...commonOptions, collect }) : new Gauge({ ...commonOptions, collect })
}

/**
 * Returns a function that returns the labels under which a value is counted. Once a metric has its largest number of series,
 * the value of each new label is 'other'.
 */
function boundSeries(maxSeries: number): (name: MetricName, labels: Labels) => Labels {
  const labelsByMetric = new Map<MetricName, Set<string>>()
  return (name, labels) => {
    const labelSets = labelsByMetric.get(name) ?? new Set()
    labelsByMetric.set(name, labelSets)
    const key = Object.values(labels).join('\n')
    if (labelSets.has(key)) return labels
    if (labelSets.size >= maxSeries) return Object.fromEntries(METRICS[name].labels.map((label) => [label, 'other']))
    labelSets.add(key)
    return labels
  }
}
