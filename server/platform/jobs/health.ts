import { type Kysely, sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'
import { dropFailedRuns, someFailed, someWait } from '#server/platform/jobs/graphile.ts'

/** A recurring job is late once it has missed this many runs. */
const MISSED_RUNS = 3
/** A due job that has not begun after this long is late, in milliseconds. */
const WAITING_MS = 5 * 60_000

type Named = Pick<RunnableJob, 'name'>

const [WAITING, FAILED] = ['jobs waiting', 'jobs failed'] as const
/** What is late of jobs together; recurring ones are late each by its own name. */
export const LATE_JOBS: readonly string[] = [WAITING, FAILED]

/** From now on these recurring jobs are expected to run; what is known of earlier runs stays. */
export async function expectRuns(db: Kysely<Database>, jobs: readonly Named[], now: Date): Promise<void> {
  if (jobs.length === 0) return
  await db
    .insertInto('bank.job_run')
    .values(jobs.map(({ name }) => ({ name, expected_since: now })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

/** Notes that recurring jobs have something to do, until they have done it. */
export async function recordDue(db: Kysely<Database>, jobs: readonly Named[], now: Date): Promise<void> {
  await db
    .updateTable('bank.job_run')
    .set({ due_since: now })
    .where('name', 'in', namesOf(jobs))
    .where('due_since', 'is', null)
    .execute()
}

/**
 * Notes that recurring jobs have nothing to do. What a run that was cut off had left undone is done, so it is no failed job any
 * more: graphile-worker takes the key of a job that is still running when the next one is added, and without its key nothing ever
 * replaces it.
 */
export async function recordIdle(db: Kysely<Database>, jobs: readonly Named[]): Promise<void> {
  await db
    .updateTable('bank.job_run')
    .set({ due_since: null })
    .where('name', 'in', namesOf(jobs))
    .where('due_since', 'is not', null)
    .execute()
  await dropFailedRuns(db, namesOf(jobs))
}

/** Notes that a recurring job, which was expected, has run: it has nothing to do until its next turn. */
export async function recordSuccess(db: Kysely<Database>, { name }: Named, now: Date): Promise<void> {
  await db.updateTable('bank.job_run').set({ succeeded_at: now, due_since: null }).where('name', '=', name).execute()
  await dropFailedRuns(db, [name])
}

const namesOf = (jobs: readonly Named[]): string[] => jobs.map(({ name }) => name)

/** When the jobs' turns were last made out is kept under this name, among what is kept of jobs (rounds.ts). */
export const ROUND = { name: 'platform.round' }

/** What is late, by name: recurring jobs that do not do what is due or whose turn does not come, jobs that do not begin, and jobs that failed for good. Those named in `parked` wait for the operator. */
export async function lateJobs(
  db: Kysely<Database>,
  jobs: readonly RunnableJob[],
  now: Date,
  parked: readonly string[] = [],
): Promise<string[]> {
  const expected = jobs.flatMap(({ name, everyMinutes }) => (everyMinutes === null ? [] : [{ name, everyMinutes }]))
  const minutes = expected.map(({ everyMinutes }) => everyMinutes)
  const { rows } = await sql<{ name: string }>`
    SELECT recurring.name FROM unnest(${namesOf(expected)}::text[], ${minutes}::int[]) AS recurring (name, every_minutes)
      LEFT JOIN bank.job_run ran USING (name)
      LEFT JOIN bank.job_run round ON round.name = ${ROUND.name}
     WHERE coalesce(ran.due_since, greatest(ran.succeeded_at, round.succeeded_at, ran.expected_since))
           < ${now}::timestamptz - every_minutes * ${sql.lit(MISSED_RUNS)} * interval '1 minute'
    UNION ALL
    SELECT ${WAITING} WHERE ${someWait(WAITING_MS, parked)}
    UNION ALL
    SELECT ${FAILED} WHERE ${someFailed(namesOf(expected))}`.execute(db)
  return rows.map(({ name }) => name)
}
