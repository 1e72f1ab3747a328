import { type Kysely, sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { Job } from '#server/platform/jobs/job.ts'

/** Not the bank's own schema: Kysely knows no types of it, so what asks it is plain SQL. */
export const JOBS_SCHEMA = 'graphile_worker'
/** Marks a job that waits for a moment of the business clock. */
const BUSINESS_TIME = 'business_time'
/** What was to wait for a date lets what somebody waits for now go first: when a date comes, many are due at once. */
const AFTER_OTHERS = 10
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
const realTime = (at: Date) =>
  sql`coalesce((SELECT ${at}::timestamptz - business_epoch + real_epoch FROM bank.clock FOR SHARE), ${at}::timestamptz)`

/**
 * Has a job done once the SQL transaction of `db` commits, and not at all when it rolls back.
 * PostgreSQL turns business time into real time.
 */
export async function enqueue<Payload>(
  db: Kysely<Database>,
  { name, maxAttempts = MAX_ATTEMPTS }: Pick<Job<Payload>, 'name' | 'payload' | 'maxAttempts'>,
  payload: NoInfer<Payload>,
  { at, key, queue }: When = {},
): Promise<void> {
  const runAt = at ? sql`, run_at => (SELECT ${realTime(at)})` : sql``
  const flags = at ? [BUSINESS_TIME] : null
  await sql`
    SELECT ${sql.raw(JOBS_SCHEMA)}.add_job(
      ${name}, ${JSON.stringify(payload)}::json, job_key => ${key ?? null}, flags => ${flags}::text[],
      max_attempts => ${maxAttempts}, queue_name => ${queue ?? null},
      priority => ${at ? AFTER_OTHERS : 0}${runAt})`.execute(db)
}

/** Takes a waiting job back, where it has not begun. */
export async function dequeue(db: Kysely<Database>, key: string): Promise<void> {
  await sql`SELECT ${sql.raw(JOBS_SCHEMA)}.remove_job(${key})`.execute(db)
}

/**
 * Brings the jobs that wait for a moment of the business clock forward, by as much as the clock was, in milliseconds.
 * A job that failed waits for its next try in real time and is left alone. Belongs after the advance, in its SQL
 * transaction: the advance waits for transactions that are adding such jobs, and this statement then sees them.
 */
export async function rescheduleAfterAdvance(db: Kysely<Database>, ms: number): Promise<void> {
  await sql`
    UPDATE ${sql.raw(JOBS_SCHEMA)}._private_jobs
       SET run_at = run_at - ${ms}::bigint * interval '1 millisecond', updated_at = now()
     WHERE flags ? ${BUSINESS_TIME} AND attempts = 0 AND locked_at IS NULL`.execute(db)
  // What graphile-worker says itself when a job is added: look now.
  await sql`SELECT pg_notify('jobs:insert', '{"count":10}')`.execute(db)
}
