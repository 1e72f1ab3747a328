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
let done: string[]

beforeEach(async () => {
  bank = await testDeps({ clock: 'database' })
  done = []
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

const note = (what: string) => async (deps: Deps) => void done.push(`${what} ${dateOf(deps)}`)

const planned = defineJob({
  name: 'planned',
  payload: z.object({ what: z.string() }),
  work: (deps: Deps, { what }) => note(what)(deps),
})
// This job is never due in a round, which may happen during a test. A walk does not call `isDue`.
const daily = defineRecurringJob({
  name: 'daily',
  everyMinutes: 60,
  byDate: true,
  isDue: async () => false,
  work: note('daily'),
})
const never = defineRecurringJob({ name: 'purge', everyMinutes: 60, isDue: async () => false, work: note('purge') })

const work = async () => {
  jobs = await startJobs(bank.deps, [planned, daily, never])
}
const move = (ms: number) => inTransaction(bank.deps.db, (trx) => moveDate(trx, bank.deps, () => ms))
const plan = (what: string, inMs: number) =>
  enqueue(bank.deps.db, planned, { what }, { at: new Date(bank.deps.clock.businessNow().getTime() + inMs) })

test('the work of a day is done as of that day, and before the work of the next', async () => {
  await plan('third', 3 * DAY)
  await plan('first', 5 * HOUR)
  await plan('second', 2 * DAY)
  await plan('much later', 9 * DAY)
  const endMs = Date.parse('2026-08-31T23:59:40Z')
  await plan('last minute', endMs - bank.deps.clock.businessNow().getTime())
  await work()
  await move(4 * DAY)
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect(dateOf(bank.deps)).toBe('2026-09-01')
  expect([...new Set(done)]).toEqual([
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
  const stuck = defineJob({ name: 'stuck', payload: z.object({}), work: () => gate.promise })
  await enqueue(bank.deps.db, stuck, {}, { at: new Date(bank.deps.clock.businessNow().getTime() + 2 * DAY) })
  jobs = await startJobs(bank.deps, [planned, daily, stuck])
  await move(4 * DAY)
  await expect.poll(() => done.at(-1)).toBe('daily 2026-08-30')
  expect(await behindMs()).toBeGreaterThan(DAY)
  const stopped = jobs.stop()
  gate.resolve()
  await stopped
  await work()
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect([...new Set(done)].at(-1)).toBe('daily 2026-09-01')
})

test('days without a running server are processed one by one at the next start', async () => {
  await plan('meanwhile', -2 * DAY)
  await bank.deps.db
    .insertInto('bank.job_run')
    .values({ name: 'daily', expected_since: new Date(0), succeeded_at: new Date(Date.now() - 3 * DAY) })
    .execute()
  await work()
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect([...new Set(done)]).toEqual([
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
  const fails = async () => {
    if ((times += 1) < 3) throw new Error('a lock that is held for a moment')
    await note('failed twice')(bank.deps)
  }
  const flaky = defineJob({ name: 'flaky', payload: z.object({}), work: fails })
  let swept = 0
  const sweeps = defineRecurringJob({
    name: 'sweeps',
    everyMinutes: 60,
    byDate: true,
    work: async (deps: Deps) => {
      if (dateOf(deps) === '2026-08-30' && (swept += 1) === 1) throw new Error('a lock that is held for a moment')
      await note('swept')(deps)
    },
  })
  await enqueue(bank.deps.db, flaky, {}, { at: new Date(bank.deps.clock.businessNow().getTime() + DAY) })
  jobs = await startJobs(bank.deps, [flaky, sweeps])
  await move(3 * DAY)
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect([...new Set(done)]).toEqual([
    'swept 2026-08-28',
    'swept 2026-08-29',
    'failed twice 2026-08-29',
    'swept 2026-08-30',
    'swept 2026-08-31',
  ])
})

test('a permanent failure delays the date by a few attempts at most', async () => {
  const hopeless = defineJob({ name: 'hopeless', payload: z.object({}), work: () => Promise.reject(new Error('no')) })
  await enqueue(bank.deps.db, hopeless, {}, { at: new Date(bank.deps.clock.businessNow().getTime() + DAY) })
  jobs = await startJobs(bank.deps, [hopeless, daily])
  await move(3 * DAY)
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect([...new Set(done)].at(-1)).toBe('daily 2026-08-31')
})

test('a walker ends if another server has continued', async () => {
  const gate = Promise.withResolvers<void>()
  const stuck = defineJob({ name: 'stuck', payload: z.object({}), work: () => gate.promise })
  await enqueue(bank.deps.db, stuck, {}, { at: new Date(bank.deps.clock.businessNow().getTime() + DAY) })
  jobs = await startJobs(bank.deps, [daily, stuck])
  await move(4 * DAY)
  await expect.poll(() => done.at(-1)).toBe('daily 2026-08-29')
  const goneOn = new Date('2026-08-31T23:59:59Z')
  await bank.deps.db.updateTable('bank.clock_move').set({ stands_at: goneOn }).execute()
  gate.resolve()
  const walks = () => runOn(bank.deps.pool)(`SELECT FROM graphile_worker.jobs WHERE key = 'platform.walk_date'`)
  await expect.poll(async () => (await walks()).rows).toEqual([])
  await bank.deps.clock.refresh()
  expect(bank.deps.clock.businessNow()).toEqual(goneOn)
})

test('a server that slept processes the days that it slept through, even if a job has run since', async () => {
  const slept = new Date(Date.now() - 3 * DAY)
  const rows = [
    { name: 'daily', expected_since: new Date(0), succeeded_at: slept },
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
  const beside = await testDeps({ clock: 'database', beside: bank })
  const both = await Promise.all([startJobs(bank.deps, [planned, daily]), startJobs(beside.deps, [planned, daily])])
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  done = []
  const third = await testDeps({ clock: 'database', beside: bank })
  const late = await startJobs(third.deps, [planned, daily])
  expect(third.deps.clock.movingTo()).toBeNull()
  expect(dateOf(third.deps)).toBe('2026-08-28')
  expect(done).toEqual([])
  await Promise.all([...both, late].map((walk) => walk.stop()))
  await Promise.all([beside.close(), third.close()])
}, 120_000)

test('the date stops while a day is processed, for any duration', async () => {
  const slow = defineRecurringJob({
    name: 'slow',
    everyMinutes: 60,
    byDate: true,
    work: async (deps) => {
      const startDate = dateOf(deps)
      // The day's last stop is one second before midnight, so this work ends after midnight.
      if (startDate === '2026-08-29') await new Promise((resolve) => setTimeout(resolve, 1_500))
      done.push(`${startDate} to ${dateOf(deps)}`)
    },
  })
  jobs = await startJobs(bank.deps, [planned, slow, daily])
  await plan('the next morning', Date.parse('2026-08-30T00:00:01Z') - bank.deps.clock.businessNow().getTime())
  await move(3 * DAY)
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect([...new Set(done)].filter((what) => what.includes('29') || what.includes('30'))).toEqual([
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
  await work()
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect([...new Set(done)].slice(0, 3)).toEqual(['that day 2026-08-29', 'daily 2026-08-29', 'daily 2026-08-30'])
})

test('a walk that was given up continues with the next start', async () => {
  await move(3 * DAY)
  await bank.deps.pool.query('UPDATE graphile_worker._private_jobs SET attempts = max_attempts')
  await work()
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  expect(done.at(-1)).toBe('daily 2026-08-31')
})

test('a job that cannot begin, or hangs, delays the date at most once', async () => {
  const gate = Promise.withResolvers<void>()
  const hangs = defineJob({ name: 'hangs', payload: z.object({}), apart: true, work: () => gate.promise })
  const unknown = defineJob({ name: 'of another version', payload: z.object({}), work: () => gate.promise })
  for (const job of [hangs, hangs, unknown])
    await enqueue(bank.deps.db, job, {}, { at: new Date(bank.deps.clock.businessNow().getTime() + DAY) })
  jobs = await startJobs(bank.deps, [planned, daily, hangs])
  await move(30 * DAY)
  expect(await hasCaughtUp(bank.deps, WALK_MS)).toBe(true)
  gate.resolve()
}, 120_000)

describe('while the date moves', () => {
  const startMs = () => Date.parse('2026-08-28T09:41:00Z')

  test('a request to a server waits, and is recorded as of the final date, and running requests are completed first', async () => {
    await work()
    const { dates, clock } = bank.deps
    const before = dates.pass(async () => {
      const from = clock.businessNow()
      await new Promise((resolve) => setTimeout(resolve, 800))
      return [from, clock.businessNow()]
    }, 10_000)
    await move(20 * DAY)
    await expect.poll(() => clock.movingTo()).not.toBeNull()
    const after = await dates.pass(async () => clock.businessNow(), WALK_MS)
    expect((await before).map((at) => at.toISOString().slice(0, 10))).toEqual(['2026-08-28', '2026-08-28'])
    expect(after.getTime()).toBeGreaterThanOrEqual(startMs() + 20 * DAY)
    expect(done.at(-1)).toBe('daily 2026-09-17')
  })

  test('a request to another server is never recorded as of a day in between', async () => {
    await work()
    const beside = await testDeps({ clock: 'database', beside: bank })
    const there = await startJobs(beside.deps, [planned, daily])
    const seen: number[] = []
    const checks = (async () => {
      const until = Date.now() + WALK_MS
      while (Date.now() < until && (seen.at(-1) ?? 0) < startMs() + 20 * DAY) {
        await beside.deps.dates.pass(async () => seen.push(beside.deps.clock.businessNow().getTime()), WALK_MS)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })()
    await move(20 * DAY)
    await checks
    expect(seen.filter((ms) => ms > startMs() + DAY && ms < startMs() + 20 * DAY)).toEqual([])
    expect(seen.at(-1)).toBeGreaterThanOrEqual(startMs() + 20 * DAY)
    await there.stop()
    await beside.close()
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
  for (let at = new Date('2026-04-22T20:00:00Z'); stops.length < 6; at = new Date(nextStopOfDay(at)))
    stops.push(isoAt(at).slice(0, 19))
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
  await work()
  expect(await behindMs()).toBe(0)
  await jobs?.stop()
  await bank.deps.db
    .updateTable('bank.job_run')
    .set({ succeeded_at: new Date(Date.now() - 2 * HOUR) })
    .execute()
  await work()
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
