import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, READ_ONLY } from '#server/platform/db/pool.ts'
import { runAsOwner, testDatabase, type TestDatabase } from '#server/test/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase('template_bank')
})
afterAll(() => database.drop())

const SHOW_SETTINGS = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
  current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('enable_seqscan') AS scan, current_setting('jit') AS jit,
  current_setting('plan_cache_mode') AS plan, current_setting('timezone') AS zone, current_setting('datestyle') AS style`

test('every connection has its limits before its first statement, for any database settings', async () => {
  const { pathname } = new URL(database.ownerUrl)
  for (const setting of [`timezone = 'Asia/Tokyo'`, 'jit = on'])
    await runAsOwner(database.ownerUrl, `ALTER DATABASE ${pathname.slice(1)} SET ${setting}`)
  const pool = openPool(database.appUrl, { max: 3, pipeline: true, lockTimeoutMs: 1_000, statementTimeoutMs: null })
  const results = await Promise.all(Array.from({ length: 3 }, () => pool.query(SHOW_SETTINGS)))
  await pool.end()
  for (const { rows } of results)
    expect(rows).toEqual([
      {
        statement: '0',
        lock: '1s',
        idle: '15s',
        scan: 'off',
        jit: 'off',
        plan: 'force_generic_plan',
        zone: 'UTC',
        style: 'ISO, MDY',
      },
    ])
})

test('a connection that does not accept the limits is not used', async () => {
  const pool = openPool(database.appUrl, { max: 1, lockTimeoutMs: -1 })
  await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: '22023' })
  expect(pool.totalCount).toBe(0)
  await pool.end()
})

test('a read-only connection refuses to write, even with write rights', async () => {
  const pool = openPool(database.appUrl, { max: 1, readOnly: true })
  const insert =
    "INSERT INTO bank.payee_category (customer_id, payee, category) VALUES (gen_random_uuid(), 'x', 'food')"
  await expect(pool.query(insert)).rejects.toMatchObject({ code: READ_ONLY })
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await pool.end()
})
