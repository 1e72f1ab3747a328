import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClock } from '#server/platform/clock.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { openDb } from '#server/platform/db/pools.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { policyFor } from '#server/bank/policy.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'

let database: TestDatabase
let db: Kysely<Database>
beforeAll(async () => {
  database = await testDatabase()
  db = openDb(openPool(database.appUrl))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const realNow = (): Date => new Date('2030-01-01T00:00:00Z')
const HOUR_MS = 3_600_000

test('a bank in real time has one time, and its clock cannot be moved forward', async () => {
  const clock = await openClock({ db, policy: policyFor({ mode: 'live' }), realNow })
  expect(clock.businessNow()).toEqual(realNow())
  await expect(clock.advance(HOUR_MS)).rejects.toThrow(RangeError)
})

test('the sample bank starts on the sample day, once for all servers on the database', async () => {
  const policy = policyFor({ mode: 'sample' })
  const first = await openClock({ db, policy, realNow })
  expect(first.businessNow().toISOString()).toBe('2026-08-28T09:41:00.000Z')

  const later = await openClock({ db, policy, realNow: () => new Date(realNow().getTime() + HOUR_MS) })
  expect(later.businessNow().toISOString()).toBe('2026-08-28T10:41:00.000Z')

  await first.advance(24 * HOUR_MS)
  expect(first.businessNow().toISOString()).toBe('2026-08-29T09:41:00.000Z')
  await later.refresh()
  expect(later.businessNow().toISOString()).toBe('2026-08-29T10:41:00.000Z')
  expect(first.realNow()).toEqual(realNow())
})

test('a move of the clock in a transaction takes effect at its commit, and not after a rollback', async () => {
  const clock = await openClock({ db, policy: policyFor({ mode: 'sample' }), realNow })
  const before = clock.businessNow()
  for (const [end, movedMs] of [
    ['rollback', 0],
    ['commit', HOUR_MS],
  ] as const) {
    const trx = await db.startTransaction().execute()
    await clock.advance(HOUR_MS, trx)
    await clock.refresh()
    expect(clock.businessNow()).toEqual(before)
    await trx[end]().execute()
    await clock.refresh()
    expect(clock.businessNow().getTime() - before.getTime()).toBe(movedMs)
  }
})

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('the clock is not moved by %s ms', async (ms) => {
  const clock = await openClock({ db, policy: policyFor({ mode: 'sample' }), realNow })
  const before = clock.businessNow()
  await expect(clock.advance(ms)).rejects.toThrow(RangeError)
  await clock.refresh()
  expect(clock.businessNow()).toEqual(before)
})
