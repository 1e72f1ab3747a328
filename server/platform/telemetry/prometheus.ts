import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Logger } from 'pino'
import { type MetricName, METRICS } from '#server/platform/telemetry/catalogue.ts'
import type { Measures, Reading } from '#server/platform/telemetry/measures.ts'

/** What the bank measured, for Prometheus. */
export type Prometheus = Measures & {
  /** All of it as text. It waits for nothing but this process. */
  text(): Promise<string>
  contentType: string
}

/**
 * So many series of a metric are kept; what else is measured counts as 'other'. Labels take few values by design, and this
 * keeps a fault in that from filling the memory here and at Prometheus.
 */
const MOST_SERIES = 2_000

type Labels = Readonly<Record<string, string>>
type Source = () => readonly { labels: Labels; value: number }[]

/** `log` is told once of what could not be measured. */
export function openPrometheus(log: Pick<Logger, 'warn'>, { most = MOST_SERIES } = {}): Prometheus {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  let hasFailed = false
  const safely = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'something cannot be measured')
      hasFailed = true
    }
  }
  const sources = new Map<MetricName, Source[]>()
  const metrics = Object.fromEntries(
    Object.entries(METRICS).map(([name, described]) => {
      const read = () => sources.get(name as MetricName) ?? []
      return [name, openMetric(registry, name, described, { read, safely })]
    }),
  ) as Record<MetricName, ReturnType<typeof openMetric>>
  const bounded = boundSeries(most)
  return {
    isOn: true,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    begin: (name, labels) =>
      safely(() => {
        const metric = metrics[name]
        if (metric instanceof Histogram) metric.zero(bounded(name, labels))
        else (metric as Counter).inc(bounded(name, labels), 0)
      }),
    count: (name, labels, by = 1) => safely(() => (metrics[name] as Counter).inc(bounded(name, labels), by)),
    observe: (name, labels, value) => safely(() => (metrics[name] as Histogram).observe(bounded(name, labels), value)),
    watch: (name, read: () => readonly Reading<typeof name>[]) => {
      sources.set(name, [...(sources.get(name) ?? []), read])
    },
  }
}

type Described = {
  kind: 'counter' | 'gauge' | 'histogram'
  help: string
  labels: readonly string[]
  buckets?: readonly number[]
}
type Hooks = { read(): readonly Source[]; safely(work: () => void): void }

function openMetric(registry: Registry, name: string, described: Described, { read, safely }: Hooks) {
  const { kind, help, labels: labelNames } = described
  const common = { name, help, labelNames: [...labelNames], registers: [registry] }
  if (kind === 'histogram') return new Histogram({ ...common, buckets: [...(described.buckets ?? [])] })
  const collect = function (this: Counter | Gauge): void {
    const from = read()
    if (kind === 'counter' && from.length === 0) return
    this.reset()
    // A gauge without labels begins with a zero, which an alert takes for a reading.
    if (kind === 'gauge' && labelNames.length === 0) this.remove()
    for (const source of from) {
      safely(() => {
        for (const { labels, value } of source()) this.inc(labels, value)
      })
    }
  }
  return kind === 'counter' ? new Counter({ ...common, collect }) : new Gauge({ ...common, collect })
}

/** Answers labels as they are counted: 'other' once a metric has as many series as it may. */
function boundSeries(most: number): (name: MetricName, labels: Labels) => Labels {
  const known = new Map<MetricName, Set<string>>()
  return (name, labels) => {
    const own = known.get(name) ?? new Set()
    known.set(name, own)
    const key = Object.values(labels).join('\n')
    if (own.has(key)) return labels
    if (own.size >= most) return Object.fromEntries(METRICS[name].labels.map((label) => [label, 'other']))
    own.add(key)
    return labels
  }
}
