import type { Run } from '#server/platform/db/run.ts'
import type { Job } from '#server/platform/jobs/job.ts'

/** Not the bank's own schema: Kysely knows no types of it, so what asks it is plain SQL. */
export const JOBS_SCHEMA = 'graphile_worker'
/** Marks a job that waits for a moment of the business clock. */
const BUSINESS_TIME = 'business_time'
/** Some three days of tries. */
const MAX_ATTEMPTS = 25

type When = {
  /** Business time; as soon as possible unless told. */
  at?: Date
  /** Another job of the same key, not yet begun, is replaced by this one. */
  key?: string
  /** Jobs of one queue are done one after the other, so that a slow one does not keep all workers. */
  queue?: string
}

/**
 * The real time of a moment of business time, by the bank's clock as it stands. FOR SHARE: an advance of the clock that
 * is under way is waited for, and a later one finds this job and moves it. Without a row, both times are the same.
 */
const REAL_TIME = `coalesce((SELECT $7::timestamptz - business_epoch + real_epoch FROM bank.clock FOR SHARE), $7)`

/**
 * Has a job done once the SQL transaction that `run` belongs to commits, and not at all when it rolls back.
 * PostgreSQL turns business time into real time.
 */
export async function enqueue<Payload>(
  run: Run,
  { name, maxAttempts = MAX_ATTEMPTS }: Pick<Job<Payload>, 'name' | 'payload' | 'maxAttempts'>,
  payload: NoInfer<Payload>,
  { at, key, queue }: When = {},
): Promise<void> {
  await run(
    `SELECT ${JOBS_SCHEMA}.add_job($1, $2::json, job_key => $3, flags => $4::text[], max_attempts => $5, queue_name => $6
     ${at ? `, run_at => (SELECT ${REAL_TIME})` : ''})`,
    [
      name,
      JSON.stringify(payload),
      key ?? null,
      at ? [BUSINESS_TIME] : null,
      maxAttempts,
      queue ?? null,
      ...(at ? [at] : []),
    ],
  )
}

/** Takes a waiting job back, where it has not begun. */
export async function dequeue(run: Run, key: string): Promise<void> {
  await run(`SELECT ${JOBS_SCHEMA}.remove_job($1)`, [key])
}

/**
 * Brings the jobs that wait for a moment of the business clock forward, by as much as the clock was, in milliseconds.
 * A job that failed waits for its next try in real time and is left alone. Belongs after the advance, in its SQL
 * transaction: the advance waits for transactions that are adding such jobs, and this statement then sees them.
 */
export async function rescheduleAfterAdvance(run: Run, ms: number): Promise<void> {
  await run(
    `UPDATE ${JOBS_SCHEMA}._private_jobs SET run_at = run_at - $1::bigint * interval '1 millisecond', updated_at = now()
     WHERE flags ? $2 AND attempts = 0 AND locked_at IS NULL`,
    [ms, BUSINESS_TIME],
  )
  // What graphile-worker says itself when a job is added: look now.
  await run(`SELECT pg_notify('jobs:insert', '{"count":10}')`, [])
}
