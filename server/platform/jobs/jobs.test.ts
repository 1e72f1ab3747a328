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

let bank: TestDeps
let jobs: Jobs | undefined

beforeAll(async () => {
  bank = await testDeps({ clock: 'database' })
})
afterEach(async () => {
  await jobs?.stop()
  jobs = undefined
})
afterAll(() => bank.close())

const run = () => runOn(bank.deps.pool)
const readWaitingJobs = async () =>
  (await bank.deps.pool.query(`SELECT key, task_identifier AS task FROM graphile_worker.jobs ORDER BY key`)).rows

/** Defines a job with any payload and a number of attempts. */
function jobOf(name: string, act: (deps: Deps, payload: unknown) => Promise<void>, maxAttempts?: number) {
  return defineJob({ name, payload: z.unknown(), work: act, ...(maxAttempts === undefined ? {} : { maxAttempts }) })
}

const note = jobOf('note', async () => undefined)

/** Starts a worker whose jobs record their payloads. */
async function startWork(...more: RunnableJob[]) {
  const donePayloads: unknown[] = []
  jobs = await startJobs(bank.deps, [jobOf('note', async (_deps, payload) => void donePayloads.push(payload)), ...more])
  return donePayloads
}

test('the serving role runs jobs, and cannot change the tables of jobs', async () => {
  const donePayloads = await startWork()
  await enqueue(bank.deps.db, note, { hello: 'there' })
  await expect.poll(() => donePayloads).toEqual([{ hello: 'there' }])
  await expect.poll(readWaitingJobs).toEqual([])
  const { pool } = bank.deps
  expect((await pool.query('SELECT current_user')).rows).toEqual([{ current_user: servingRole(testContext('secret')) }])
  await expect(pool.query('ALTER TABLE graphile_worker._private_jobs ADD COLUMN more int')).rejects.toThrow(
    'must be owner',
  )
  await expect(pool.query('INSERT INTO graphile_worker.migrations (id) VALUES (999)')).rejects.toThrow(
    'permission denied',
  )
})

test('a job exists when its transaction is committed, and not after a rollback', async () => {
  const donePayloads = await startWork()
  const { db } = bank.deps
  await expect(
    inTransaction(db, async (trx) => {
      await enqueue(trx, note, 'rolled back')
      throw new Error('on second thoughts')
    }),
  ).rejects.toThrow('on second thoughts')
  await inTransaction(db, (trx) => enqueue(trx, note, 'committed'))
  await expect.poll(() => donePayloads).toEqual(['committed'])
})

test('business time is converted to real time, and moving the clock forward moves the job', async () => {
  const { deps } = bank
  const donePayloads = await startWork()
  const runAt = new Date(deps.clock.businessNow().getTime() + 48 * HOUR)
  await enqueue(bank.deps.db, note, 'in two days', { at: runAt, key: 'later' })
  const { rows } = await deps.pool.query(`SELECT run_at FROM graphile_worker.jobs WHERE key = 'later'`)
  expect(Math.abs(rows[0].run_at.getTime() - Date.now() - 48 * HOUR)).toBeLessThan(5_000)

  await deps.clock.advance(47 * HOUR)
  await bringJobsForward(bank.deps.db, 47 * HOUR)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(donePayloads).toEqual([])
  await deps.clock.advance(HOUR)
  await bringJobsForward(bank.deps.db, HOUR)
  await expect.poll(() => donePayloads).toEqual(['in two days'])
})

/** Opens a SQL transaction that stays open until the test ends it. */
async function openTransaction() {
  const trx = await bank.deps.db.startTransaction().execute()
  return { trx, commit: () => trx.commit().execute() }
}

/** Returns the difference between the planned and the actual time of a job, in milliseconds of business time. */
async function missedByMs(key: string, runAt: Date): Promise<number> {
  await bank.deps.clock.refresh()
  const { rows } = await bank.deps.pool.query('SELECT run_at FROM graphile_worker.jobs WHERE key = $1', [key])
  const offsetMs = bank.deps.clock.businessNow().getTime() - bank.deps.clock.realNow().getTime()
  return Math.abs(rows[0].run_at.getTime() + offsetMs - runAt.getTime())
}

