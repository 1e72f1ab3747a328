import { type Kysely, sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'
import { dropFailedRuns, someFailed, someWait } from '#server/platform/jobs/graphile.ts'

/** A recurring job is late once it has missed this many runs. */
const MISSED_RUNS = 3
/** A due job that has not begun after this long is late, in milliseconds. */
const WAITING_MS = 5 * 60_000

type Named = Pick<RunnableJob, 'name'>

/** From now on these recurring jobs are expected to run; what is known of earlier runs stays. */
export async function expectRuns(db: Kysely<Database>, jobs: readonly Named[], now: Date): Promise<void> {
  if (jobs.length === 0) return
  await db
    .insertInto('bank.job_run')
    .values(jobs.map(({ name }) => ({ name, expected_since: now })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

/**
 * Notes that recurring jobs, which were expected, have run or had nothing to do. What was left undone by a run that was cut off
 * is done now, so a failed job of an earlier run goes: graphile-worker takes the key of a job that is still running when the next
 * one is added, and without its key nothing ever replaces it.
 */
export async function recordSuccess(db: Kysely<Database>, jobs: readonly Named[], now: Date): Promise<void> {
  if (jobs.length === 0) return
  const names = jobs.map(({ name }) => name)
  await db.updateTable('bank.job_run').set({ succeeded_at: now }).where('name', 'in', names).execute()
  await dropFailedRuns(db, names)
}

/** What is late, by name: recurring jobs that miss their runs, jobs that do not begin, and jobs that failed for good. */
export async function lateJobs(db: Kysely<Database>, jobs: readonly RunnableJob[], now: Date): Promise<string[]> {
  const expected = jobs.flatMap(({ name, everyMinutes }) => (everyMinutes === null ? [] : [{ name, everyMinutes }]))
  const names = expected.map(({ name }) => name)
  const minutes = expected.map(({ everyMinutes }) => everyMinutes)
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${names}::text[], ${minutes}::int[]) AS recurring (name, every_minutes)
      LEFT JOIN bank.job_run ran USING (name)
     WHERE coalesce(ran.succeeded_at, ran.expected_since)
           < ${now}::timestamptz - every_minutes * ${sql.lit(MISSED_RUNS)} * interval '1 minute'
    UNION ALL
    SELECT 'jobs waiting' WHERE ${someWait(WAITING_MS)}
    UNION ALL
    SELECT 'jobs failed' WHERE ${someFailed}`.execute(db)
  return rows.map(({ name }) => name)
}
