import { type Kysely, sql } from 'kysely'
import { inTransaction, type Run, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { presenceLock } from '#server/platform/jobs/presence.ts'

// All SQL over graphile-worker's private tables, which the next version may change (graphile.test.ts).

/** Not the bank's own schema: Kysely knows no types of it, so what asks it is plain SQL. */
export const JOBS_SCHEMA = 'graphile_worker'
const JOBS = `${JOBS_SCHEMA}._private_jobs`
const TASKS = `${JOBS_SCHEMA}._private_tasks`
const QUEUES = `${JOBS_SCHEMA}._private_job_queues`

/** Marks a job that waits for a moment of the business clock. */
export const BUSINESS_TIME = 'business_time'
/** A worker may have begun jobs this long before its lock is there, in milliseconds. */
const BEGINNING_MS = 10_000

/** Who holds what began so many milliseconds ago, $1. */
const BEGUN = `
  SELECT locked_by AS worker FROM ${JOBS} WHERE locked_at < now() - $1 * interval '1 millisecond'
  UNION
  SELECT locked_by FROM ${QUEUES} WHERE locked_at < now() - $1 * interval '1 millisecond'`

/** What was to wait for a date lets what somebody waits for now go first: when a date comes, many are due at once. */
export const AFTER_OTHERS = 10
/** All the priorities that jobs have. */
const PRIORITIES = [0, AFTER_OTHERS]

/**
 * Each job is a row that changes in what its indexes have, and goes: the table is small and all of it dead. PostgreSQL's own rule
 * counts from the rows that live, and waits too long after a burst.
 */
export const CLEANED_OFTEN = `
  DO $$ BEGIN
    IF (SELECT reloptions FROM pg_class WHERE oid = '${JOBS}'::regclass) IS NULL THEN
      ALTER TABLE ${JOBS} SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);
    END IF;
  END $$;`

/** What graphile-worker says itself when a job is added: look now. */
const SAY_LOOK = `pg_notify('jobs:insert', '{"count":10}')`

/** Whether a job has failed for good. */
const HAS_FAILED = 'attempts >= max_attempts AND locked_at IS NULL'

/** A job that has failed for good: the dead-letter list. `error` is what it said last. */
export type FailedJob = { id: string; name: string; attempts: number; failedAt: Date; error: string }

/** The oldest first, at most `limit`. */
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

/** Has failed jobs tried again from the start. Answers how many there were of them. */
export async function retryFailedJobs(run: Run, ids: readonly string[]): Promise<number> {
  const { rows } = await run(
    `SELECT id, ${SAY_LOOK} FROM ${JOBS_SCHEMA}.reschedule_jobs(
       ARRAY(SELECT id FROM ${JOBS} WHERE id = ANY($1::bigint[]) AND ${HAS_FAILED}),
       run_at => now(), attempts => 0)`,
    [ids],
  )
  return rows.length
}

/** Drops failed jobs: what they were to do is left undone. Answers how many there were of them. */
export async function dropFailedJobs(run: Run, ids: readonly string[]): Promise<number> {
  const { rows } = await run(
    `SELECT id FROM ${JOBS_SCHEMA}.complete_jobs(
       ARRAY(SELECT id FROM ${JOBS} WHERE id = ANY($1::bigint[]) AND ${HAS_FAILED}))`,
    [ids],
  )
  return rows.length
}

/** Drops what failed of the recurring jobs of these names. */
export async function dropFailedRuns(db: Kysely<Database>, names: readonly string[]): Promise<void> {
  await sql`
    DELETE FROM ${sql.raw(JOBS)}
     WHERE task_id = ANY(ARRAY(SELECT id FROM ${sql.raw(TASKS)} WHERE identifier = ANY(${names}::text[])))
       AND ${sql.raw(HAS_FAILED)}`.execute(db)
}

/** How the jobs of one name stand. Milliseconds; null where there is none. */
export type JobsStanding = {
  name: string
  due: number
  retried: number
  failed: number
  /** Since when the oldest is due that has not begun. */
  oldestDueMs: number | null
  /** Since when the oldest is there that could have been done by now, under way or failed for good though it may be. */
  oldestMs: number | null
}

/** Of all jobs that could have been done by now. What waits for a moment that is to come is not looked at. */
export async function jobsStanding(run: Run): Promise<JobsStanding[]> {
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

/** Whether a job is due since so many milliseconds and has not begun, `without` those of these names. */
export const someWait = (ms: number, without: readonly string[]) => sql<boolean>`EXISTS (
  SELECT 1 FROM ${sql.raw(JOBS)}
   WHERE attempts < max_attempts AND locked_at IS NULL AND run_at < now() - ${sql.lit(ms)} * interval '1 millisecond'
     ${without.length === 0 ? sql`` : sql`AND task_id <> ALL(ARRAY(SELECT id FROM ${sql.raw(TASKS)} WHERE identifier = ANY(${without}::text[])))`})`

/** How many jobs of these names are still to be done. */
export async function countWaiting(run: Run, names: readonly string[]): Promise<number> {
  const { rows } = await run(
    `SELECT count(*)::int AS count FROM ${JOBS} job JOIN ${TASKS} task ON task.id = job.task_id
      WHERE task.identifier = ANY($1) AND (job.attempts < job.max_attempts OR job.locked_at IS NOT NULL)`,
    [names],
  )
  return rows[0]?.['count'] as number
}

/** Whether a job has failed for good, `without` those of these names. */
export const someFailed = (without: readonly string[]) => sql<boolean>`EXISTS (
  SELECT 1 FROM ${sql.raw(JOBS)}
   WHERE ${sql.raw(HAS_FAILED)}
     AND task_id <> ALL(ARRAY(SELECT id FROM ${sql.raw(TASKS)} WHERE identifier = ANY(${without}::text[]))))`

/**
 * Where the date moves, its real time says nothing of when a job's moment of business time comes. So the job is kept under that
 * moment itself, a thousand years on, where no worker looks. A job that failed waits for its next try in real time and is left
 * alone.
 */
export const KEPT_APART = sql.raw("interval '31557600000 seconds'")
const WAITS_FOR_BUSINESS_TIME = sql.raw(`flags ? '${BUSINESS_TIME}' AND attempts = 0 AND locked_at IS NULL`)
const IS_KEPT_APART = sql`${WAITS_FOR_BUSINESS_TIME} AND run_at > now() + ${KEPT_APART} / 2`
const sayLook = (db: Kysely<Database>) => sql`SELECT ${sql.raw(SAY_LOOK)}`.execute(db)

const ms = (count: number) => sql`${count}::float8 * interval '1 millisecond'`

/**
 * Keeps apart what waits for a moment of business time, which was `aheadMs` ahead of the world's. Belongs after the move, in its
 * SQL transaction: the move waits for transactions that are adding such jobs, and this statement then sees them.
 */
export async function keepJobsApart(db: Kysely<Database>, aheadMs: number): Promise<void> {
  await sql`
    UPDATE ${sql.raw(JOBS)} SET run_at = run_at + ${ms(aheadMs)} + ${KEPT_APART}, updated_at = now()
     WHERE ${WAITS_FOR_BUSINESS_TIME}`.execute(db)
}

/** The next moment of business time that a job which is kept apart waits for; null where none does. */
export async function nextDue(db: Kysely<Database>): Promise<Date | null> {
  const { rows } = await sql<{ due: Date | null }>`
    SELECT min(run_at) - ${KEPT_APART} AS due FROM ${sql.raw(JOBS)} WHERE ${IS_KEPT_APART}`.execute(db)
  return rows[0]?.due ?? null
}

/** Has those jobs begin whose moment has come. */
export async function releaseDueJobs(db: Kysely<Database>, now: Date): Promise<void> {
  await sql`
    UPDATE ${sql.raw(JOBS)} SET run_at = now(), updated_at = now()
     WHERE ${IS_KEPT_APART} AND run_at <= ${now}::timestamptz + ${KEPT_APART}`.execute(db)
  await sayLook(db)
}

/** Gives the jobs that are kept apart their real time again: the business date goes on `aheadMs` ahead of the world's. */
export async function returnJobs(db: Kysely<Database>, aheadMs: number): Promise<void> {
  await sql`
    UPDATE ${sql.raw(JOBS)} SET run_at = run_at - ${ms(aheadMs)} - ${KEPT_APART}, updated_at = now()
     WHERE ${IS_KEPT_APART}`.execute(db)
  await sayLook(db)
}

/** The jobs of these names that are under way or could begin now: what failed and waits for another try is not among them. */
export async function readyJobs(db: Kysely<Database>, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT job.id::text AS id
      FROM ${sql.raw(JOBS)} job
      JOIN ${sql.raw(TASKS)} task ON task.id = job.task_id
     WHERE job.run_at <= clock_timestamp() AND (job.attempts < job.max_attempts OR job.locked_at IS NOT NULL)
       AND task.identifier = ANY(${names}::text[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** The jobs of these names that have failed and wait for another try. */
export async function retriedJobs(db: Kysely<Database>, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT job.id::text AS id
      FROM ${sql.raw(JOBS)} job
      JOIN ${sql.raw(TASKS)} task ON task.id = job.task_id
     WHERE job.attempts > 0 AND job.attempts < job.max_attempts AND job.locked_at IS NULL
       AND task.identifier = ANY(${names}::text[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** Has jobs that failed tried again now. */
export async function retryNow(db: Kysely<Database>, ids: readonly string[]): Promise<void> {
  await sql`
    UPDATE ${sql.raw(JOBS)} SET run_at = now(), updated_at = now()
     WHERE id = ANY(${ids}::bigint[]) AND locked_at IS NULL`.execute(db)
  await sayLook(db)
}

/** What is asked about jobs again and again. */
type JobsSeen = {
  /** In how many milliseconds the next job is due, zero or less where one is; null where none waits. */
  dueMs: number | null
  /** Whether one began long enough ago that its worker may have died meanwhile. */
  held: boolean
}

/**
 * When the next job of these names is due that could begin then, through the index that graphile-worker looks for jobs with; and,
 * `withHeld`, whether one may be held by a worker that has died.
 */
export async function seeJobs(run: Run, names: readonly string[], withHeld: boolean): Promise<JobsSeen> {
  const { rows } = await run(
    `SELECT extract(epoch FROM min(due.run_at) - clock_timestamp())::float8 * 1000 AS due_ms,
            CASE WHEN $3 THEN EXISTS (SELECT FROM (${BEGUN}) AS begun) ELSE false END AS held
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
 * Gives back the jobs of workers that have died, with their queues: whoever finds them does them again. graphile-worker
 * itself would leave them for four hours. A recurring job is dropped, for it has but one try and runs again by itself. One
 * that the next of its key replaced while it ran has its tries back, which graphile-worker then counts as used up.
 */
export async function releaseJobsOfTheDead({ db }: { db: Kysely<Database> }): Promise<void> {
  await inTransaction(db, async (trx) => {
    const run = runIn(trx)
    // Each name is asked for once: OFFSET keeps the lock out of the query inside.
    const { rows } = await run(
      `SELECT worker FROM (${BEGUN} OFFSET 0) AS holders
        WHERE pg_try_advisory_xact_lock(${presenceLock('worker')})`,
      [BEGINNING_MS],
    )
    if (rows.length === 0) return
    const dead = rows.map(({ worker }) => worker)
    await run(`DELETE FROM ${JOBS} WHERE locked_by = ANY($1) AND max_attempts = 1`, [dead])
    await run(
      `UPDATE ${JOBS} SET attempts = 0
        WHERE locked_by = ANY($1) AND key IS NULL AND attempts >= max_attempts AND last_error IS NULL`,
      [dead],
    )
    await run(`SELECT ${JOBS_SCHEMA}.force_unlock_workers($1)`, [dead])
    await sayLook(trx)
  })
}
