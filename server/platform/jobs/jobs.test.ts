import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import { dropFailedJobs, failedJobs, releaseJobsOfTheDead, retryFailedJobs } from '#server/platform/jobs/graphile.ts'
import { servingRole } from '#server/platform/db/serving-role.ts'
import { expectRuns, lateJobs, recordSuccess } from '#server/platform/jobs/health.ts'
import { defineJob, defineRecurringJob, type RunnableJob } from '#server/platform/jobs/job.ts'
import { dequeue, enqueue } from '#server/platform/jobs/queue.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'
import { testDeps, type TestDeps } from '#server/test/bank.ts'
import { bringJobsForward } from '#server/test/moved-jobs.ts'
import { testContext } from '#server/test/context.ts'

const HOUR = 3_600_000

let opened: TestDeps
let jobs: Jobs | undefined

beforeAll(async () => {
  opened = await testDeps({ clock: 'database' })
})
afterEach(async () => {
  await jobs?.stop()
  jobs = undefined
})
afterAll(() => opened.close())

const run = () => runOn(opened.deps.pool)
const waiting = async () =>
  (await opened.deps.pool.query(`SELECT key, task_identifier AS task FROM graphile_worker.jobs ORDER BY key`)).rows

/** Defines a job with any payload and a number of attempts. */
function jobOf(name: string, act: (deps: Deps, payload: unknown) => Promise<void>, maxAttempts?: number) {
  return defineJob({ name, payload: z.unknown(), work: act, ...(maxAttempts === undefined ? {} : { maxAttempts }) })
}

const note = jobOf('note', async () => undefined)

/** Starts a worker whose jobs record their payloads. */
async function work(...more: RunnableJob[]) {
  const done: unknown[] = []
  jobs = await startJobs(opened.deps, [jobOf('note', async (_deps, payload) => void done.push(payload)), ...more])
  return done
}

test('the serving role runs jobs, and cannot change the tables of jobs', async () => {
  const done = await work()
  await enqueue(opened.deps.db, note, { hello: 'there' })
  await expect.poll(() => done).toEqual([{ hello: 'there' }])
  await expect.poll(waiting).toEqual([])
  const { pool } = opened.deps
  expect((await pool.query('SELECT current_user')).rows).toEqual([{ current_user: servingRole(testContext('secret')) }])
  await expect(pool.query('ALTER TABLE graphile_worker._private_jobs ADD COLUMN more int')).rejects.toThrow(
    'must be owner',
  )
  await expect(pool.query('INSERT INTO graphile_worker.migrations (id) VALUES (999)')).rejects.toThrow(
    'permission denied',
  )
})

test('a job exists when its transaction is committed, and not after a rollback', async () => {
  const done = await work()
  const { db } = opened.deps
  await expect(
    inTransaction(db, async (trx) => {
      await enqueue(trx, note, 'rolled back')
      throw new Error('on second thoughts')
    }),
  ).rejects.toThrow('on second thoughts')
  await inTransaction(db, (trx) => enqueue(trx, note, 'committed'))
  await expect.poll(() => done).toEqual(['committed'])
})

test('business time is converted to real time, and moving the clock forward moves the job', async () => {
  const { deps } = opened
  const done = await work()
  const at = new Date(deps.clock.businessNow().getTime() + 48 * HOUR)
  await enqueue(opened.deps.db, note, 'in two days', { at, key: 'later' })
  const { rows } = await deps.pool.query(`SELECT run_at FROM graphile_worker.jobs WHERE key = 'later'`)
  expect(Math.abs(rows[0].run_at.getTime() - Date.now() - 48 * HOUR)).toBeLessThan(5_000)

  await deps.clock.advance(47 * HOUR)
  await bringJobsForward(opened.deps.db, 47 * HOUR)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(done).toEqual([])
  await deps.clock.advance(HOUR)
  await bringJobsForward(opened.deps.db, HOUR)
  await expect.poll(() => done).toEqual(['in two days'])
})

/** Opens a SQL transaction that stays open until the test ends it. */
async function openTransaction() {
  const trx = await opened.deps.db.startTransaction().execute()
  return { trx, commit: () => trx.commit().execute() }
}

/** Returns the difference between the planned and the actual time of a job, in milliseconds of business time. */
async function missedByMs(key: string, at: Date): Promise<number> {
  await opened.deps.clock.refresh()
  const { rows } = await opened.deps.pool.query('SELECT run_at FROM graphile_worker.jobs WHERE key = $1', [key])
  const offsetMs = opened.deps.clock.businessNow().getTime() - opened.deps.clock.realNow().getTime()
  return Math.abs(rows[0].run_at.getTime() + offsetMs - at.getTime())
}

