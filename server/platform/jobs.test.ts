import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import { dequeue, enqueue, type Jobs, rescheduleAfterAdvance, startJobs, type Tasks } from '#server/platform/jobs.ts'
import { testDeps, type TestDeps } from '#server/test/bank.ts'

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

/** A worker whose tasks note what they were given. */
async function work(more: Tasks = {}) {
  const done: unknown[] = []
  jobs = await startJobs(opened.deps, { note: async (_bank, payload) => void done.push(payload), ...more })
  return done
}

test('the serving role does jobs, and cannot change the tables they are kept in', async () => {
  const done = await work()
  await enqueue(run(), 'note', { hello: 'there' })
  await expect.poll(() => done, { timeout: 5_000 }).toEqual([{ hello: 'there' }])
  await expect.poll(waiting).toEqual([])
  const { pool } = opened.deps
  expect((await pool.query('SELECT current_user')).rows).toEqual([{ current_user: 'alder_app' }])
  await expect(pool.query('ALTER TABLE graphile_worker._private_jobs ADD COLUMN more int')).rejects.toThrow(
    'must be owner',
  )
  await expect(pool.query('INSERT INTO graphile_worker.migrations (id) VALUES (999)')).rejects.toThrow(
    'permission denied',
  )
})

test('a job is there once its cause is committed, and not when that is rolled back', async () => {
  const done = await work()
  const { db } = opened.deps
  await expect(
    inTransaction(db, async (_trx, within) => {
      await enqueue(within, 'note', 'rolled back')
      throw new Error('on second thoughts')
    }),
  ).rejects.toThrow('on second thoughts')
  await inTransaction(db, (_trx, within) => enqueue(within, 'note', 'committed'))
  await expect.poll(() => done, { timeout: 5_000 }).toEqual(['committed'])
})

test('business time becomes real time, and putting the clock forward brings the job along', async () => {
  const { deps } = opened
  const done = await work()
  const at = new Date(deps.clock.businessNow().getTime() + 48 * HOUR)
  await enqueue(run(), 'note', 'in two days', { at, key: 'later' })
  const { rows } = await deps.pool.query(`SELECT run_at FROM graphile_worker.jobs WHERE key = 'later'`)
  expect(Math.abs(rows[0].run_at.getTime() - Date.now() - 48 * HOUR)).toBeLessThan(5_000)

  await deps.clock.advance(47 * HOUR)
  await rescheduleAfterAdvance(run(), 47 * HOUR)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(done).toEqual([])
  await deps.clock.advance(HOUR)
  await rescheduleAfterAdvance(run(), HOUR)
  await expect.poll(() => done, { timeout: 5_000 }).toEqual(['in two days'])
})

/** A SQL transaction that stays open until the test says otherwise. */
async function openTransaction() {
  const client = await opened.deps.pool.connect()
  await client.query('BEGIN')
  return {
    run: runOn(client),
    commit: async () => {
      await client.query('COMMIT')
      client.release()
    },
  }
}

/** How far from the moment it was enqueued for a job will be done, in milliseconds of business time. */
async function missedByMs(key: string, at: Date): Promise<number> {
  await opened.deps.clock.refresh()
  const { rows } = await opened.deps.pool.query('SELECT run_at FROM graphile_worker.jobs WHERE key = $1', [key])
  const offsetMs = opened.deps.clock.businessNow().getTime() - opened.deps.clock.realNow().getTime()
  return Math.abs(rows[0].run_at.getTime() + offsetMs - at.getTime())
}

test('a job that is added while the clock is put forward is due on the new date', async () => {
  const { clock } = opened.deps
  const at = new Date(clock.businessNow().getTime() + 48 * HOUR)
  const advance = await openTransaction()
  await clock.advance(24 * HOUR, advance.run)
  const added = inTransaction(opened.deps.db, (_trx, within) => enqueue(within, 'note', 1, { at, key: 'during' }))
  await new Promise((resolve) => setTimeout(resolve, 50))
  await rescheduleAfterAdvance(advance.run, 24 * HOUR)
  await advance.commit()
  await added
  expect(await missedByMs('during', at)).toBeLessThan(1_000)
  await dequeue(run(), 'during')
})

