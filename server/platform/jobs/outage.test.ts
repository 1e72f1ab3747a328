import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readDate } from '#server/platform/clock.ts'
import { resumeAfterOutage } from '#server/platform/jobs/date-walk.ts'
import { expectRuns, lateJobs, recordSuccess, ROUND } from '#server/platform/jobs/health.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { makeRound } from '#server/platform/jobs/recurring-rounds.ts'
import { testClock, testDeps, type TestDeps } from '#server/test/bank.ts'

// A quiet bank: one job has had no work for three days, and one has work each hour.
const START = new Date('2026-08-25T09:00:00.000Z')
const MINUTE_MS = 60_000
let now = START
let bank: TestDeps
const deps = () => ({
  ...bank.deps,
  clock: { ...bank.deps.clock, realNow: () => now, refresh: async () => undefined },
})
const idleJob = defineRecurringJob({
  name: 'idle',
  everyMinutes: 5,
  isDue: async () => false,
  work: async () => undefined,
})
const busyJob = defineRecurringJob({ name: 'busy', everyMinutes: 60, work: async () => undefined })

beforeAll(async () => {
  bank = await testDeps({ clock: testClock(START) })
})
afterAll(() => bank.close())
beforeEach(async () => {
  await bank.deps.pool.query('UPDATE bank.job_run SET succeeded_at = NULL, due_since = NULL, expected_since = $1', [
    START,
  ])
  await bank.deps.pool.query('UPDATE bank.clock_move SET stands_at = NULL')
  now = START
  await expectRuns(bank.deps.db, [ROUND, idleJob, busyJob], START)
  await recordSuccess(bank.deps.db, idleJob, START)
})

/** Makes the rounds and does the due work, as the first server would. */
async function serveUntil(until: string, stepMinutes = 30): Promise<void> {
  for (; now < new Date(until); now = new Date(now.getTime() + stepMinutes * MINUTE_MS)) await serve()
}
async function serve(): Promise<void> {
  await makeRound(deps(), [idleJob, busyJob])
  if (now.getUTCMinutes() === 0) await recordSuccess(bank.deps.db, busyJob, now)
}
const standsAt = async () => (await readDate(bank.deps.db)).standsAt

test.each(['2026-08-28T00:05:00Z', '2026-08-27T23:55:00Z'])(
  'the date does not go back for a server that slept from %s on while another served',
  async (asleepSince) => {
    await serveUntil('2026-08-28T02:00:00Z')
    await resumeAfterOutage(deps(), new Date(asleepSince))
    expect(await standsAt()).toBeNull()
  },
)

test('the date does not go back for a server that was suspended for a whole hour', async () => {
  await serveUntil('2026-08-28T11:00:00Z')
  for (const moment of ['2026-08-28T10:59:00Z', '2026-08-28T11:00:00Z']) {
    now = new Date(moment)
    await serve()
  }
  now = new Date('2026-08-28T11:00:55Z')
  await resumeAfterOutage(deps(), new Date('2026-08-28T10:59:25Z'))
  expect(await standsAt()).toBeNull()
})

test('the date does not go back after a run on a machine whose clock was hours ahead', async () => {
  await serveUntil('2026-08-27T22:00:00Z')
  now = new Date('2026-08-28T05:00:00Z')
  await serveUntil('2026-08-28T06:00:00Z')
  now = new Date('2026-08-28T00:10:00Z')
  await resumeAfterOutage(deps())
  expect(await standsAt()).toBeNull()
  // The recurring jobs follow the right clock.
  await bank.deps.pool.query('DELETE FROM graphile_worker._private_jobs')
  now = new Date('2026-08-28T01:00:00Z')
  await makeRound(deps(), [idleJob, busyJob])
  const { rows } = await bank.deps.pool.query('SELECT key FROM graphile_worker.jobs')
  expect(rows).toEqual([{ key: 'busy' }])
  expect(await lateJobs(bank.deps.db, [idleJob, busyJob], now)).toEqual([])
})

test('if all servers slept, the date goes back to the last time a server ran', async () => {
  await serveUntil('2026-08-27T22:00:00Z')
  now = new Date('2026-08-28T02:00:00Z')
  await resumeAfterOutage(deps(), new Date('2026-08-27T21:30:30Z'))
  const stands = await standsAt()
  expect(stands && stands.toISOString() < '2026-08-28').toBe(true)
})
