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
import { isParked } from '#server/platform/held.ts'
import { type Alarm, REST_MS, setAlarm } from '#server/platform/jobs/alarm.ts'
import { whenAwake } from '#server/platform/jobs/awake.ts'
import { resumeAfterOutage, walkJob } from '#server/platform/jobs/date-walk.ts'
import { expectRuns, recordSuccess, ROUND } from '#server/platform/jobs/health.ts'
import { secondsSince } from '#server/platform/telemetry/measures.ts'
import { apartFromRequests, inJob } from '#server/platform/telemetry/trace.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'
import { CLEANED_OFTEN, JOBS_SCHEMA as SCHEMA, releaseJobsOfTheDead, seeJobs } from '#server/platform/jobs/graphile.ts'
import type { Secret } from '#server/platform/secrets/derived-key.ts'
import { openRounds } from '#server/platform/jobs/rounds.ts'
import { showPresence } from '#server/platform/jobs/presence.ts'

const CONCURRENCY = 4
/** And of the jobs that have workers of their own. */
const CONCURRENCY_APART = 4
/**
 * How often each worker asks for a job by itself, in milliseconds. It need not: PostgreSQL says when one is added, and the alarm
 * when one is due.
 */
const POLL_MS = 10 * 60_000
/** Longer than nothing is asked on the workers' connections, in milliseconds. */
const SILENCE_MS = REST_MS + 1_000
const RESTART_MS = 2_000
/** Jobs whose worker has died are looked for with the others, but not sooner again than so many milliseconds later. */
const RELEASE_MS = 2_000

/**
 * Only what is said in batches is waited for when the worker stops: else a job that has just been done stays in the
 * queue and is done again. And where it cannot be said, the worker gives up, and its jobs are released.
 */
const AWAITED = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

type Log = Pick<Deps['log'], 'error' | 'warn' | 'info' | 'debug'>

/** What graphile-worker says beside a message; more than we say, for it can hold a job's payload. */
type Details = { failure?: boolean; error?: unknown; job?: { id: string; task_identifier: string; attempts: number } }

/** graphile-worker's messages. Of a job that failed, the log says in our words which, so that failures of a kind are told as one. */
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
 * Puts graphile-worker's schema in place, as its owner, and lets the serving role `grantee` use it but not change it: its tables
 * have row security switched on and no policy of their own.
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
 * Does jobs as the serving role, on connections of its own, until stopped. Throws where the first start fails; a worker
 * that gives up later is started again.
 */