test('a job that is added while the clock is moved forward is due on the new date', async () => {
  const { clock } = bank.deps
  const runAt = new Date(clock.businessNow().getTime() + 48 * HOUR)
  const advance = await openTransaction()
  await clock.advance(24 * HOUR, advance.trx)
  const added = inTransaction(bank.deps.db, (trx) => enqueue(trx, note, 1, { at: runAt, key: 'during' }))
  await new Promise((resolve) => setTimeout(resolve, 50))
  await bringJobsForward(advance.trx, 24 * HOUR)
  await advance.commit()
  await added
  expect(await missedByMs('during', runAt)).toBeLessThan(1_000)
  await dequeue(bank.deps.db, 'during')
})

test('a job that is not yet committed when the clock is moved forward is moved, too', async () => {
  const { clock, db } = bank.deps
  const runAt = new Date(clock.businessNow().getTime() + 48 * HOUR)
  const adding = await openTransaction()
  await enqueue(adding.trx, note, 1, { at: runAt, key: 'before' })
  const advanced = inTransaction(db, async (trx) => {
    await clock.advance(24 * HOUR, trx)
    await bringJobsForward(trx, 24 * HOUR)
  })
  await new Promise((resolve) => setTimeout(resolve, 50))
  await adding.commit()
  await advanced
  expect(await missedByMs('before', runAt)).toBeLessThan(1_000)
  await dequeue(bank.deps.db, 'before')
})

test('work that another server made due is done on its date', async () => {
  const secondServer = await testDeps({ clock: 'database', beside: bank })
  const runTimes: number[] = []
  const timedJob = jobOf('when', async ({ clock }) => void runTimes.push(clock.businessNow().getTime()))
  const secondJobs = await startJobs(secondServer.deps, [timedJob])
  const runAt = new Date(bank.deps.clock.businessNow().getTime() + 24 * HOUR)
  await enqueue(bank.deps.db, timedJob, null, { at: runAt })
  await bank.deps.clock.advance(24 * HOUR)
  await bringJobsForward(bank.deps.db, 24 * HOUR)
  await expect.poll(() => runTimes).toHaveLength(1)
  expect(runTimes[0]).toBeGreaterThanOrEqual(runAt.getTime())
  await secondJobs.stop()
  await secondServer.close()
})

test('a job begins on time, even if no worker polls until then', async () => {
  const startIds: number[] = []
  await startWork(jobOf('on time', async () => void startIds.push(bank.deps.clock.businessNow().getTime())))
  const runAt = new Date(bank.deps.clock.businessNow().getTime() + 2_500)
  await enqueue(
    bank.deps.db,
    jobOf('on time', async () => undefined),
    {},
    { at: runAt },
  )
  await expect.poll(() => startIds).toHaveLength(1)
  expect(startIds[0]).toBeGreaterThanOrEqual(runAt.getTime())
  // The job usually begins within a moment. The ten seconds are a margin for a busy machine.
  expect(startIds[0]).toBeLessThan(runAt.getTime() + 10_000)
})

test('a failed job begins again when its next attempt is due', async () => {
  let tries = 0
  const failingJob = jobOf('fails once', async () => {
    tries += 1
    if (tries === 1) throw new Error('not yet')
  })
  await startWork(failingJob)
  await enqueue(bank.deps.db, failingJob, {})
  await expect.poll(() => tries).toBe(2)
  await expect.poll(readWaitingJobs).toEqual([])
})

test('the jobs of a queue run in succession without a pause', async () => {
  const donePayloads = await startWork()
  const startedAt = performance.now()
  for (const turn of [1, 2, 3, 4, 5, 6]) await enqueue(bank.deps.db, note, turn, { queue: 'in turn' })
  await expect.poll(() => donePayloads).toEqual([1, 2, 3, 4, 5, 6])
  expect(performance.now() - startedAt).toBeLessThan(6_000)
  await expect.poll(readWaitingJobs).toEqual([])
})

test('a past time counts as now', async () => {
  const donePayloads = await startWork()
  await enqueue(bank.deps.db, note, 'yesterday', {
    at: new Date(bank.deps.clock.businessNow().getTime() - 24 * HOUR),
  })
  await expect.poll(() => donePayloads).toEqual(['yesterday'])
})

test('a job replaces a waiting one with the same key, and can be removed', async () => {
  const runAt = new Date(bank.deps.clock.businessNow().getTime() + HOUR)
  await enqueue(bank.deps.db, note, 1, { at: runAt, key: 'same' })
  await enqueue(bank.deps.db, note, 2, { at: runAt, key: 'same' })
  await enqueue(bank.deps.db, note, 3, { at: runAt, key: 'other' })
  expect(await readWaitingJobs()).toEqual([
    { key: 'other', task: 'note' },
    { key: 'same', task: 'note' },
  ])
  await dequeue(bank.deps.db, 'same')
  await dequeue(bank.deps.db, 'other')
  await dequeue(bank.deps.db, 'never was')
  expect(await readWaitingJobs()).toEqual([])
})

