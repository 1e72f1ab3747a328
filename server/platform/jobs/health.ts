import type { Run } from '#server/platform/db/run.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'
import { JOBS_SCHEMA } from '#server/platform/jobs/queue.ts'

/** A recurring job is late once it has missed this many runs. */
const MISSED_RUNS = 3
/** A job that is due is late when nobody has begun it after so long, in milliseconds. */
const WAITING_MS = 5 * 60_000

/** From now on these recurring jobs are expected to run; what is known of earlier runs stays. */
export async function expectRuns(run: Run, jobs: readonly RunnableJob[], now: Date): Promise<void> {
  await run(
    `INSERT INTO bank.job_run (name, expected_since) SELECT unnest($1::text[]), $2 ON CONFLICT (name) DO NOTHING`,
    [jobs.map(({ name }) => name), now],
  )
}

export async function recordSuccess(run: Run, { name }: RunnableJob, now: Date): Promise<void> {
  await run(
    `INSERT INTO bank.job_run (name, expected_since, succeeded_at) VALUES ($1, $2, $2)
         ON CONFLICT (name) DO UPDATE SET succeeded_at = excluded.succeeded_at`,
    [name, now],
  )
}

/** What is late, as names: recurring jobs that miss their runs, jobs nobody begins, and jobs that failed for good. */
export async function lateJobs(run: Run, jobs: readonly RunnableJob[], now: Date): Promise<string[]> {
  const expected = jobs.flatMap(({ name, everyMinutes }) => (everyMinutes === null ? [] : [{ name, everyMinutes }]))
  const { rows } = await run(
    `SELECT name FROM unnest($1::text[], $2::int[]) AS recurring (name, every_minutes)
       LEFT JOIN bank.job_run ran USING (name)
      WHERE coalesce(ran.succeeded_at, ran.expected_since) < $3::timestamptz - every_minutes * ${MISSED_RUNS} * interval '1 minute'
     UNION ALL
     SELECT 'jobs waiting' WHERE EXISTS (
       SELECT 1 FROM ${JOBS_SCHEMA}._private_jobs
        WHERE attempts < max_attempts AND locked_at IS NULL AND run_at < now() - ${WAITING_MS} * interval '1 millisecond')
     UNION ALL
     SELECT 'jobs failed' WHERE EXISTS (SELECT 1 FROM ${JOBS_SCHEMA}._private_jobs WHERE attempts >= max_attempts)`,
    [expected.map(({ name }) => name), expected.map(({ everyMinutes }) => everyMinutes), now],
  )
  return rows.map(({ name }) => name as string)
}