test('a job that is added while the clock is moved forward is due on the new date', async () => {
  const { clock } = opened.deps
  const at = new Date(clock.businessNow().getTime() + 48 * HOUR)
  const advance = await openTransaction()
  await clock.advance(24 * HOUR, advance.trx)
  const added = inTransaction(opened.deps.db, (trx) => enqueue(trx, note, 1, { at, key: 'during' }))
  await new Promise((resolve) => setTimeout(resolve, 50))
  await bringJobsForward(advance.trx, 24 * HOUR)
  await advance.commit()
  await added
  expect(await missedByMs('during', at)).toBeLessThan(1_000)
  await dequeue(opened.deps.db, 'during')
})

test('a job that is not yet committed when the clock is moved forward is moved, too', async () => {
  const { clock, db } = opened.deps
  const at = new Date(clock.businessNow().getTime() + 48 * HOUR)
  const adding = await openTransaction()
  await enqueue(adding.trx, note, 1, { at, key: 'before' })
  const advanced = inTransaction(db, async (trx) => {
    await clock.advance(24 * HOUR, trx)
    await bringJobsForward(trx, 24 * HOUR)
  })
  await new Promise((resolve) => setTimeout(resolve, 50))
  await adding.commit()
  await advanced
  expect(await missedByMs('before', at)).toBeLessThan(1_000)
  await dequeue(opened.deps.db, 'before')
})

test('work that another server made due is done on its date', async () => {
  const beside = await testDeps({ clock: 'database', beside: opened })
  const done: number[] = []
  const when = jobOf('when', async ({ clock }) => void done.push(clock.businessNow().getTime()))
  const there = await startJobs(beside.deps, [when])
  const at = new Date(opened.deps.clock.businessNow().getTime() + 24 * HOUR)
  await enqueue(opened.deps.db, when, null, { at })
  await opened.deps.clock.advance(24 * HOUR)
  await bringJobsForward(opened.deps.db, 24 * HOUR)
  await expect.poll(() => done).toHaveLength(1)
  expect(done[0]).toBeGreaterThanOrEqual(at.getTime())
  await there.stop()
  await beside.close()
})

test('a job begins on time, even if no worker polls until then', async () => {
  const startIds: number[] = []
  await work(jobOf('on time', async () => void startIds.push(opened.deps.clock.businessNow().getTime())))
  const at = new Date(opened.deps.clock.businessNow().getTime() + 2_500)
  await enqueue(
    opened.deps.db,
    jobOf('on time', async () => undefined),
    {},
    { at },
  )
  await expect.poll(() => startIds).toHaveLength(1)
  expect(startIds[0]).toBeGreaterThanOrEqual(at.getTime())
  // The job usually begins within a moment. The ten seconds are a margin for a busy machine.
  expect(startIds[0]).toBeLessThan(at.getTime() + 10_000)
})

test('a failed job begins again when its next attempt is due', async () => {
  let tries = 0
  const fails = jobOf('fails once', async () => {
    tries += 1
    if (tries === 1) throw new Error('not yet')
  })
  await work(fails)
  await enqueue(opened.deps.db, fails, {})
  await expect.poll(() => tries).toBe(2)
  await expect.poll(waiting).toEqual([])
})

test('the jobs of a queue run in succession without a pause', async () => {
  const done = await work()
  const startedAt = performance.now()
  for (const turn of [1, 2, 3, 4, 5, 6]) await enqueue(opened.deps.db, note, turn, { queue: 'in turn' })
  await expect.poll(() => done).toEqual([1, 2, 3, 4, 5, 6])
  expect(performance.now() - startedAt).toBeLessThan(6_000)
  await expect.poll(waiting).toEqual([])
})

test('a past time counts as now', async () => {
  const done = await work()
  await enqueue(opened.deps.db, note, 'yesterday', {
    at: new Date(opened.deps.clock.businessNow().getTime() - 24 * HOUR),
  })
  await expect.poll(() => done).toEqual(['yesterday'])
})

test('a job replaces a waiting one with the same key, and can be removed', async () => {
  const at = new Date(opened.deps.clock.businessNow().getTime() + HOUR)
  await enqueue(opened.deps.db, note, 1, { at, key: 'same' })
  await enqueue(opened.deps.db, note, 2, { at, key: 'same' })
  await enqueue(opened.deps.db, note, 3, { at, key: 'other' })
  expect(await waiting()).toEqual([
    { key: 'other', task: 'note' },
    { key: 'same', task: 'note' },
  ])
  await dequeue(opened.deps.db, 'same')
  await dequeue(opened.deps.db, 'other')
  await dequeue(opened.deps.db, 'never was')
  expect(await waiting()).toEqual([])
})