test('a failed job is retried in real time, independent of the business clock', async () => {
  let tries = 0
  const shakyJob = jobOf('shaky', async () => {
    tries += 1
    throw new Error('not yet')
  })
  await startWork(shakyJob)
  await enqueue(bank.deps.db, shakyJob, null, { at: bank.deps.clock.businessNow(), key: 'shaky' })
  await expect.poll(() => tries).toBe(1)
  const runAt = async () =>
    (await bank.deps.pool.query(`SELECT run_at, attempts FROM graphile_worker.jobs WHERE key = 'shaky'`)).rows[0]
  await expect.poll(async () => (await runAt())?.run_at > new Date()).toBe(true)
  // The next attempt is far away, so that it does not interfere.
  await bank.deps.pool.query(
    `UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 hour' WHERE key = 'shaky'`,
  )
  const before = await runAt()
  await bringJobsForward(bank.deps.db, 24 * HOUR)
  expect(await runAt()).toEqual(before)
  await dequeue(bank.deps.db, 'shaky')
})

test('a worker whose connections are lost continues', async () => {
  const donePayloads = await startWork()
  await bank.deps.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'alder-jobs' AND datname = current_database()`,
  )
  await enqueue(bank.deps.db, note, 'after all')
  await expect.poll(() => donePayloads).toEqual(['after all'])
})

const locked = async () =>
  (await bank.deps.pool.query(`SELECT task_identifier AS task FROM graphile_worker.jobs WHERE locked_at IS NOT NULL`))
    .rows

const beginLongAgo = () =>
  bank.deps.pool.query(`UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '1 minute'
                           WHERE locked_at IS NOT NULL`)

test('the jobs of a dead worker are soon run again, and so is its queue', async () => {
  const { db, pool } = bank.deps
  const queue = 'shared'
  await enqueue(db, note, 'begun', { queue })
  await enqueue(db, note, 'behind it', { queue })
  const deadLock = `locked_by = 'dead', locked_at = now() - interval '1 minute'`
  await pool.query(`UPDATE graphile_worker._private_jobs SET ${deadLock}, attempts = 1
                     WHERE id = (SELECT min(id) FROM graphile_worker._private_jobs)`)
  await pool.query(`UPDATE graphile_worker._private_job_queues SET ${deadLock} WHERE queue_name = $1`, [queue])
  const donePayloads = await startWork()
  await expect.poll(() => donePayloads).toEqual(['begun', 'behind it'])
  await expect.poll(readWaitingJobs).toEqual([])
})

test('a recurring job whose worker died does not count as failed', async () => {
  const { db, pool } = bank.deps
  await enqueue(db, { ...note, maxAttempts: 1 }, 'begun')
  await pool.query(`UPDATE graphile_worker._private_jobs
                       SET locked_by = 'dead', locked_at = now() - interval '1 minute', attempts = 1`)
  await releaseJobsOfTheDead(bank.deps)
  expect(await failedJobs(run(), 10)).toEqual([])
})

test('a job whose worker died is run again, even if the next job with its key replaced it', async () => {
  const { db, pool } = bank.deps
  await enqueue(db, note, 'begun', { key: 'one' })
  await pool.query(`UPDATE graphile_worker._private_jobs
                       SET locked_by = 'dead', locked_at = now() - interval '1 minute', attempts = 1`)
  await enqueue(db, note, 'the next', { key: 'one' })
  await releaseJobsOfTheDead(bank.deps)
  expect(await failedJobs(run(), 10)).toEqual([])
  const donePayloads = await startWork()
  await expect.poll(() => new Set(donePayloads)).toEqual(new Set(['begun', 'the next']))
})

test('a job that ends during the shutdown of its worker is not run again', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let startCount = 0
  const longJob = jobOf('long', async () => {
    startCount += 1
    await released
  })
  await startWork(longJob)
  for (let times = 0; times < 4; times += 1) await enqueue(bank.deps.db, longJob, {})
  await expect.poll(() => startCount).toBe(4)
  const stopPromise = jobs?.stop()
  jobs = undefined
  release()
  await stopPromise
  expect(await readWaitingJobs()).toEqual([])
})

test('the job of a living worker is not run by others, and an interrupted one begins again', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let startCount = 0
  const longJob = jobOf('long', async () => {
    startCount += 1
    if (startCount === 1) await released
  })
  await startWork(longJob)
  await enqueue(bank.deps.db, longJob, {})
  await expect.poll(() => startCount).toBe(1)
  await beginLongAgo()
  await releaseJobsOfTheDead(bank.deps)
  expect(await locked()).toEqual([{ task: 'long' }])
  await bank.deps.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'alder-jobs' AND datname = current_database()`,
  )
  await expect.poll(() => releaseJobsOfTheDead(bank.deps).then(locked)).toEqual([])
  release()
  await enqueue(bank.deps.db, longJob, {})
  await expect.poll(() => startCount).toBeGreaterThan(1)
  await expect.poll(readWaitingJobs).toEqual([])
})

