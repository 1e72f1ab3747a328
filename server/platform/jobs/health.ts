import { type Kysely, sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'
import { dropFailedRuns, hasFailedJobs, hasWaitingJobs } from '#server/platform/jobs/graphile.ts'

/** The number of missed runs after which a recurring job is late. */
const MISSED_RUNS = 3
/** The time after which a due job that has not begun is late, in milliseconds. */
const WAITING_MS = 5 * 60_000

type JobName = Pick<RunnableJob, 'name'>

const [WAITING, FAILED] = ['jobs waiting', 'jobs failed'] as const
/** The names of lateness common to all jobs. A late recurring job is reported under its own name. */
export const LATE_JOBS: readonly string[] = [WAITING, FAILED]

/** Registers recurring jobs as expected to run from now on. Records of earlier runs stay. */
export async function expectRuns(db: Kysely<Database>, jobs: readonly JobName[], now: Date): Promise<void> {
  if (jobs.length === 0) return
  await db
    .insertInto('bank.job_run')
    .values(jobs.map(({ name }) => ({ name, expected_since: now })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

/** Records that recurring jobs have work to do. The record stays until they have done it. */
export async function recordDue(db: Kysely<Database>, jobs: readonly JobName[], now: Date): Promise<void> {
  await db
    .updateTable('bank.job_run')
    .set({ due_since: now })
    .where('name', 'in', namesOf(jobs))
    .where('due_since', 'is', null)
    .execute()
}

/**
 * Records that recurring jobs have no work to do. Also deletes their failed runs, whose work has been done since. Such a run
 * cannot be replaced: when a run is added, graphile-worker removes the key of a run in progress, and a run without its key is
 * never replaced.
 */
export async function recordIdle(db: Kysely<Database>, jobs: readonly JobName[]): Promise<void> {
  await db
    .updateTable('bank.job_run')
    .set({ due_since: null })
    .where('name', 'in', namesOf(jobs))
    .where('due_since', 'is not', null)
    .execute()
  await dropFailedRuns(db, namesOf(jobs))
}

/** Records that a recurring job has run. It has no work to do until its next turn. */
export async function recordSuccess(db: Kysely<Database>, { name }: JobName, now: Date): Promise<void> {
  await db.updateTable('bank.job_run').set({ succeeded_at: now, due_since: null }).where('name', '=', name).execute()
  await dropFailedRuns(db, [name])
}

const namesOf = (jobs: readonly JobName[]): string[] => jobs.map(({ name }) => name)

/** The name under which the time of the last round is stored among the records of jobs (recurring-rounds.ts). */
export const ROUND = { name: 'platform.round' }

/**
 * Returns the names of late work: recurring jobs that do not do their work or whose turn does not come, jobs that do not begin,
 * and jobs that failed permanently. The jobs in `parked` wait for the operator, so they do not count as jobs that do not begin.
 * Failed runs of recurring jobs do not count as permanently failed.
 */
export async function lateJobs(
  db: Kysely<Database>,
  jobs: readonly RunnableJob[],
  now: Date,
  parked: readonly string[] = [],
): Promise<string[]> {
  const expectedJobs = jobs.flatMap(({ name, everyMinutes }) => (everyMinutes === null ? [] : [{ name, everyMinutes }]))
  const minutes = expectedJobs.map(({ everyMinutes }) => everyMinutes)
  const { rows } = await sql<{ name: string }>`
    SELECT recurring.name FROM unnest(${namesOf(expectedJobs)}::text[], ${minutes}::int[]) AS recurring (name, every_minutes)
      LEFT JOIN bank.job_run ran USING (name)
      LEFT JOIN bank.job_run round ON round.name = ${ROUND.name}
     WHERE coalesce(ran.due_since, greatest(ran.succeeded_at, round.succeeded_at, ran.expected_since))
           < ${now}::timestamptz - every_minutes * ${sql.lit(MISSED_RUNS)} * interval '1 minute'
    UNION ALL
    SELECT ${WAITING} WHERE ${hasWaitingJobs(WAITING_MS, parked)}
    UNION ALL
    SELECT ${FAILED} WHERE ${hasFailedJobs(namesOf(expectedJobs))}`.execute(db)
  return rows.map(({ name }) => name)
}
