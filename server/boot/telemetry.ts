import type { Build } from '#server/bank/build-version.ts'
import { moneyGauges } from '#server/ledger/money-metrics.ts'
import { RETRY_REASONS } from '#server/ledger/commit-with-retries.ts'
import { lastMigration } from '#server/platform/db/migration-files.ts'
import { runOn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { jobGauges } from '#server/platform/jobs/job-metrics.ts'
import { NO_SLICE } from '#server/platform/http/observe.ts'
import { lateNames } from '#server/platform/lateness.ts'
import type { Slice } from '#server/platform/slice.ts'
import type { Measures } from '#server/platform/telemetry/measures.ts'
import { type GaugeReader, openGaugeReaders } from '#server/platform/telemetry/gauge-readers.ts'

/** The interval between two checks of whether the bank can serve requests, in milliseconds. */
const READY_MS = 15_000

/**
 * Adds the metrics about the whole bank, until the returned function is called. A separate connection reads values from the
 * database at intervals.
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
  const samples = [readySample(deps), jobGauges(run, measures, slices), moneyGauges(run, measures), replicaSample(deps)]
  return openGaugeReaders(measures, samples)
}

/**
 * Creates the counters of failures for which there are alerts, with the value zero. The series of a failure then exists before
 * the first failure.
 */
function beginFailures(measures: Measures, slices: readonly Slice[]): void {
  for (const slice of [...slices.map(({ name }) => name), ...NO_SLICE])
    measures.begin('alder_http_refusals_total', { slice, code: 'unexpected' })
  for (const { name } of slices.flatMap(({ jobs = [] }) => jobs))
    measures.begin('alder_job_duration_seconds', { name, outcome: 'failed' })
  for (const reason of RETRY_REASONS) measures.begin('alder_ledger_retries_total', { reason })
  for (const level of ['error', 'fatal']) measures.begin('alder_log_lines_total', { level })
}

function readySample({ measures, readiness }: Deps): GaugeReader {
  let readyValue = 0
  measures.watch('alder_ready', () => [{ labels: {}, value: readyValue }])
  return {
    name: 'ready',
    everyMs: READY_MS,
    async read() {
      readyValue = (await readiness.look()) ? 1 : 0
    },
  }
}

/** Checks the replica at intervals, so that its recorded state is current even if nothing is read from the replica. */
const replicaSample = ({ replica, pools }: Deps): GaugeReader => ({
  name: 'replica',
  everyMs: READY_MS,
  read: () => replica.look(pools.metrics.db),
})
