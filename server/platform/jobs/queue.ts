import { type Kysely, sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { type Statement, statementOf } from '#server/platform/db/statement.ts'
import { originFlags } from '#server/platform/telemetry/trace.ts'
import { AFTER_OTHERS, BUSINESS_TIME, JOBS_SCHEMA, KEPT_APART } from '#server/platform/jobs/graphile.ts'
import type { Job } from '#server/platform/jobs/job.ts'

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
 * When the worker is to find what waits for a moment of business time: its real time by the bank's clock as it stands or, while
 * the date moves, as graphile.ts keeps it then. FOR SHARE: a move of the clock that is under way is waited for, and a later one
 * finds this job and moves it, too.
 */
const runAtOf = (at: Date) => sql`
  (SELECT CASE
     WHEN stands_at IS NULL
       THEN ${at}::timestamptz - coalesce(business_epoch - real_epoch, interval '0') - moved_ms * interval '1 millisecond'
     WHEN ${at}::timestamptz > stands_at THEN ${at}::timestamptz + ${KEPT_APART}
     ELSE now() END
     FROM bank.clock_move LEFT JOIN bank.clock ON true FOR SHARE OF clock_move)`

/**
 * Has a job done once the SQL transaction of `db` commits, and not at all when it rolls back.
 * PostgreSQL turns business time into real time.
 */
export async function enqueue<Payload>(
  db: Kysely<Database>,
  job: Enqueued<Payload>,
  payload: NoInfer<Payload>,
  when: When = {},
): Promise<void> {
  await addJob(job, payload, when).execute(db)
}

/** The same as a statement, for who sends it together with others. */
export function enqueued<Payload>(job: Enqueued<Payload>, payload: NoInfer<Payload>, when: When = {}): Statement {
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

/** Takes a waiting job back, where it has not begun. */
export async function dequeue(db: Kysely<Database>, key: string): Promise<void> {
  await sql`SELECT ${sql.raw(JOBS_SCHEMA)}.remove_job(${key})`.execute(db)
}