export async function startJobs(
  deps: Deps,
  jobs: readonly RunnableJob[] = deps.slices.flatMap((slice) => slice.jobs ?? []),
): Promise<Jobs> {
  const { connectionString } = deps.pool.options
  if (!connectionString) throw new Error('The pool was opened without a URL')
  const server = randomInt(2 ** 31)
  const recurring = jobs.filter(({ everyMinutes }) => everyMinutes !== null)
  const crews = [
    { jobs: [...jobs.filter(({ apart }) => !apart), walkJob({ jobs, server })], concurrency: CONCURRENCY },
    { jobs: jobs.filter(({ apart }) => apart), concurrency: CONCURRENCY_APART },
  ].filter((crew) => crew.jobs.length > 0)
  // Three more each: one listens, one shows that the worker lives, one is for what it says of itself. And one for the alarm.
  const pool = openWorkerPool(
    connectionString,
    crews.reduce((sum, { concurrency }) => sum + concurrency + 3, 1),
  )
  if (deps.measures.isOn) measurePool(pool, 'alder jobs', deps.measures)
  const waker = openWaker(deps, pool, () =>
    crews.flatMap((crew) => crew.jobs.filter((job) => !isParked(deps, job)).map(({ name }) => name)),
  )
  const rounds = openRounds(deps, recurring)
  const running: Jobs[] = []
  const stopWatching = whenAwake((since) => {
    deps.log.warn('this server slept')
    rounds.holdFor(
      resumeAfterOutage(deps, since).catch((error: unknown) => deps.log.error({ err: error }, 'the date stays')),
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
    await expectRuns(deps.db, [ROUND, ...recurring], deps.clock.realNow())
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

/** Does something for workers from when their events begin until they stop. */
type Follower = { follow(events: WorkerEvents): void }
type Waker = Follower & { stop(): void }

/** Wakes all workers of a server where a job of these names is due, and gives back the jobs of the dead. */
function openWaker(deps: Deps, pool: pg.Pool, names: () => readonly string[]): Waker {
  const crews = new Set<WorkerPool>()
  const deaf = new Set<WorkerPool>()
  let releaseAt = 0
  const look = async (): Promise<number | null> => {
    const now = performance.now()
    const withHeld = now >= releaseAt
    const { dueMs, held } = await seeJobs(runOn(pool), names(), withHeld)
    if (withHeld) releaseAt = now + RELEASE_MS
    if (held) await releaseJobsOfTheDead(deps)
    return dueMs
  }
  const wake = (): void => {
    for (const crew of crews) crew.nudge(Math.max(CONCURRENCY, CONCURRENCY_APART))
  }
  const alarm: Alarm = setAlarm({ look, wake, hears: () => deaf.size === 0 })
  return {
    follow: (events) => {
      events.on('pool:create', ({ workerPool }) => {
        crews.add(workerPool)
        deaf.add(workerPool)
      })
      events.on('pool:listen:success', ({ workerPool }) => {
        deaf.delete(workerPool)
        alarm.soon()
      })
      events.on('pool:listen:error', ({ workerPool }) => deaf.add(workerPool))
      events.on('pool:listen:notification', alarm.soon)
      events.on('job:complete', alarm.soon)
      // Its workers may be told nothing more.
      events.on('pool:gracefulShutdown', ({ workerPool }) => {
        crews.delete(workerPool)
        deaf.delete(workerPool)
      })
    },
    stop: alarm.stop,
  }
}

type Crew = { jobs: readonly RunnableJob[]; concurrency: number; server: number; followers: readonly Follower[] }

/** Throws where the first start fails; a worker that gives up later is started again. */
async function startCrew(deps: Deps, pool: pg.Pool, { jobs, concurrency, server, followers }: Crew): Promise<Jobs> {
  // Those that are parked stay as they are: a worker that does not know them does not take them.
  const tasks = (): TaskList =>
    Object.fromEntries(
      jobs
        .filter((job) => !isParked(deps, job))
        .map((job) => [
          job.name,
          (payload, { abortSignal, job: { flags } }) => {
            const work = () => measuredJob(deps, job, payload, abortSignal)
            return apartFromRequests(() => inJob(job.name, Object.keys(flags ?? {}), work))
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
  // It is started again, knowing more.
  deps.held.onRelease(() => void runner.stop().catch(() => undefined))
  const stopping = new AbortController()
  const keepRunning = async () => {
    while (!stopping.signal.aborted) {
      await runner.promise.catch((error: unknown) => deps.log.error({ err: error }, 'jobs: the worker gave up'))
      while (!stopping.signal.aborted) {
        try {
          await wait(RESTART_MS, undefined, { signal: stopping.signal })
          await resumeAfterOutage(deps)
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
      // One that was started again at that moment.
      await runner.stop().catch(() => undefined)
    },
  }
}

/** A worker that stops once it counts as dead. Throws where the database is away. */
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

async function measuredJob(...asked: Parameters<typeof runJob>): Promise<void> {
  const [{ measures }, { name }] = asked
  const startedAt = performance.now()
  const note = (outcome: string) =>
    measures.observe('alder_job_duration_seconds', { name, outcome }, secondsSince(startedAt))
  try {
    await runJob(...asked)
    note('done')
  } catch (error) {
    note('failed')
    throw error
  }
}

async function runJob(deps: Deps, job: RunnableJob, payload: unknown, stopping?: AbortSignal): Promise<void> {
  // What is due because another server put the date forward must be done on that date.
  await deps.clock.refresh()
  await job.run(deps, payload, stopping)
  if (job.everyMinutes !== null) await recordSuccess(deps.db, job, deps.clock.realNow())
}
