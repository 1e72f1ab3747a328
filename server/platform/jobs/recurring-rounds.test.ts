import { EventEmitter } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { WorkerEvents } from 'graphile-worker'
import type { Deps } from '#server/platform/deps.ts'
import { expectRuns, lateJobs, recordSuccess, ROUND } from '#server/platform/jobs/health.ts'
import { defineRecurringJob, type RecurringJob } from '#server/platform/jobs/job.ts'
import { makeRound, openRounds } from '#server/platform/jobs/recurring-rounds.ts'
import { type TestClock, testClock, testDeps, type TestDeps } from '#server/test/bank.ts'

const MINUTE = 60_000
/** A full hour, at which all jobs have their turn. */
const START = new Date('2026-08-28T10:00:00.000Z')

let bank: TestDeps
let clock: TestClock
let deps: Deps

beforeAll(async () => {
  clock = testClock(START)
  bank = await testDeps({ clock })
  deps = bank.deps
})
afterAll(() => bank.close())
beforeEach(async () => {
  clock.set(START)
  await deps.pool.query('DELETE FROM graphile_worker._private_jobs')
  await deps.pool.query('UPDATE bank.job_run SET succeeded_at = NULL, due_since = NULL, expected_since = $1', [START])
  await expectRuns(deps.db, [ROUND, ...JOBS], START)
})
afterEach(() => void vi.useRealTimers())

const minutesLater = (minutes: number) => new Date(START.getTime() + minutes * MINUTE)

/** The jobs that have work to do. */
const dueNames = new Set<string>()
const checkedJobs: string[] = []
const jobOf = (name: string, everyMinutes: number, isDue?: RecurringJob['isDue']) =>
  defineRecurringJob({ name, everyMinutes, work: async () => undefined, ...(isDue ? { isDue } : {}) })
const jobThat = (name: string, everyMinutes: number) =>
  jobOf(name, everyMinutes, async () => {
    checkedJobs.push(name)
    return dueNames.has(name)
  })
const JOBS = [jobThat('every 1', 1), jobThat('every 5', 5), jobOf('not asked', 5)]

/** Returns the jobs that a round at a minute enqueues. */
async function roundAt(minutes: number, jobs = JOBS): Promise<string[]> {
  checkedJobs.length = 0
  clock.set(minutesLater(minutes))
  await deps.pool.query('DELETE FROM graphile_worker._private_jobs')
  await makeRound(deps, jobs)
  return readEnqueued()
}
const readEnqueued = async (): Promise<string[]> =>
  (await deps.pool.query('SELECT key FROM graphile_worker.jobs ORDER BY key')).rows.map(({ key }) => key as string)

test('a job is enqueued in its round if it has work, or cannot determine that', async () => {
  dueNames.clear()
  expect(await roundAt(1)).toEqual([])
  expect(checkedJobs).toEqual(['every 1'])
  dueNames.add('every 1').add('every 5')
  expect(await roundAt(2)).toEqual(['every 1'])
  expect(await roundAt(5)).toEqual(['every 1', 'every 5', 'not asked'])
  dueNames.delete('every 5')
  expect(await roundAt(10)).toEqual(['every 1', 'not asked'])
})

test('a job without work is not late, and an enqueued job that does not run is', async () => {
  dueNames.clear()
  for (let minute = 1; minute <= 20; minute += 1) await roundAt(minute)
  expect(await lateJobs(deps.db, JOBS, minutesLater(20))).toEqual([])
  expect(await lateJobs(deps.db, JOBS, minutesLater(21))).toEqual(['not asked'])
  await recordSuccess(deps.db, { name: 'not asked' }, minutesLater(21))
  expect(await lateJobs(deps.db, JOBS, minutesLater(21))).toEqual([])
})

test('a job is not late any more when it has no work', async () => {
  dueNames.clear()
  dueNames.add('every 1')
  await roundAt(1)
  await roundAt(5)
  expect(await lateJobs(deps.db, JOBS, minutesLater(5))).toEqual(['every 1'])
  dueNames.clear()
  await roundAt(6)
  expect(await lateJobs(deps.db, JOBS, minutesLater(6))).toEqual([])
})

test('without rounds, all jobs become late', async () => {
  dueNames.clear()
  await roundAt(1)
  expect(await lateJobs(deps.db, JOBS, minutesLater(4.5))).toEqual(['every 1'])
  expect(await lateJobs(deps.db, JOBS, minutesLater(17))).toEqual(['every 1', 'every 5', 'not asked'])
})

test('a failed run is removed when no work is left', async () => {
  dueNames.clear()
  dueNames.add('every 1')
  await roundAt(1)
  await deps.pool.query('UPDATE graphile_worker._private_jobs SET attempts = max_attempts')
  dueNames.delete('every 1')
  clock.set(minutesLater(2))
  await makeRound(deps, JOBS)
  expect(await readEnqueued()).toEqual([])
})

test('one of many servers makes the round of a minute', async () => {
  dueNames.clear()
  clock.set(minutesLater(5))
  checkedJobs.length = 0
  await Promise.all(Array.from({ length: 6 }, () => makeRound(deps, JOBS)))
  expect(checkedJobs).toEqual(['every 1', 'every 5'])
})

test('missed rounds are made up for, once', async () => {
  dueNames.clear()
  dueNames.add('every 5')
  expect(await roundAt(4)).toEqual([])
  expect(await roundAt(11)).toEqual(['every 5', 'not asked'])
  expect(await roundAt(12)).toEqual([])
})

test('if the due work cannot be determined, all jobs run', async () => {
  const brokenJob = jobOf('broken', 1, async ({ db }) => {
    await db.selectFrom('bank.customer').where('id', '=', 'no id').execute()
    return false
  })
  await expectRuns(deps.db, [brokenJob], START)
  expect(await roundAt(1, [...JOBS, brokenJob])).toEqual(['broken', 'every 1'])
})

test('a round is made at the beginning of each minute while workers run, and not while they are held', async () => {
  dueNames.clear()
  vi.useFakeTimers({ now: minutesLater(0.5), toFake: ['setTimeout', 'clearTimeout'] })
  const roundTimes: number[] = []
  const job = jobOf('each', 1)
  const setMinutes = (minutes: number) => clock.set(minutesLater(minutes))
  setMinutes(0.5)
  const rounds = openRounds(
    { ...deps, clock: { ...clock, refresh: async () => void roundTimes.push(clock.realNow().getTime()) } },
    [job],
  )
  const events: WorkerEvents = new EventEmitter()
  rounds.follow(events)
  events.emit('pool:create', {} as never)
  const tick = async (minutes: number) => {
    setMinutes(minutes)
    await vi.advanceTimersToNextTimerAsync()
  }
  await tick(1)
  expect(roundTimes).toEqual([minutesLater(1).getTime()])
  // The process was suspended, so the work of the missed days comes first.
  await tick(500)
  expect(roundTimes).toHaveLength(1)
  const { promise, resolve } = Promise.withResolvers<void>()
  rounds.holdFor(promise)
  await tick(501)
  expect(roundTimes).toHaveLength(1)
  resolve()
  await vi.waitFor(() => expect(roundTimes).toHaveLength(2))
  events.emit('pool:gracefulShutdown', {} as never)
  setMinutes(502)
  await vi.advanceTimersByTimeAsync(2 * MINUTE)
  expect(roundTimes).toHaveLength(2)
})
