import { setTimeout as wait } from 'node:timers/promises'
import { Logger, run as runWorker, runMigrations, type Runner, type TaskList } from 'graphile-worker'
import pg from 'pg'
import type { Deps } from '#server/platform/deps.ts'
import type { Run } from '#server/platform/db/run.ts'

/** Does one job. It may run more than once: a job that throws, or whose server dies, is tried again later. */
export type Task = (deps: Deps, payload: never) => Promise<void>

/** What a slice can do in the background, by name: 'mail.deliver'. */
export type Tasks = Readonly<Record<string, Task>>

const SCHEMA = 'graphile_worker'
const APP_ROLE = 'alder_app'
/** Marks a job that waits for a moment of the business clock. */
const BUSINESS_TIME = 'business_time'
const CONCURRENCY = 4
/** A job that became due without anybody saying so is found this soon, in milliseconds. */
const POLL_MS = 1_000
const RESTART_MS = 2_000

type Log = Pick<Deps['log'], 'error' | 'warn' | 'info' | 'debug'>

/** graphile-worker's messages, without its details: those can hold a job's payload. */
function workerLogger(log: Log): Logger {
  return new Logger(() => (level, text) => log[level === 'warning' ? 'warn' : level]({ part: 'jobs' }, text))
}

function openWorkerPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max, application_name: 'alder-jobs', connectionTimeoutMillis: 5_000 })
  // A connection that dies is replaced at its next use; without listeners it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Puts graphile-worker's schema in place, as its owner, and lets the serving role use it but not change it: its tables
 * have row security switched on and no policy of their own.
 */
export async function migrateJobs(ownerUrl: string): Promise<void> {
  const pool = openWorkerPool(ownerUrl, 2)
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => undefined) })
    await pool.query(`
      GRANT USAGE ON SCHEMA ${SCHEMA} TO ${APP_ROLE};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${SCHEMA} TO ${APP_ROLE};
      REVOKE INSERT, UPDATE, DELETE ON ${SCHEMA}.migrations FROM ${APP_ROLE};
      DO $$
      DECLARE secured regclass;
      BEGIN
        FOR secured IN SELECT oid FROM pg_class
          WHERE relnamespace = '${SCHEMA}'::regnamespace AND relrowsecurity
            AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid AND polname = '${APP_ROLE}')
        LOOP
          EXECUTE format('CREATE POLICY ${APP_ROLE} ON %s TO ${APP_ROLE} USING (true) WITH CHECK (true)', secured);
        END LOOP;
      END $$`)
  } finally {
    await pool.end()
  }
}

type When = {
  /** Business time; as soon as possible unless told. */
  at?: Date
  /** Another job of the same key, not yet begun, is replaced by this one. */
  key?: string
}

/**
 * The real time of a moment of business time, by the bank's clock as it stands. FOR SHARE: whoever is just putting the
 * clock forward comes first, and whoever comes next finds this job and brings it along. Without a row, both are one.
 */
const REAL_TIME = `coalesce((SELECT $5::timestamptz - business_epoch + real_epoch FROM bank.clock FOR SHARE), $5)`

/**
 * Has a task done once the SQL transaction that `run` belongs to commits, and not at all when it rolls back.
 * PostgreSQL turns business time into real time.
 */
export async function enqueue(run: Run, task: string, payload: unknown, { at, key }: When = {}): Promise<void> {
  await run(
    `SELECT ${SCHEMA}.add_job($1, $2::json, job_key => $3, flags => $4::text[]${at ? `, run_at => (SELECT ${REAL_TIME})` : ''})`,
    [task, JSON.stringify(payload), key ?? null, at ? [BUSINESS_TIME] : null, ...(at ? [at] : [])],
  )
}

/** Takes a waiting job back, where it has not begun. */
export async function dequeue(run: Run, key: string): Promise<void> {
  await run(`SELECT ${SCHEMA}.remove_job($1)`, [key])
}

/**
 * Brings the jobs that wait for a moment of the business clock forward, by as much as the clock was, in milliseconds.
 * A job that failed waits for its next try in real time and is left alone. Belongs after the advance, in its SQL
 * transaction: the advance waits for whoever is just adding such a job, and this statement then sees it.
 */
export async function rescheduleAfterAdvance(run: Run, ms: number): Promise<void> {
  await run(
    `UPDATE ${SCHEMA}._private_jobs SET run_at = run_at - $1::bigint * interval '1 millisecond', updated_at = now()
     WHERE flags ? $2 AND attempts = 0 AND locked_at IS NULL`,
    [ms, BUSINESS_TIME],
  )
  // What graphile-worker says itself when a job is added: look now.
  await run(`SELECT pg_notify('jobs:insert', '{"count":10}')`, [])
}

export type Jobs = { stop(): Promise<void> }

/**
 * Does jobs as the serving role, on connections of its own, until stopped. Throws where the first start fails; a worker
 * that gives up later is started again.
 */
export async function startJobs(deps: Deps, tasks: Tasks): Promise<Jobs> {
  const { connectionString } = deps.pool.options
  if (!connectionString) throw new Error('The pool was opened without a URL')
  const taskList: TaskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => {
      const run = async (payload: unknown): Promise<void> => {
        // What is due because another server put the date forward must be done on that date.
        await deps.clock.refresh()
        return task(deps, payload as never)
      }
      return [name, run]
    }),
  )
  const pool = openWorkerPool(connectionString, CONCURRENCY + 2)
  const start = () =>
    runWorker({
      pgPool: pool,
      taskList,
      concurrency: CONCURRENCY,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger: workerLogger(deps.log),
    })
  let runner: Runner
  try {
    runner = await start()
  } catch (error) {
    await pool.end()
    throw error
  }
  const stopping = new AbortController()
  const keepRunning = async () => {
    while (!stopping.signal.aborted) {
      await runner.promise.catch((error: unknown) => deps.log.error({ err: error }, 'jobs: the worker gave up'))
      while (!stopping.signal.aborted) {
        try {
          await wait(RESTART_MS, undefined, { signal: stopping.signal })
          runner = await start()
          break
        } catch {
          // The database is still away.
        }
      }
    }
  }
  const kept = keepRunning()
  return {
    async stop() {
      stopping.abort()
      await runner.stop().catch(() => undefined)
      await kept
      await pool.end()
    },
  }
}
