import type pg from 'pg'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { JOBS_SCHEMA as SCHEMA } from '#server/platform/jobs/queue.ts'

/** A worker may have begun jobs this long before its lock is there, in milliseconds. */
const BEGINNING_MS = 10_000

/** The lock that a worker holds as long as it lives: PostgreSQL takes it back with its connection. */
const LOCK = (worker: string): string => `hashtextextended('job worker ' || ${worker}, 0)`

/**
 * Shows other servers that a worker lives, until `leave` is called. `onLost` is called where its connection is cut off:
 * it counts as dead then, and may not go on under its name.
 */
export async function showPresence(pool: pg.Pool, worker: string, onLost: () => void): Promise<() => void> {
  const client = await pool.connect()
  try {
    await client.query(`SELECT pg_advisory_lock(${LOCK('$1')})`, [worker])
  } catch (error) {
    client.release(true)
    throw error
  }
  client.once('end', onLost)
  return () => {
    client.off('end', onLost)
    client.release(true)
  }
}

/**
 * Gives back the jobs of workers that have died, with their queues: whoever finds them does them again. graphile-worker
 * itself would leave them for four hours. A recurring job is dropped, for it has but one try and runs again by itself. One
 * that the next of its key replaced while it ran has its tries back, which graphile-worker then counts as used up.
 */
export async function releaseJobsOfTheDead({ db }: Pick<Deps, 'db'>): Promise<void> {
  await inTransaction(db, async (trx) => {
    const run = runIn(trx)
    // Each name is asked for once: OFFSET keeps the lock out of the query inside.
    const { rows } = await run(
      `SELECT worker FROM (
         SELECT locked_by AS worker FROM ${SCHEMA}._private_jobs WHERE locked_at < now() - $1 * interval '1 millisecond'
         UNION
         SELECT locked_by FROM ${SCHEMA}._private_job_queues WHERE locked_at < now() - $1 * interval '1 millisecond'
         OFFSET 0) AS holders
        WHERE pg_try_advisory_xact_lock(${LOCK('worker')})`,
      [BEGINNING_MS],
    )
    if (rows.length === 0) return
    const dead = rows.map(({ worker }) => worker)
    await run(`DELETE FROM ${SCHEMA}._private_jobs WHERE locked_by = ANY($1) AND max_attempts = 1`, [dead])
    await run(
      `UPDATE ${SCHEMA}._private_jobs SET attempts = 0
        WHERE locked_by = ANY($1) AND key IS NULL AND attempts >= max_attempts AND last_error IS NULL`,
      [dead],
    )
    await run(`SELECT ${SCHEMA}.force_unlock_workers($1)`, [dead])
  })
}
