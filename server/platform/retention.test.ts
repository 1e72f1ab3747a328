import { expect, test } from 'vitest'
import { openPool } from '#server/platform/db/pool.ts'
import { BOUNDED, KEPT_FOR, KEPT_FOR_EVER, purgeInSteps } from '#server/platform/retention.ts'
import { testDatabase } from '#server/test/database.ts'

test('each table has a declared retention, with a reason, in one form', async () => {
  const database = await testDatabase()
  const pool = openPool(database.ownerUrl, { max: 1 })
  try {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT relnamespace::regnamespace || '.' || relname AS name FROM pg_class
        WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace IN ('bank'::regnamespace, 'ledger'::regnamespace)`,
    )
    const tables = [KEPT_FOR, KEPT_FOR_EVER, BOUNDED].flatMap((kind) => Object.keys(kind))
    expect(tables.toSorted(), 'server/platform/retention.ts').toEqual(
      rows.map(({ name }) => name.replace(/^ledger\./, 'ledger ')).toSorted(),
    )
  } finally {
    await pool.end()
    await database.drop()
  }
})

test('old rows are deleted in steps, until few are left or the time is over', async () => {
  const stepSizes = [5, 5, 3, 5]
  const step = async () => stepSizes.shift() ?? 0
  expect(await purgeInSteps(step, { rows: 5, budgetMs: 10_000 })).toBe(13)
  expect(stepSizes).toEqual([5])
  let steps = 0
  expect(await purgeInSteps(async () => ((steps += 1), 5), { rows: 5, budgetMs: 0 })).toBe(5)
  expect(steps).toBe(1)
})

test('tables whose rows never change are frozen as they fill, in each period', async () => {
  const database = await testDatabase()
  const pool = openPool(database.ownerUrl, { max: 1 })
  try {
    await pool.query('SELECT ledger.begin_period()')
    const { rows } = await pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE reloptions @> ARRAY['autovacuum_freeze_min_age=0'] ORDER BY relname`,
    )
    const periods = ['operation_1', 'operation_2', 'transfer_1', 'transfer_2']
    expect(rows.map(({ name }) => name)).toEqual(
      [...periods, 'search_block', 'seal_block', 'security_event'].toSorted(),
    )
    const jobs = await pool.query(
      `SELECT reloptions FROM pg_class WHERE oid = 'graphile_worker._private_jobs'::regclass`,
    )
    expect(jobs.rows[0].reloptions).toContain('autovacuum_vacuum_threshold=500')
  } finally {
    await pool.end()
    await database.drop()
  }
})
