import type { Run } from '#server/platform/db/run.ts'
import { type JobsState, readJobsState } from '#server/platform/jobs/graphile.ts'
import type { Slice } from '#server/platform/slice.ts'
import type { Measures } from '#server/platform/telemetry/measures.ts'
import type { GaugeReader } from '#server/platform/telemetry/gauge-readers.ts'

const EVERY_MS = 15_000

/**
 * Registers gauges for the state of jobs and outboxes, and returns the reader that refreshes the state. A job or an outbox
 * without waiting jobs has the value zero.
 */
export function jobGauges(run: Run, measures: Measures, slices: readonly Slice[]): GaugeReader {
  const names = slices.flatMap(({ jobs = [] }) => jobs.map(({ name }) => name))
  const outboxes = slices.flatMap(({ outboxes: list = [] }) => list)
  let stateByJob = new Map<string, JobsState>()
  const samplesOf = (valueOf: (jobs: JobsState) => number | null) => () =>
    names.map((name) => {
      const state = stateByJob.get(name)
      return { labels: { name }, value: (state && valueOf(state)) ?? 0 }
    })
  measures.watch(
    'alder_jobs_due',
    samplesOf(({ due }) => due),
  )
  measures.watch(
    'alder_jobs_retried',
    samplesOf(({ retried }) => retried),
  )
  measures.watch(
    'alder_jobs_failed',
    samplesOf(({ failed }) => failed),
  )
  measures.watch(
    'alder_jobs_oldest_due_seconds',
    samplesOf(({ oldestDueMs }) => oldestDueMs && oldestDueMs / 1_000),
  )
  measures.watch('alder_outbox_oldest_seconds', () =>
    outboxes.map(({ name, jobs }) => {
      const ages = jobs.map((job) => stateByJob.get(job.name)?.oldestMs ?? 0)
      return { labels: { outbox: name }, value: Math.max(0, ...ages) / 1_000 }
    }),
  )
  return {
    name: 'jobs',
    everyMs: EVERY_MS,
    async read() {
      stateByJob = new Map((await readJobsState(run)).map((jobs) => [jobs.name, jobs]))
    },
  }
}
