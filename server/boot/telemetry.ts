import type { Build } from '#server/bank/build.ts'
import { moneySample } from '#server/ledger/money-sample.ts'
import { AGAIN } from '#server/ledger/settle.ts'
import { lastMigration } from '#server/platform/db/migration-files.ts'
import { runOn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { jobsSample } from '#server/platform/jobs/sample.ts'
import { NO_SLICE } from '#server/platform/http/observe.ts'
import { lateNames } from '#server/platform/lateness.ts'
import type { Slice } from '#server/platform/slice.ts'
import type { Measures } from '#server/platform/telemetry/measures.ts'
import { type Sample, takeSamples } from '#server/platform/telemetry/samples.ts'

/** How often it is looked whether the bank can serve, in milliseconds. */
const READY_MS = 15_000

/**
 * Has the metrics say what is known of the bank as a whole, until the answered function is called. What the database has to be
 * asked for is asked now and then, on a connection of its own.
 */
export async function measureBank(deps: Deps, build: Build): Promise<() => Promise<void>> {
  const { measures, slices, lateness, config, clock, pools } = deps
  const labels = { ...build, mode: config.mode, migrations: await lastMigration() }
  measures.watch('alder_build_info', () => [{ labels, value: 1 }])
  measures.watch('alder_late', () =>
    lateNames(slices).map((name) => ({ labels: { name }, value: lateness.late.includes(name) ? 1 : 0 })),
  )
  measures.watch('alder_sample_age_seconds', () =>
    lateness.at === null
      ? []
      : [{ labels: { sample: 'late' }, value: (clock.realNow().getTime() - lateness.at.getTime()) / 1_000 }],
  )
  beginFailures(measures, slices)
  const run = runOn(pools.metrics.pool)
  const samples = [
    readySample(deps),
    jobsSample(run, measures, slices),
    moneySample(run, measures),
    replicaSample(deps),
  ]
  return takeSamples(measures, samples)
}

/** The failures that alerts count: none of them has happened yet. */
function beginFailures(measures: Measures, slices: readonly Slice[]): void {
  for (const slice of [...slices.map(({ name }) => name), ...NO_SLICE])
    measures.begin('alder_http_refusals_total', { slice, code: 'unexpected' })
  for (const { name } of slices.flatMap(({ jobs = [] }) => jobs))
    measures.begin('alder_job_duration_seconds', { name, outcome: 'failed' })
  for (const reason of AGAIN) measures.begin('alder_ledger_retries_total', { reason })
  for (const level of ['error', 'fatal']) measures.begin('alder_log_lines_total', { level })
}

function readySample({ measures, readiness }: Deps): Sample {
  let ready = 0
  measures.watch('alder_ready', () => [{ labels: {}, value: ready }])
  return {
    name: 'ready',
    everyMs: READY_MS,
    async read() {
      ready = (await readiness.look()) ? 1 : 0
    },
  }
}

/** So that it is known how the replica stands though nobody reads. */
const replicaSample = ({ replica, pools }: Deps): Sample => ({
  name: 'replica',
  everyMs: READY_MS,
  read: () => replica.look(pools.metrics.db),
})
