import { type Kysely, sql } from 'kysely'
import { inTransaction, type Run, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { presenceLock } from '#server/platform/jobs/presence.ts'

// All SQL on graphile-worker's private tables, which its next version may change (graphile.test.ts).

/** graphile-worker's schema. Kysely has no types for it, so queries on it are plain SQL. */
export const JOBS_SCHEMA = 'graphile_worker'
const JOBS = `${JOBS_SCHEMA}._private_jobs`
const TASKS = `${JOBS_SCHEMA}._private_tasks`
const QUEUES = `${JOBS_SCHEMA}._private_job_queues`

/** Marks a job that waits for a moment of the business clock. */
export const BUSINESS_TIME = 'business_time'
/** The longest time from the beginning of a worker's first jobs to its presence lock, in milliseconds. */
const BEGINNING_MS = 10_000

/** SQL for the workers that hold jobs or queues for longer than $1 milliseconds. */
const STARTED_JOBS_SQL = `
  SELECT locked_by AS worker FROM ${JOBS} WHERE locked_at < now() - $1 * interval '1 millisecond'
  UNION
  SELECT locked_by FROM ${QUEUES} WHERE locked_at < now() - $1 * interval '1 millisecond'`

/**
 * The lower priority of jobs that waited for a date. When a date comes, many of these are due at once, and jobs with a waiting
 * customer go first.
 */
export const AFTER_OTHERS = 10
/** All priorities of jobs. */
const PRIORITIES = [0, AFTER_OTHERS]

/**
 * SQL that makes autovacuum of the jobs' table more frequent. Each job's row changes in indexed columns and is deleted at the
 * end: the table has few live rows and many dead ones. PostgreSQL's default threshold depends on the live rows, and is reached
 * too late after a burst.
 */
export const CLEANED_OFTEN = `
  DO $$ BEGIN
    IF (SELECT reloptions FROM pg_class WHERE oid = '${JOBS}'::regclass) IS NULL THEN
      ALTER TABLE ${JOBS} SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);
    END IF;
  END $$;`

/** SQL for graphile-worker's own notification of a new job, which makes workers look for jobs. */
const SAY_LOOK = `pg_notify('jobs:insert', '{"count":10}')`

/** The SQL condition for a permanently failed job. */
const HAS_FAILED = 'attempts >= max_attempts AND locked_at IS NULL'

/** A permanently failed job, an entry of the dead-letter list. `error` is its last error message. */
export type FailedJob = { id: string; name: string; attempts: number; failedAt: Date; error: string }

/** Returns at most `limit` permanently failed jobs, oldest first. */
export async function failedJobs(run: Run, limit: number): Promise<FailedJob[]> {
  const { rows } = await run(
    `SELECT job.id::text, task.identifier AS name, job.attempts::int, job.updated_at, coalesce(job.last_error, '') AS error
       FROM ${JOBS} job JOIN ${TASKS} task ON task.id = job.task_id
      WHERE ${HAS_FAILED} ORDER BY job.updated_at, job.id LIMIT $1`,
    [limit],
  )
  return rows.map((row) => ({
    id: row['id'] as string,
    name: row['name'] as string,
    attempts: row['attempts'] as number,
    failedAt: row['updated_at'] as Date,
    error: row['error'] as string,
  }))
}

/** Retries permanently failed jobs. Each job gets all of its attempts again. Returns the number of retried jobs. */
export async function retryFailedJobs(run: Run, ids: readonly string[]): Promise<number> {
  const { rows } = await run(
    `SELECT id, ${SAY_LOOK} FROM ${JOBS_SCHEMA}.reschedule_jobs(
       ARRAY(SELECT id FROM ${JOBS} WHERE id = ANY($1::bigint[]) AND ${HAS_FAILED}),
       run_at => now(), attempts => 0)`,
    [ids],
  )
  return rows.length
}

/** Deletes permanently failed jobs without doing their work. Returns the number of deleted jobs. */
export async function dropFailedJobs(run: Run, ids: readonly string[]): Promise<number> {
  const { rows } = await run(
    `SELECT id FROM ${JOBS_SCHEMA}.complete_jobs(
       ARRAY(SELECT id FROM ${JOBS} WHERE id = ANY($1::bigint[]) AND ${HAS_FAILED}))`,
    [ids],
  )
  return rows.length
}

/** Deletes the failed runs of the recurring jobs with these names. */
export async function dropFailedRuns(db: Kysely<Database>, names: readonly string[]): Promise<void> {
  await sql`
    DELETE FROM ${sql.raw(JOBS)}
     WHERE task_id = ANY(ARRAY(SELECT id FROM ${sql.raw(TASKS)} WHERE identifier = ANY(${names}::text[])))
       AND ${sql.raw(HAS_FAILED)}`.execute(db)
}

/**
 * The state of all jobs with one name. Times are in milliseconds. A time is null if no job has the state that the time is
 * about.
 */
export type JobsState = {
  name: string
  due: number
  retried: number
  failed: number
  /** The time for which the oldest waiting job has been due. */
  oldestDueMs: number | null
  /** The time since the oldest job that has been due was enqueued. Running jobs and permanently failed jobs are included. */
  oldestMs: number | null
}

/** Returns the state of all jobs that have been due. Jobs for a future moment are not included. */
export async function readJobsState(run: Run): Promise<JobsState[]> {
  const { rows } = await run(
    `SELECT task.identifier AS name,
            count(*) FILTER (WHERE job.is_available AND job.run_at <= now())::int AS due,
            count(*) FILTER (WHERE job.is_available AND job.attempts > 0)::int AS retried,
            count(*) FILTER (WHERE ${HAS_FAILED})::int AS failed,
            extract(epoch FROM now() - min(job.run_at) FILTER (WHERE job.is_available AND job.run_at <= now()))::float8
              * 1000 AS oldest_due_ms,
            extract(epoch FROM now() - min(job.created_at))::float8 * 1000 AS oldest_ms
       FROM ${JOBS} job JOIN ${TASKS} task ON task.id = job.task_id
      WHERE job.run_at <= now() OR job.attempts > 0
      GROUP BY task.identifier`,
  )
  return rows.map((row) => ({
    name: row['name'] as string,
    due: row['due'] as number,
    retried: row['retried'] as number,
    failed: row['failed'] as number,
    oldestDueMs: row['oldest_due_ms'] as number | null,
    oldestMs: row['oldest_ms'] as number | null,
  }))
}

/**
 * Returns a condition: a job has been due for longer than `ms` and is not running. Jobs with the names in `omittedNames` do not
 * count.
 */
export const hasWaitingJobs = (ms: number, omittedNames: readonly string[]) => sql<boolean>`EXISTS (
  SELECT 1 FROM ${sql.raw(JOBS)}
   WHERE attempts < max_attempts AND locked_at IS NULL AND run_at < now() - ${sql.lit(ms)} * interval '1 millisecond'
     ${omittedNames.length === 0 ? sql`` : sql`AND task_id <> ALL(ARRAY(SELECT id FROM ${sql.raw(TASKS)} WHERE identifier = ANY(${omittedNames}::text[])))`})`

/** Returns the number of unfinished jobs with these names. */
export async function countWaiting(run: Run, names: readonly string[]): Promise<number> {
  const { rows } = await run(
    `SELECT count(*)::int AS count FROM ${JOBS} job JOIN ${TASKS} task ON task.id = job.task_id
      WHERE task.identifier = ANY($1) AND (job.attempts < job.max_attempts OR job.locked_at IS NOT NULL)`,
    [names],
  )
  return rows[0]?.['count'] as number
}

/** Returns a condition: a job has failed permanently. Jobs with the names in `omittedNames` do not count. */
export const hasFailedJobs = (omittedNames: readonly string[]) => sql<boolean>`EXISTS (
  SELECT 1 FROM ${sql.raw(JOBS)}
   WHERE ${sql.raw(HAS_FAILED)}
     AND task_id <> ALL(ARRAY(SELECT id FROM ${sql.raw(TASKS)} WHERE identifier = ANY(${omittedNames}::text[]))))`

/**
 * The time that is added to a job's business time to hide the job from workers: a thousand years. While the date moves, the
 * real time of a business time is unknown, so the job is stored under the shifted business time instead. A failed job waits for
 * its next attempt in real time and is not changed.
 */
export const HIDDEN_SHIFT = sql.raw("interval '31557600000 seconds'")
const WAITS_FOR_BUSINESS_TIME = sql.raw(`flags ? '${BUSINESS_TIME}' AND attempts = 0 AND locked_at IS NULL`)
const IS_KEPT_APART = sql`${WAITS_FOR_BUSINESS_TIME} AND run_at > now() + ${HIDDEN_SHIFT} / 2`
const sayLook = (db: Kysely<Database>) => sql`SELECT ${sql.raw(SAY_LOOK)}`.execute(db)

const ms = (count: number) => sql`${count}::float8 * interval '1 millisecond'`

/**
 * Hides the jobs that wait for a moment of business time. `aheadMs`: the lead of business time over real time before the move.
 * Must run after the move, in the same SQL transaction: the move waits for transactions that add such jobs, and this statement
 * then sees these jobs.
 */
export async function hideJobs(db: Kysely<Database>, aheadMs: number): Promise<void> {
  await sql`
    UPDATE ${sql.raw(JOBS)} SET run_at = run_at + ${ms(aheadMs)} + ${HIDDEN_SHIFT}, updated_at = now()
     WHERE ${WAITS_FOR_BUSINESS_TIME}`.execute(db)
}

/** Returns the next moment of business time that a hidden job waits for; null without hidden jobs. */
export async function nextDue(db: Kysely<Database>): Promise<Date | null> {
  const { rows } = await sql<{ due: Date | null }>`
    SELECT min(run_at) - ${HIDDEN_SHIFT} AS due FROM ${sql.raw(JOBS)} WHERE ${IS_KEPT_APART}`.execute(db)
  return rows[0]?.due ?? null
}

/** Makes the hidden jobs due whose moment has come. */
export async function releaseDueJobs(db: Kysely<Database>, now: Date): Promise<void> {
  await sql`
    UPDATE ${sql.raw(JOBS)} SET run_at = now(), updated_at = now()
     WHERE ${IS_KEPT_APART} AND run_at <= ${now}::timestamptz + ${HIDDEN_SHIFT}`.execute(db)
  await sayLook(db)
}

/** Gives the hidden jobs their real time again. The business date now runs with a lead of `aheadMs` over real time. */
export async function restoreHiddenJobs(db: Kysely<Database>, aheadMs: number): Promise<void> {
  await sql`
    UPDATE ${sql.raw(JOBS)} SET run_at = run_at - ${ms(aheadMs)} - ${HIDDEN_SHIFT}, updated_at = now()
     WHERE ${IS_KEPT_APART}`.execute(db)
  await sayLook(db)
}

/**
 * Returns the jobs with these names that are running or could begin now. Failed jobs that wait for another attempt are not
 * included.
 */
export async function readyJobs(db: Kysely<Database>, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT job.id::text AS id
      FROM ${sql.raw(JOBS)} job
      JOIN ${sql.raw(TASKS)} task ON task.id = job.task_id
     WHERE job.run_at <= clock_timestamp() AND (job.attempts < job.max_attempts OR job.locked_at IS NOT NULL)
       AND task.identifier = ANY(${names}::text[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the failed jobs with these names that wait for another attempt. */
export async function retriedJobs(db: Kysely<Database>, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT job.id::text AS id
      FROM ${sql.raw(JOBS)} job
      JOIN ${sql.raw(TASKS)} task ON task.id = job.task_id
     WHERE job.attempts > 0 AND job.attempts < job.max_attempts AND job.locked_at IS NULL
       AND task.identifier = ANY(${names}::text[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** Makes failed jobs due now. */
export async function retryNow(db: Kysely<Database>, ids: readonly string[]): Promise<void> {
  await sql`
    UPDATE ${sql.raw(JOBS)} SET run_at = now(), updated_at = now()
     WHERE id = ANY(${ids}::bigint[]) AND locked_at IS NULL`.execute(db)
  await sayLook(db)
}

/** The result of the frequent query about jobs. */
type JobsSeen = {
  /** The time until the next job is due, in milliseconds; zero or less if one is due, null if none waits. */
  dueMs: number | null
  /** Whether a job began long enough ago that its worker may have died. */
  held: boolean
}

/**
 * Returns the time until the next job with one of these names can begin. The query uses graphile-worker's own index for jobs.
 * `withHeld`: also finds out whether a dead worker may hold a job.
 */
export async function readNextJobs(run: Run, names: readonly string[], withHeld: boolean): Promise<JobsSeen> {
  const { rows } = await run(
    `SELECT extract(epoch FROM min(due.run_at) - clock_timestamp())::float8 * 1000 AS due_ms,
            CASE WHEN $3 THEN EXISTS (SELECT FROM (${STARTED_JOBS_SQL}) AS begun) ELSE false END AS held
       FROM unnest($2::int[]) AS level (priority),
            LATERAL (SELECT run_at FROM ${JOBS} job
                      WHERE is_available AND job.priority = level.priority
                        AND task_id = ANY(ARRAY(SELECT id FROM ${TASKS} WHERE identifier = ANY($4::text[])))
                        AND (job_queue_id IS NULL OR job_queue_id IN (SELECT id FROM ${QUEUES} WHERE is_available))
                      ORDER BY run_at LIMIT 1) AS due`,
    [BEGINNING_MS, PRIORITIES, withHeld, names],
  )
  const [row] = rows
  return { dueMs: (row?.['due_ms'] ?? null) as number | null, held: row?.['held'] === true }
}

/**
 * Releases the jobs and queues of dead workers, so that other workers do them. graphile-worker itself would keep them locked
 * for four hours. A recurring job is deleted, because it has only one attempt and comes again by itself. If a running job was
 * replaced by the next one with its key, graphile-worker counts its attempts as used up, so they are reset.
 */
export async function releaseJobsOfTheDead({ db }: { db: Kysely<Database> }): Promise<void> {
  await inTransaction(db, async (trx) => {
    const run = runIn(trx)
    // OFFSET keeps the lock function out of the inner query, so that each worker's lock is tried once.
    const { rows } = await run(
      `SELECT worker FROM (${STARTED_JOBS_SQL} OFFSET 0) AS holders
        WHERE pg_try_advisory_xact_lock(${presenceLock('worker')})`,
      [BEGINNING_MS],
    )
    if (rows.length === 0) return
    const deadWorkers = rows.map(({ worker }) => worker)
    await run(`DELETE FROM ${JOBS} WHERE locked_by = ANY($1) AND max_attempts = 1`, [deadWorkers])
    await run(
      `UPDATE ${JOBS} SET attempts = 0
        WHERE locked_by = ANY($1) AND key IS NULL AND attempts >= max_attempts AND last_error IS NULL`,
      [deadWorkers],
    )
    await run(`SELECT ${JOBS_SCHEMA}.force_unlock_workers($1)`, [deadWorkers])
    await sayLook(trx)
  })
}