test('a failed job is retried in real time, independent of the business clock', async () => {
  let tries = 0
  const shaky = jobOf('shaky', async () => {
    tries += 1
    throw new Error('not yet')
  })
  await work(shaky)
  await enqueue(opened.deps.db, shaky, null, { at: opened.deps.clock.businessNow(), key: 'shaky' })
  await expect.poll(() => tries).toBe(1)
  const runAt = async () =>
    (await opened.deps.pool.query(`SELECT run_at, attempts FROM graphile_worker.jobs WHERE key = 'shaky'`)).rows[0]
  await expect.poll(async () => (await runAt())?.run_at > new Date()).toBe(true)
  // The next attempt is far away, so that it does not interfere.
  await opened.deps.pool.query(
    `UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 hour' WHERE key = 'shaky'`,
  )
  const before = await runAt()
  await bringJobsForward(opened.deps.db, 24 * HOUR)
  expect(await runAt()).toEqual(before)
  await dequeue(opened.deps.db, 'shaky')
})

test('a worker whose connections are lost continues', async () => {
  const done = await work()
  await opened.deps.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'alder-jobs' AND datname = current_database()`,
  )
  await enqueue(opened.deps.db, note, 'after all')
  await expect.poll(() => done).toEqual(['after all'])
})

const locked = async () =>
  (await opened.deps.pool.query(`SELECT task_identifier AS task FROM graphile_worker.jobs WHERE locked_at IS NOT NULL`))
    .rows

const beginLongAgo = () =>
  opened.deps.pool.query(`UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '1 minute'
                           WHERE locked_at IS NOT NULL`)

test('the jobs of a dead worker are soon run again, and so is its queue', async () => {
  const { db, pool } = opened.deps
  const queue = 'shared'
  await enqueue(db, note, 'begun', { queue })
  await enqueue(db, note, 'behind it', { queue })
  const dead = `locked_by = 'dead', locked_at = now() - interval '1 minute'`
  await pool.query(`UPDATE graphile_worker._private_jobs SET ${dead}, attempts = 1
                     WHERE id = (SELECT min(id) FROM graphile_worker._private_jobs)`)
  await pool.query(`UPDATE graphile_worker._private_job_queues SET ${dead} WHERE queue_name = $1`, [queue])
  const done = await work()
  await expect.poll(() => done).toEqual(['begun', 'behind it'])
  await expect.poll(waiting).toEqual([])
})

test('a recurring job whose worker died does not count as failed', async () => {
  const { db, pool } = opened.deps
  await enqueue(db, { ...note, maxAttempts: 1 }, 'begun')
  await pool.query(`UPDATE graphile_worker._private_jobs
                       SET locked_by = 'dead', locked_at = now() - interval '1 minute', attempts = 1`)
  await releaseJobsOfTheDead(opened.deps)
  expect(await failedJobs(run(), 10)).toEqual([])
})

test('a job whose worker died is run again, even if the next job with its key replaced it', async () => {
  const { db, pool } = opened.deps
  await enqueue(db, note, 'begun', { key: 'one' })
  await pool.query(`UPDATE graphile_worker._private_jobs
                       SET locked_by = 'dead', locked_at = now() - interval '1 minute', attempts = 1`)
  await enqueue(db, note, 'the next', { key: 'one' })
  await releaseJobsOfTheDead(opened.deps)
  expect(await failedJobs(run(), 10)).toEqual([])
  const done = await work()
  await expect.poll(() => new Set(done)).toEqual(new Set(['begun', 'the next']))
})

test('a job that ends during the shutdown of its worker is not run again', async () => {
  const { promise: going, resolve: release } = Promise.withResolvers<void>()
  let startCount = 0
  const long = jobOf('long', async () => {
    startCount += 1
    await going
  })
  await work(long)
  for (let times = 0; times < 4; times += 1) await enqueue(opened.deps.db, long, {})
  await expect.poll(() => startCount).toBe(4)
  const stopped = jobs?.stop()
  jobs = undefined
  release()
  await stopped
  expect(await waiting()).toEqual([])
})

test('the job of a living worker is not run by others, and an interrupted one begins again', async () => {
  const { promise: going, resolve: release } = Promise.withResolvers<void>()
  let startCount = 0
  const long = jobOf('long', async () => {
    startCount += 1
    if (startCount === 1) await going
  })
  await work(long)
  await enqueue(opened.deps.db, long, {})
  await expect.poll(() => startCount).toBe(1)
  await beginLongAgo()
  await releaseJobsOfTheDead(opened.deps)
  expect(await locked()).toEqual([{ task: 'long' }])
  await opened.deps.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'alder-jobs' AND datname = current_database()`,
  )
  await expect.poll(() => releaseJobsOfTheDead(opened.deps).then(locked)).toEqual([])
  release()
  await enqueue(opened.deps.db, long, {})
  await expect.poll(() => startCount).toBeGreaterThan(1)
  await expect.poll(waiting).toEqual([])
})

