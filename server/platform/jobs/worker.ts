import { randomInt } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import {
  Logger,
  run as runWorker,
  type RunnerOptions,
  runMigrations,
  type Runner,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker'
import pg from 'pg'
import type { Deps } from '#server/platform/deps.ts'
import { runOn } from '#server/platform/db/run.ts'
import { hostWatch } from '#server/platform/db/host-watch.ts'
import { measurePool, surviveLostConnections } from '#server/platform/db/pool.ts'
import { isHeldBack } from '#server/platform/restore-hold.ts'
import { type Alarm, REST_MS, setAlarm } from '#server/platform/jobs/wake-timer.ts'
import { watchForSuspension } from '#server/platform/jobs/process-suspension.ts'
import { resumeAfterOutage, walkJob } from '#server/platform/jobs/date-walk.ts'
import { expectRuns, recordSuccess, ROUND } from '#server/platform/jobs/health.ts'
import { secondsSince } from '#server/platform/telemetry/measures.ts'
import { outsideRequest, inJob } from '#server/platform/telemetry/trace.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'
import {
  CLEANED_OFTEN,
  JOBS_SCHEMA as SCHEMA,
  releaseJobsOfTheDead,
  readNextJobs,
} from '#server/platform/jobs/graphile.ts'
import type { Secret } from '#server/platform/secrets/derived-key.ts'
import { openRounds } from '#server/platform/jobs/recurring-rounds.ts'
import { showPresence } from '#server/platform/jobs/presence.ts'

const CONCURRENCY = 4
/** The number of workers for jobs that are kept apart. */
const CONCURRENCY_APART = 4
/**
 * The interval at which each worker queries for a job by itself, in milliseconds. It can be long: PostgreSQL notifies of new
 * jobs, and the alarm wakes workers for due ones.
 */
const POLL_MS = 10 * 60_000
/** The silence on the workers' connections after which the host is probed, in milliseconds. Longer than their usual silence. */
const SILENCE_MS = REST_MS + 1_000
const RESTART_MS = 2_000
/**
 * The shortest interval between two searches for jobs of dead workers, in milliseconds. A search is part of the query for due
 * jobs.
 */
const RELEASE_MS = 2_000

/**
 * Settings that write the results of jobs in batches. A stopping worker waits only for batched results: otherwise a finished
 * job would stay in the queue and run again. If a result cannot be written, the worker gives up and its jobs are released.
 */
const AWAITED = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

type Log = Pick<Deps['log'], 'error' | 'warn' | 'info' | 'debug'>

/** graphile-worker's details of a message. Only a part is logged, because the details can contain a job's payload. */
type Details = { failure?: boolean; error?: unknown; job?: { id: string; task_identifier: string; attempts: number } }

/**
 * Returns a logger for graphile-worker's messages. A failed job is logged in the bank's own form, so that similar failures are
 * folded into one line.
 */
function workerLogger(log: Log): Logger {
  return new Logger(() => (level, text, details: Details = {}) => {
    const { failure, error, job } = details
    if (failure && job) {
      const { id, task_identifier: name, attempts } = job
      log.error({ part: 'jobs', job: name, id, attempts, err: error }, 'a job failed')
    } else log[level === 'warning' ? 'warn' : level]({ part: 'jobs' }, text)
  })
}

function openWorkerPool(connectionString: string, max: number): pg.Pool {
  const host = hostWatch({ silenceMs: SILENCE_MS })
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name: 'alder-jobs',
    connectionTimeoutMillis: 5_000,
    stream: host.stream,
  })
  host.watch(pool)
  surviveLostConnections(pool)
  return pool
}

/**
 * Creates graphile-worker's schema as its owner, and gives the serving role `grantee` the rights to use but not to change it.
 * Its tables have row security without policies, so policies are added.
 */
