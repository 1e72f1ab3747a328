import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import { hasCaughtUp, moveDate, nextStopOfDay, resumeAfterOutage } from '#server/platform/jobs/date-walk.ts'
import { defineJob, defineRecurringJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { releaseDueJobs } from '#server/platform/jobs/graphile.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'
import { isoAt, setBankZone } from '#server/platform/time-zone.ts'
import { testDeps, type TestDeps } from '#server/test/bank.ts'
import { runAsOwner } from '#server/test/database.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let bank: TestDeps
let jobs: Jobs | undefined
let doneWork: string[]

beforeEach(async () => {
  bank = await testDeps({ clock: 'database' })
  doneWork = []
})
afterEach(async () => {
  await jobs?.stop()
  jobs = undefined
  await bank.close()
})

/**
 * The longest time of a walk, in milliseconds. It is far longer than any walk here, because work of seconds can take minutes on
 * a busy machine.
 */
const WALK_MS = 100_000

const dateOf = ({ clock }: Pick<Deps, 'clock'>) => clock.businessNow().toISOString().slice(0, 10)

const behindMs = async () => {
  await bank.deps.clock.refresh()
  const { clock } = bank.deps
  return (clock.movingTo() ?? clock.businessNow()).getTime() - clock.businessNow().getTime()
}

const note = (text: string) => async (deps: Deps) => void doneWork.push(`${text} ${dateOf(deps)}`)

const plannedJob = defineJob({
  name: 'planned',
  payload: z.object({ what: z.string() }),
  work: (deps: Deps, { what }) => note(what)(deps),
})
// This job is never due in a round, which may happen during a test. A walk does not call `isDue`.
const dailyJob = defineRecurringJob({
  name: 'daily',
  everyMinutes: 60,
  byDate: true,
  isDue: async () => false,
  work: note('daily'),
})
const purgeJob = defineRecurringJob({ name: 'purge', everyMinutes: 60, isDue: async () => false, work: note('purge') })

const startWork = async () => {
  jobs = await startJobs(bank.deps, [plannedJob, dailyJob, purgeJob])
}
const move = (ms: number) => inTransaction(bank.deps.db, (trx) => moveDate(trx, bank.deps, () => ms))
const plan = (what: string, inMs: number) =>
  enqueue(bank.deps.db, plannedJob, { what }, { at: new Date(bank.deps.clock.businessNow().getTime() + inMs) })

test('the work of a day is done as of that day, and before the work of the next', async () => {
  await plan('third', 3 * DAY)
  await plan('first', 5 * HOUR)
  await plan('second', 2 * DAY)
  await plan('much later', 9 * DAY)
  const endMs = Date.parse('2026-08-31T23:59:40Z')
  await plan('last minute', endMs - bank.deps.clock.businessNow().getTime())
  await startWork()
  await move(4 * DAY)
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect(dateOf(bank.deps)).toBe('2026-09-01')
  expect([...new Set(doneWork)]).toEqual([
    'daily 2026-08-28',
    'first 2026-08-28',
    'daily 2026-08-29',
    'daily 2026-08-30',
    'second 2026-08-30',
    'daily 2026-08-31',
    'third 2026-08-31',
    'last minute 2026-08-31',
    'daily 2026-09-01',
  ])
})

test('an interrupted walk continues where it was, on another server', async () => {
  const gate = Promise.withResolvers<void>()
  const stuckJob = defineJob({ name: 'stuck', payload: z.object({}), work: () => gate.promise })
  await enqueue(bank.deps.db, stuckJob, {}, { at: new Date(bank.deps.clock.businessNow().getTime() + 2 * DAY) })
  jobs = await startJobs(bank.deps, [plannedJob, dailyJob, stuckJob])
  await move(4 * DAY)
  await expect.poll(() => doneWork.at(-1)).toBe('daily 2026-08-30')
  expect(await behindMs()).toBeGreaterThan(DAY)
  const stopPromise = jobs.stop()
  gate.resolve()
  await stopPromise
  await startWork()
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect([...new Set(doneWork)].at(-1)).toBe('daily 2026-09-01')
})

test('days without a running server are processed one by one at the next start', async () => {
  await plan('meanwhile', -2 * DAY)
  await bank.deps.db
    .insertInto('bank.job_run')
    .values({ name: 'daily', expected_since: new Date(0), succeeded_at: new Date(Date.now() - 3 * DAY) })
    .execute()
  await startWork()
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect([...new Set(doneWork)]).toEqual([
    'daily 2026-08-25',
    'daily 2026-08-26',
    'meanwhile 2026-08-26',
    'daily 2026-08-27',
    'daily 2026-08-28',
  ])
  expect(dateOf(bank.deps)).toBe('2026-08-28')
})

test('a failure at a stop is retried there, and not as of a later day', async () => {
  let times = 0
  const failTwice = async () => {
    if ((times += 1) < 3) throw new Error('a lock that is held for a moment')
    await note('failed twice')(bank.deps)
  }
  const flakyJob = defineJob({ name: 'flaky', payload: z.object({}), work: failTwice })
  let sweepCount = 0
  const sweeps = defineRecurringJob({
    name: 'sweeps',
    everyMinutes: 60,
    byDate: true,
    work: async (deps: Deps) => {
      if (dateOf(deps) === '2026-08-30' && (sweepCount += 1) === 1) throw new Error('a lock that is held for a moment')
      await note('swept')(deps)
    },
  })
  await enqueue(bank.deps.db, flakyJob, {}, { at: new Date(bank.deps.clock.businessNow().getTime() + DAY) })
  jobs = await startJobs(bank.deps, [flakyJob, sweeps])
  await move(3 * DAY)
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect([...new Set(doneWork)]).toEqual([
    'swept 2026-08-28',
    'swept 2026-08-29',
    'failed twice 2026-08-29',
    'swept 2026-08-30',
    'swept 2026-08-31',
  ])
})

test('a permanent failure delays the date by a few attempts at most', async () => {
  const hopelessJob = defineJob({
    name: 'hopeless',
    payload: z.object({}),
    work: () => Promise.reject(new Error('no')),
  })
  await enqueue(bank.deps.db, hopelessJob, {}, { at: new Date(bank.deps.clock.businessNow().getTime() + DAY) })
  jobs = await startJobs(bank.deps, [hopelessJob, dailyJob])
  await move(3 * DAY)
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect([...new Set(doneWork)].at(-1)).toBe('daily 2026-08-31')
})

test('a walker ends if another server has continued', async () => {
  const gate = Promise.withResolvers<void>()
  const stuckJob = defineJob({ name: 'stuck', payload: z.object({}), work: () => gate.promise })
  await enqueue(bank.deps.db, stuckJob, {}, { at: new Date(bank.deps.clock.businessNow().getTime() + DAY) })
  jobs = await startJobs(bank.deps, [dailyJob, stuckJob])
  await move(4 * DAY)
  await expect.poll(() => doneWork.at(-1)).toBe('daily 2026-08-29')
  const goneOn = new Date('2026-08-31T23:59:59Z')
  await bank.deps.db.updateTable('bank.clock_move').set({ stands_at: goneOn }).execute()
  gate.resolve()
  const readWalks = () => runOn(bank.deps.pool)(`SELECT FROM graphile_worker.jobs WHERE key = 'platform.walk_date'`)
  await expect.poll(async () => (await readWalks()).rows).toEqual([])
  await bank.deps.clock.refresh()
  expect(bank.deps.clock.businessNow()).toEqual(goneOn)
})

test('a server that slept processes the days that it slept through, even if a job has run since', async () => {
  const lastSuccess = new Date(Date.now() - 3 * DAY)
  const rows = [
    { name: 'daily', expected_since: new Date(0), succeeded_at: lastSuccess },
    { name: 'purge', expected_since: new Date(0), succeeded_at: new Date() },
  ]
  await bank.deps.db.insertInto('bank.job_run').values(rows).execute()
  await resumeAfterOutage(bank.deps, new Date(Date.now() - 2 * DAY))
  expect(await behindMs()).toBeGreaterThan(2 * DAY)
})

test('a second server that starts right after does not process them again', async () => {
  await bank.deps.db
    .insertInto('bank.job_run')
    .values({ name: 'other', expected_since: new Date(0), succeeded_at: new Date(Date.now() - 3 * DAY) })
    .execute()
  const secondServer = await testDeps({ clock: 'database', beside: bank })
  const startedJobs = await Promise.all([
    startJobs(bank.deps, [plannedJob, dailyJob]),
    startJobs(secondServer.deps, [plannedJob, dailyJob]),
  ])
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  doneWork = []
  const thirdServer = await testDeps({ clock: 'database', beside: bank })
  const thirdJobs = await startJobs(thirdServer.deps, [plannedJob, dailyJob])
  expect(thirdServer.deps.clock.movingTo()).toBeNull()
  expect(dateOf(thirdServer.deps)).toBe('2026-08-28')
  expect(doneWork).toEqual([])
  await Promise.all([...startedJobs, thirdJobs].map((walk) => walk.stop()))
  await Promise.all([secondServer.close(), thirdServer.close()])
}, 120_000)

test('the date stops while a day is processed, for any duration', async () => {
  const slowJob = defineRecurringJob({
    name: 'slow',
    everyMinutes: 60,
    byDate: true,
    work: async (deps) => {
      const startDate = dateOf(deps)
      // The day's last stop is one second before midnight, so this work ends after midnight.
      if (startDate === '2026-08-29') await new Promise((resolve) => setTimeout(resolve, 1_500))
      doneWork.push(`${startDate} to ${dateOf(deps)}`)
    },
  })
  jobs = await startJobs(bank.deps, [plannedJob, slowJob, dailyJob])
  await plan('the next morning', Date.parse('2026-08-30T00:00:01Z') - bank.deps.clock.businessNow().getTime())
  await move(3 * DAY)
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect([...new Set(doneWork)].filter((entry) => entry.includes('29') || entry.includes('30'))).toEqual([
    '2026-08-29 to 2026-08-29',
    'daily 2026-08-29',
    'the next morning 2026-08-30',
    '2026-08-30 to 2026-08-30',
    'daily 2026-08-30',
  ])
})

test('the unfinished work of a server killed at a stop is done as of that day', async () => {
  await plan('that day', DAY)
  await move(3 * DAY)
  // The state after a server was killed an hour ago.
  const stop = new Date('2026-08-29T23:59:59Z')
  await inTransaction(bank.deps.db, async (trx) => {
    await trx.updateTable('bank.clock_move').set({ stands_at: stop }).execute()
    await releaseDueJobs(trx, stop)
  })
  await startWork()
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect([...new Set(doneWork)].slice(0, 3)).toEqual(['that day 2026-08-29', 'daily 2026-08-29', 'daily 2026-08-30'])
})

test('a walk that was given up continues with the next start', async () => {
  await move(3 * DAY)
  await bank.deps.pool.query('UPDATE graphile_worker._private_jobs SET attempts = max_attempts')
  await startWork()
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect(doneWork.at(-1)).toBe('daily 2026-08-31')
})

test('a job that cannot begin, or hangs, delays the date at most once', async () => {
  const gate = Promise.withResolvers<void>()
  const hangingJob = defineJob({ name: 'hangs', payload: z.object({}), apart: true, work: () => gate.promise })
  const unknownJob = defineJob({ name: 'of another version', payload: z.object({}), work: () => gate.promise })
  for (const job of [hangingJob, hangingJob, unknownJob])
    await enqueue(bank.deps.db, job, {}, { at: new Date(bank.deps.clock.businessNow().getTime() + DAY) })
  jobs = await startJobs(bank.deps, [plannedJob, dailyJob, hangingJob])
  await move(30 * DAY)
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  gate.resolve()
}, 120_000)

describe('while the date moves', () => {
  const startMs = () => Date.parse('2026-08-28T09:41:00Z')

  test('a request to a server waits, and is recorded as of the final date, and running requests are completed first', async () => {
    await startWork()
    const { dates, clock } = bank.deps
    const before = dates.pass(async () => {
      const from = clock.businessNow()
      await new Promise((resolve) => setTimeout(resolve, 800))
      return [from, clock.businessNow()]
    }, 10_000)
    await move(20 * DAY)
    await expect.poll(() => clock.movingTo()).not.toBeNull()
    const after = await dates.pass(async () => clock.businessNow(), WALK_MS)
    expect((await before).map((date) => date.toISOString().slice(0, 10))).toEqual(['2026-08-28', '2026-08-28'])
    expect(after.getTime()).toBeGreaterThanOrEqual(startMs() + 20 * DAY)
    expect(doneWork.at(-1)).toBe('daily 2026-09-17')
  })

  test('a request to another server is never recorded as of a day in between', async () => {
    await startWork()
    const secondServer = await testDeps({ clock: 'database', beside: bank })
    const secondJobs = await startJobs(secondServer.deps, [plannedJob, dailyJob])
    const passedTimes: number[] = []
    const checks = (async () => {
      const until = Date.now() + WALK_MS
      while (Date.now() < until && (passedTimes.at(-1) ?? 0) < startMs() + 20 * DAY) {
        await secondServer.deps.dates.pass(
          async () => passedTimes.push(secondServer.deps.clock.businessNow().getTime()),
          WALK_MS,
        )
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })()
    await move(20 * DAY)
    await checks
    expect(passedTimes.filter((ms) => ms > startMs() + DAY && ms < startMs() + 20 * DAY)).toEqual([])
    expect(passedTimes.at(-1)).toBeGreaterThanOrEqual(startMs() + 20 * DAY)
    await secondJobs.stop()
    await secondServer.close()
  }, 120_000)

  test('a request that has waited long enough gets a retry response', async () => {
    await move(20 * DAY)
    await bank.deps.clock.refresh()
    await expect(bank.deps.dates.pass(async () => 'done', 100)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

test('a day ends a second before the next begins, even if the clocks skip midnight', () => {
  setBankZone('Africa/Cairo')
  const stops: string[] = []
  for (let moment = new Date('2026-04-22T20:00:00Z'); stops.length < 6; moment = new Date(nextStopOfDay(moment)))
    stops.push(isoAt(moment).slice(0, 19))
  setBankZone('UTC')
  expect(stops).toEqual([
    '2026-04-22T22:00:00',
    '2026-04-22T23:59:59',
    '2026-04-23T01:01:00',
    '2026-04-23T23:59:59',
    // The day begins at one o'clock.
    '2026-04-24T02:01:00',
    '2026-04-24T23:59:59',
  ])
})

test('a pause within a day, or before the first job of a day, moves nothing', async () => {
  await startWork()
  expect(await behindMs()).toBe(0)
  await jobs?.stop()
  await bank.deps.db
    .updateTable('bank.job_run')
    .set({ succeeded_at: new Date(Date.now() - 2 * HOUR) })
    .execute()
  await startWork()
  expect(await behindMs()).toBe(0)
})

test('the date of a live bank cannot be moved forward', async () => {
  const live = await testDeps({ config: { mode: 'live' }, clock: 'database' })
  await runAsOwner(live.database.ownerUrl, `UPDATE bank.database SET mode = 'live'`)
  await expect(inTransaction(live.deps.db, (trx) => moveDate(trx, live.deps, () => DAY))).rejects.toThrow(
    'not put forward',
  )
  await live.close()
})