test('a job that has failed permanently is listed with its error, counts as late, and can be retried or dropped', async () => {
  let isWorking = false
  const donePayloads: unknown[] = []
  const hopelessJob = jobOf(
    'hopeless',
    async (_deps, payload) => {
      if (!isWorking) throw new Error('no way')
      donePayloads.push(payload)
    },
    1,
  )
  await startWork(hopelessJob)
  await enqueue(bank.deps.db, hopelessJob, 1)
  await enqueue(bank.deps.db, hopelessJob, 2)
  await expect.poll(() => failedJobs(run(), 10)).toHaveLength(2)
  const failures = await failedJobs(run(), 10)
  expect(failures[0]).toMatchObject({ name: 'hopeless', attempts: 1, error: expect.stringContaining('no way') })
  expect(await lateJobs(bank.deps.db, [], new Date())).toEqual(['jobs failed'])
  isWorking = true
  const [first, second] = failures.map(({ id }) => id)
  expect(await retryFailedJobs(run(), [first ?? ''])).toBe(1)
  await expect.poll(() => donePayloads).toHaveLength(1)
  expect(await dropFailedJobs(run(), [second ?? '', '999999999'])).toBe(1)
  expect(await failedJobs(run(), 10)).toEqual([])
  expect(await lateJobs(bank.deps.db, [], new Date())).toEqual([])
})

test('a payload that does not match its schema is refused without running the job', async () => {
  const payloads: unknown[] = []
  const strictJob = defineJob({
    name: 'strict',
    payload: z.object({ id: z.uuid() }),
    maxAttempts: 1,
    work: async (_deps, payload) => void payloads.push(payload),
  })
  await startWork(strictJob)
  await run()(`SELECT graphile_worker.add_job('strict', '{"id": "x"}', max_attempts => 1)`)
  await expect.poll(() => failedJobs(run(), 10)).toHaveLength(1)
  expect(payloads).toEqual([])
  await dropFailedJobs(
    run(),
    (await failedJobs(run(), 10)).map(({ id }) => id),
  )
})

test('a recurring job is late after three missed runs', async () => {
  const every5 = defineRecurringJob({ name: 'every 5', everyMinutes: 5, work: async () => undefined })
  const start = bank.deps.clock.realNow()
  const minutesLater = (minutes: number) => new Date(start.getTime() + minutes * 60_000)
  await expectRuns(bank.deps.db, [every5], start)
  expect(await lateJobs(bank.deps.db, [every5], minutesLater(14))).toEqual([])
  expect(await lateJobs(bank.deps.db, [every5], minutesLater(16))).toEqual(['every 5'])
  await recordSuccess(bank.deps.db, every5, minutesLater(15))
  await expectRuns(bank.deps.db, [every5], minutesLater(15))
  expect(await lateJobs(bank.deps.db, [every5], minutesLater(29))).toEqual([])
  expect(await lateJobs(bank.deps.db, [every5], minutesLater(31))).toEqual(['every 5'])
  expect(() => defineRecurringJob({ name: 'x', everyMinutes: 7, work: async () => undefined })).toThrow(RangeError)
})

test('a recurring job that is enqueued runs, and its success is recorded', async () => {
  let runs = 0
  const frequentJob = defineRecurringJob({ name: 'often', everyMinutes: 1, work: async () => void (runs += 1) })
  await startWork(frequentJob)
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
  await startWork(job)
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
  expect(await lateJobs(bank.deps.db, [job], new Date())).toEqual([])
  runAt = new Date()
  await add()
  await expect.poll(() => runs).toBe(2)
  await expect.poll(() => failedJobs(run(), 10)).toEqual([])
})