export async function migrateJobs(ownerUrl: string, grantee: string): Promise<void> {
  const pool = openWorkerPool(ownerUrl, 2)
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => undefined) })
    await pool.query(`
      GRANT USAGE ON SCHEMA ${SCHEMA} TO ${grantee};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${SCHEMA} TO ${grantee};
      REVOKE INSERT, UPDATE, DELETE ON ${SCHEMA}.migrations FROM ${grantee};
      ${CLEANED_OFTEN}
      DO $$
      DECLARE secured regclass;
      BEGIN
        FOR secured IN SELECT oid FROM pg_class
          WHERE relnamespace = '${SCHEMA}'::regnamespace AND relrowsecurity
            AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid AND polname = '${grantee}')
        LOOP
          EXECUTE format('CREATE POLICY ${grantee} ON %s TO ${grantee} USING (true) WITH CHECK (true)', secured);
        END LOOP;
      END $$`)
  } finally {
    await pool.end()
  }
}

export type Jobs = { stop(): Promise<void> }

/**
 * Runs jobs as the serving role, on separate connections, until stopped. Throws if the first start fails. A worker that gives
 * up later is restarted.
 */
export async function startJobs(
  deps: Deps,
  jobs: readonly RunnableJob[] = deps.slices.flatMap((slice) => slice.jobs ?? []),
): Promise<Jobs> {
  const { connectionString } = deps.pool.options
  if (!connectionString) throw new Error('The pool was opened without a URL')
  const server = randomInt(2 ** 31)
  const recurringJobs = jobs.filter(({ everyMinutes }) => everyMinutes !== null)
  const crews = [
    { jobs: [...jobs.filter(({ apart }) => !apart), walkJob({ jobs, server })], concurrency: CONCURRENCY },
    { jobs: jobs.filter(({ apart }) => apart), concurrency: CONCURRENCY_APART },
  ].filter((crew) => crew.jobs.length > 0)
  // Each crew needs three more connections: to listen, to show its presence, and for graphile-worker's own statements. The
  // alarm needs one more.
  const pool = openWorkerPool(
    connectionString,
    crews.reduce((sum, { concurrency }) => sum + concurrency + 3, 1),
  )
  if (deps.measures.isOn) measurePool(pool, 'alder jobs', deps.measures)
  const waker = openWaker(deps, pool, () =>
    crews.flatMap((crew) => crew.jobs.filter((job) => !isHeldBack(deps, job)).map(({ name }) => name)),
  )
  const rounds = openRounds(deps, recurringJobs)
  const running: Jobs[] = []
  const stopWatching = watchForSuspension((since) => {
    deps.log.warn('this server slept')
    rounds.holdFor(
      resumeAfterOutage(deps, since).catch((error: unknown) =>
        deps.log.error({ err: error }, 'the date could not be moved back to the outage'),
      ),
    )
  })
  const stop = async () => {
    stopWatching()
    waker.stop()
    await Promise.all(running.map((crew) => crew.stop()))
    await pool.end()
  }
  try {
    await resumeAfterOutage(deps)
    await expectRuns(deps.db, [ROUND, ...recurringJobs], deps.clock.realNow())
    for (const [index, crew] of crews.entries()) {
      const followers = index === 0 ? [waker, rounds] : [waker]
      running.push(await startCrew(deps, pool, { ...crew, server, followers }))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

/** Accompanies workers from their start until they stop. */
type Follower = { follow(events: WorkerEvents): void }
type Waker = Follower & { stop(): void }

/** Wakes all workers of a server when a job with one of these names is due, and releases the jobs of dead workers. */
function openWaker(deps: Deps, pool: pg.Pool, names: () => readonly string[]): Waker {
  const crews = new Set<WorkerPool>()
  const deafPools = new Set<WorkerPool>()
  let releaseAt = 0
  const look = async (): Promise<number | null> => {
    const now = performance.now()
    const withHeld = now >= releaseAt
    const { dueMs, held: hasHeldJobs } = await readNextJobs(runOn(pool), names(), withHeld)
    if (withHeld) releaseAt = now + RELEASE_MS
    if (hasHeldJobs) await releaseJobsOfTheDead(deps)
    return dueMs
  }
  const wake = (): void => {
    for (const crew of crews) crew.nudge(Math.max(CONCURRENCY, CONCURRENCY_APART))
  }
  const alarm: Alarm = setAlarm({ look, wake, hears: () => deafPools.size === 0 })
  return {
    follow: (events) => {
      events.on('pool:create', ({ workerPool }) => {
        crews.add(workerPool)
        deafPools.add(workerPool)
      })
      events.on('pool:listen:success', ({ workerPool }) => {
        deafPools.delete(workerPool)
        alarm.soon()
      })
      events.on('pool:listen:error', ({ workerPool }) => deafPools.add(workerPool))
      events.on('pool:listen:notification', alarm.soon)
      events.on('job:complete', alarm.soon)
      // Stopping workers must not be woken.
      events.on('pool:gracefulShutdown', ({ workerPool }) => {
        crews.delete(workerPool)
        deafPools.delete(workerPool)
      })
    },
    stop: alarm.stop,
  }
}

type Crew = { jobs: readonly RunnableJob[]; concurrency: number; server: number; followers: readonly Follower[] }

/** Starts one crew of workers. Throws if the first start fails. A worker that gives up later is restarted. */
async function startCrew(deps: Deps, pool: pg.Pool, { jobs, concurrency, server, followers }: Crew): Promise<Jobs> {
  // Parked jobs are left out: a worker does not take jobs that are not in its list.
  const tasks = (): TaskList =>
    Object.fromEntries(
      jobs
        .filter((job) => !isHeldBack(deps, job))
        .map((job) => [
          job.name,
          (payload, { abortSignal, job: { flags } }) => {
            const work = () => measuredJob(deps, job, payload, abortSignal)
            return outsideRequest(() => inJob(job.name, Object.keys(flags ?? {}), work))
          },
        ]),
    )
  const start = () =>
    startWorker(
      pool,
      { server, followers, secret: deps.config.secret },
      {
        taskList: tasks(),
        parsedCronItems: [],
        concurrency,
        pollInterval: POLL_MS,
        noHandleSignals: true,
        logger: workerLogger(deps.log),
        preset: AWAITED,
      },
    )
  let runner = await start()
  // The worker is restarted with the released jobs in its list.
  deps.held.onRelease(() => void runner.stop().catch(() => undefined))
  const stopController = new AbortController()
  const keepRunning = async () => {
    while (!stopController.signal.aborted) {
      await runner.promise.catch((error: unknown) => deps.log.error({ err: error }, 'jobs: the worker gave up'))
      while (!stopController.signal.aborted) {
        try {
          await wait(RESTART_MS, undefined, { signal: stopController.signal })
          await resumeAfterOutage(deps)
          runner = await start()
          break
        } catch {
          // The database is still unavailable, so the start is tried again.
        }
      }
    }
  }
  const running = keepRunning()
  return {
    async stop() {
      stopController.abort()
      await runner.stop().catch(() => undefined)
      await running
      // The worker may have been restarted at that moment.
      await runner.stop().catch(() => undefined)
    },
  }
}

/** Starts a worker that stops once it counts as dead. Throws if the database is unavailable. */
async function startWorker(
  pool: pg.Pool,
  { server, followers, secret }: Pick<Crew, 'server' | 'followers'> & Secret,
  options: RunnerOptions,
): Promise<Runner> {
  const events: WorkerEvents = new EventEmitter()
  for (const { follow } of followers) follow(events)
  let name = ''
  events.once('pool:create', ({ workerPool }) => (name = workerPool.id))
  const runner = await runWorker({ ...options, pgPool: pool, events })
  const stop = () => runner.stop().catch(() => undefined)
  try {
    const leave = await showPresence(pool, { worker: name, server, secret }, () => void stop())
    void runner.promise.catch(() => undefined).finally(leave)
    return runner
  } catch (error) {
    await stop()
    throw error
  }
}

async function measuredJob(...args: Parameters<typeof runJob>): Promise<void> {
  const [{ measures }, { name }] = args
  const startedAt = performance.now()
  const note = (outcome: string) =>
    measures.observe('alder_job_duration_seconds', { name, outcome }, secondsSince(startedAt))
  try {
    await runJob(...args)
    note('done')
  } catch (error) {
    note('failed')
    throw error
  }
}

async function runJob(deps: Deps, job: RunnableJob, payload: unknown, stopping?: AbortSignal): Promise<void> {
  // A job may be due because another server put the date forward, so it must use the new date.
  await deps.clock.refresh()
  await job.run(deps, payload, stopping)
  if (job.everyMinutes !== null) await recordSuccess(deps.db, job, deps.clock.realNow())
}
