import { type Kysely, sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { type SqlStatement, statementOf } from '#server/platform/db/statement.ts'
import { originFlags } from '#server/platform/telemetry/trace.ts'
import { AFTER_OTHERS, BUSINESS_TIME, JOBS_SCHEMA, HIDDEN_SHIFT } from '#server/platform/jobs/graphile.ts'
import type { Job } from '#server/platform/jobs/job.ts'

/** The default number of attempts, which take almost four days. */
const MAX_ATTEMPTS = 25

type When = {
  /** The business time at which the job becomes due; at once by default. */
  at?: Date
  /** The key of the job. The job replaces an earlier job with the same key that has not begun. */
  key?: string
  /** The name of the job's queue. The jobs of one queue run one after another, so that slow ones do not occupy all workers. */
  queue?: string
}

/**
 * Returns SQL for the time at which a worker finds a job that waits for a moment of business time. Usually this is the real
 * time of that moment by the bank's clock. While the date moves, it is the hidden time of graphile.ts. FOR SHARE waits for a
 * concurrent move of the clock. A later move sees this job and moves it, too.
 */
const runAtOf = (moment: Date) => sql`
  (SELECT CASE
     WHEN stands_at IS NULL
       THEN ${moment}::timestamptz - coalesce(business_epoch - real_epoch, interval '0') - moved_ms * interval '1 millisecond'
     WHEN ${moment}::timestamptz > stands_at THEN ${moment}::timestamptz + ${HIDDEN_SHIFT}
     ELSE now() END
     FROM bank.clock_move LEFT JOIN bank.clock ON true FOR SHARE OF clock_move)`

/**
 * Enqueues a job that runs once the SQL transaction of `db` commits, and not if it rolls back. PostgreSQL converts business
 * time to real time.
 */
export async function enqueue<Payload>(
  db: Kysely<Database>,
  job: Enqueued<Payload>,
  payload: NoInfer<Payload>,
  when: When = {},
): Promise<void> {
  await addJob(job, payload, when).execute(db)
}

/** Returns the statement that enqueues a job, to be sent together with others. */
export function enqueued<Payload>(job: Enqueued<Payload>, payload: NoInfer<Payload>, when: When = {}): SqlStatement {
  return statementOf(addJob(job, payload, when))
}

type Enqueued<Payload> = Pick<Job<Payload>, 'name' | 'payload' | 'maxAttempts'>

function addJob<Payload>(
  { name, maxAttempts = MAX_ATTEMPTS }: Enqueued<Payload>,
  payload: Payload,
  { at, key, queue }: When,
) {
  const runAt = at ? sql`, run_at => ${runAtOf(at)}` : sql``
  const flags = [...(at ? [BUSINESS_TIME] : []), ...originFlags()]
  return sql`
    SELECT ${sql.raw(JOBS_SCHEMA)}.add_job(
      ${name}, ${JSON.stringify(payload)}::json, job_key => ${key ?? null}, flags => ${flags.length > 0 ? flags : null}::text[],
      max_attempts => ${maxAttempts}, queue_name => ${queue ?? null},
      priority => ${at ? AFTER_OTHERS : 0}${runAt})`
}

/** Removes a waiting job that has not begun. */
export async function dequeue(db: Kysely<Database>, key: string): Promise<void> {
  await sql`SELECT ${sql.raw(JOBS_SCHEMA)}.remove_job(${key})`.execute(db)
}
