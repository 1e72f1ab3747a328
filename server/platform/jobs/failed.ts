import type { Run } from '#server/platform/db/run.ts'
import { JOBS_SCHEMA } from '#server/platform/jobs/queue.ts'

/** Whether a job has failed for good, as SQL over graphile_worker's table of jobs. */
export const HAS_FAILED = 'attempts >= max_attempts AND locked_at IS NULL'

/** A job that has failed for good: the dead-letter list. `error` is what it said last. */
export type FailedJob = { id: string; name: string; attempts: number; failedAt: Date; error: string }

/** The oldest first, at most `limit`. */
export async function failedJobs(run: Run, limit: number): Promise<FailedJob[]> {
  const { rows } = await run(
    `SELECT job.id::text, task.identifier AS name, job.attempts::int, job.updated_at, coalesce(job.last_error, '') AS error
       FROM ${JOBS_SCHEMA}._private_jobs job JOIN ${JOBS_SCHEMA}._private_tasks task ON task.id = job.task_id
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
    `SELECT id FROM ${JOBS_SCHEMA}.reschedule_jobs(
       ARRAY(SELECT id FROM ${JOBS_SCHEMA}._private_jobs WHERE id = ANY($1::bigint[]) AND ${HAS_FAILED}),
       run_at => now(), attempts => 0)`,
    [ids],
  )
  return rows.length
}

/** Drops failed jobs: what they were to do is left undone. Answers how many there were of them. */
export async function dropFailedJobs(run: Run, ids: readonly string[]): Promise<number> {
  const { rows } = await run(
    `SELECT id FROM ${JOBS_SCHEMA}.complete_jobs(
       ARRAY(SELECT id FROM ${JOBS_SCHEMA}._private_jobs WHERE id = ANY($1::bigint[]) AND ${HAS_FAILED}))`,
    [ids],
  )
  return rows.length
}
