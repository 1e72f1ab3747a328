import type { Run } from '#server/platform/db/run.ts'
import { type JobsStanding, jobsStanding } from '#server/platform/jobs/graphile.ts'
import type { Slice } from '#server/platform/slice.ts'
import type { Measures } from '#server/platform/telemetry/measures.ts'
import type { Sample } from '#server/platform/telemetry/samples.ts'

const EVERY_MS = 15_000

/** How jobs and outboxes stand. Each job and each outbox that there is has its readings, zero where nothing waits. */
export function jobsSample(run: Run, measures: Measures, slices: readonly Slice[]): Sample {
  const names = slices.flatMap(({ jobs = [] }) => jobs.map(({ name }) => name))
  const outboxes = slices.flatMap(({ outboxes: own = [] }) => own)
  let standing = new Map<string, JobsStanding>()
  const each = (read: (jobs: JobsStanding) => number | null) => () =>
    names.map((name) => {
      const found = standing.get(name)
      return { labels: { name }, value: (found && read(found)) ?? 0 }
    })
  measures.watch(
    'alder_jobs_due',
    each(({ due }) => due),
  )
  measures.watch(
    'alder_jobs_retried',
    each(({ retried }) => retried),
  )
  measures.watch(
    'alder_jobs_failed',
    each(({ failed }) => failed),
  )
  measures.watch(
    'alder_jobs_oldest_due_seconds',
    each(({ oldestDueMs }) => oldestDueMs && oldestDueMs / 1_000),
  )
  measures.watch('alder_outbox_oldest_seconds', () =>
    outboxes.map(({ name, jobs }) => {
      const ages = jobs.map((job) => standing.get(job.name)?.oldestMs ?? 0)
      return { labels: { outbox: name }, value: Math.max(0, ...ages) / 1_000 }
    }),
  )
  return {
    name: 'jobs',
    everyMs: EVERY_MS,
    async read() {
      standing = new Map((await jobsStanding(run)).map((jobs) => [jobs.name, jobs]))
    },
  }
}