test('a job that is not yet committed when the clock is put forward comes along', async () => {
  const { clock, db } = opened.deps
  const at = new Date(clock.businessNow().getTime() + 48 * HOUR)
  const adding = await openTransaction()
  await enqueue(adding.run, 'note', 1, { at, key: 'before' })
  const advanced = inTransaction(db, async (_trx, within) => {
    await clock.advance(24 * HOUR, within)
    await rescheduleAfterAdvance(within, 24 * HOUR)
  })
  await new Promise((resolve) => setTimeout(resolve, 50))
  await adding.commit()
  await advanced
  expect(await missedByMs('before', at)).toBeLessThan(1_000)
  await dequeue(run(), 'before')
})

test('what another server made due is done on the date it set', async () => {
  const beside = await testDeps({ clock: 'database', beside: opened })
  const done: number[] = []
  const there = await startJobs(beside.deps, {
    when: async ({ clock }) => void done.push(clock.businessNow().getTime()),
  })
  const at = new Date(opened.deps.clock.businessNow().getTime() + 24 * HOUR)
  await enqueue(run(), 'when', null, { at })
  await opened.deps.clock.advance(24 * HOUR)
  await rescheduleAfterAdvance(run(), 24 * HOUR)
  await expect.poll(() => done, { timeout: 5_000 }).toHaveLength(1)
  expect(done[0]).toBeGreaterThanOrEqual(at.getTime())
  await there.stop()
  await beside.close()
})

test('a moment that has passed is now', async () => {
  const done = await work()
  await enqueue(run(), 'note', 'yesterday', { at: new Date(opened.deps.clock.businessNow().getTime() - 24 * HOUR) })
  await expect.poll(() => done, { timeout: 5_000 }).toEqual(['yesterday'])
})

test('a job of the same key takes the place of the one that waits, and can be taken back', async () => {
  const at = new Date(opened.deps.clock.businessNow().getTime() + HOUR)
  await enqueue(run(), 'note', 1, { at, key: 'same' })
  await enqueue(run(), 'note', 2, { at, key: 'same' })
  await enqueue(run(), 'note', 3, { at, key: 'other' })
  expect(await waiting()).toEqual([
    { key: 'other', task: 'note' },
    { key: 'same', task: 'note' },
  ])
  await dequeue(run(), 'same')
  await dequeue(run(), 'other')
  await dequeue(run(), 'never was')
  expect(await waiting()).toEqual([])
})

test('a job that fails is tried again, in real time, whatever the business clock does', async () => {
  let tries = 0
  await work({
    shaky: async () => {
      tries += 1
      throw new Error('not yet')
    },
  })
  await enqueue(run(), 'shaky', null, { at: opened.deps.clock.businessNow(), key: 'shaky' })
  await expect.poll(() => tries, { timeout: 5_000 }).toBe(1)
  const runAt = async () =>
    (await opened.deps.pool.query(`SELECT run_at, attempts FROM graphile_worker.jobs WHERE key = 'shaky'`)).rows[0]
  await expect.poll(async () => (await runAt())?.run_at > new Date()).toBe(true)
  const before = await runAt()
  await rescheduleAfterAdvance(run(), 24 * HOUR)
  expect(await runAt()).toEqual(before)
  await dequeue(run(), 'shaky')
})

test('a worker whose connections are cut goes on', async () => {
  const done = await work()
  await opened.deps.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'alder-jobs' AND datname = current_database()`,
  )
  await enqueue(run(), 'note', 'after all')
  await expect.poll(() => done, { timeout: 15_000 }).toEqual(['after all'])
})