test('a job that has failed permanently is listed with its error, counts as late, and can be retried or dropped', async () => {
  let works = false
  const done: unknown[] = []
  const hopeless = jobOf(
    'hopeless',
    async (_deps, payload) => {
      if (!works) throw new Error('no way')
      done.push(payload)
    },
    1,
  )
  await work(hopeless)
  await enqueue(opened.deps.db, hopeless, 1)
  await enqueue(opened.deps.db, hopeless, 2)
  await expect.poll(() => failedJobs(run(), 10)).toHaveLength(2)
  const failed = await failedJobs(run(), 10)
  expect(failed[0]).toMatchObject({ name: 'hopeless', attempts: 1, error: expect.stringContaining('no way') })
  expect(await lateJobs(opened.deps.db, [], new Date())).toEqual(['jobs failed'])
  works = true
  const [first, second] = failed.map(({ id }) => id)
  expect(await retryFailedJobs(run(), [first ?? ''])).toBe(1)
  await expect.poll(() => done).toHaveLength(1)
  expect(await dropFailedJobs(run(), [second ?? '', '999999999'])).toBe(1)
  expect(await failedJobs(run(), 10)).toEqual([])
  expect(await lateJobs(opened.deps.db, [], new Date())).toEqual([])
})

test('a payload that does not match its schema is refused without running the job', async () => {
  const worked: unknown[] = []
  const strict = defineJob({
    name: 'strict',
    payload: z.object({ id: z.uuid() }),
    maxAttempts: 1,
    work: async (_deps, payload) => void worked.push(payload),
  })
  await work(strict)
  await run()(`SELECT graphile_worker.add_job('strict', '{"id": "x"}', max_attempts => 1)`)
  await expect.poll(() => failedJobs(run(), 10)).toHaveLength(1)
  expect(worked).toEqual([])
  await dropFailedJobs(
    run(),
    (await failedJobs(run(), 10)).map(({ id }) => id),
  )
})

test('a recurring job is late after three missed runs', async () => {
  const every5 = defineRecurringJob({ name: 'every 5', everyMinutes: 5, work: async () => undefined })
  const start = opened.deps.clock.realNow()
  const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000)
  await expectRuns(opened.deps.db, [every5], start)
  expect(await lateJobs(opened.deps.db, [every5], after(14))).toEqual([])
  expect(await lateJobs(opened.deps.db, [every5], after(16))).toEqual(['every 5'])
  await recordSuccess(opened.deps.db, every5, after(15))
  await expectRuns(opened.deps.db, [every5], after(15))
  expect(await lateJobs(opened.deps.db, [every5], after(29))).toEqual([])
  expect(await lateJobs(opened.deps.db, [every5], after(31))).toEqual(['every 5'])
  expect(() => defineRecurringJob({ name: 'x', everyMinutes: 7, work: async () => undefined })).toThrow(RangeError)
})

test('a recurring job that is enqueued runs, and its success is recorded', async () => {
  let runs = 0
  const often = defineRecurringJob({ name: 'often', everyMinutes: 1, work: async () => void (runs += 1) })
  await work(often)
  await run()(`SELECT graphile_worker.add_job('often', '{}')`)
  // If a full minute of real time passes, the job runs once more.
  await expect.poll(() => runs).toBeGreaterThanOrEqual(1)
  const succeeded = async () =>
    (await run()(`SELECT succeeded_at FROM bank.job_run WHERE name = 'often'`)).rows[0]?.['succeeded_at']
  await expect.poll(succeeded).toBeInstanceOf(Date)
})

test('an interrupted run with a successor counts as failed only until a run succeeds, and never as failed permanently', async () => {
  let runs = 0
  const { promise: added, resolve: release } = Promise.withResolvers<void>()
  const job = defineRecurringJob({
    name: 'cut off',
    everyMinutes: 60,
    work: async () => {
      runs += 1
      if (runs > 1) return
      await added
      throw Object.assign(new Error('terminating connection'), { code: '57P01' })
    },
  })
  await work(job)
  // Adds the job in the same way as the schedule.
  const add = () =>
    run()(`SELECT graphile_worker.add_job('cut off', '{}', job_key => 'cut off', max_attempts => 1, run_at => $1)`, [
      runAt,
    ])
  let runAt = new Date(0)
  await add()
  await expect.poll(() => runs).toBe(1)
  runAt = new Date(Date.now() + HOUR)
  await add()
  release()
  await expect.poll(() => failedJobs(run(), 10)).toMatchObject([{ name: 'cut off' }])
  expect(await lateJobs(opened.deps.db, [job], new Date())).toEqual([])
  runAt = new Date()
  await add()
  await expect.poll(() => runs).toBe(2)
  await expect.poll(() => failedJobs(run(), 10)).toEqual([])
})
