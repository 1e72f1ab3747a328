import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { pendingMigrations } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { runOn } from '#server/platform/db/run.ts'
import { appUrl } from '#server/platform/db/serving-role.ts'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'

const secret = inject('secret')
let database: TestDatabase
let ownerUrl: string
let owner: pg.Pool

beforeAll(async () => {
  database = await testDatabase('template0')
  ownerUrl = database.ownerUrl
  owner = openPool(ownerUrl, { max: 1 })
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

test('servers that start together on an empty database migrate it once', async () => {
  await Promise.all(Array.from({ length: 6 }, () => prepareDatabase({ ownerUrl, secret, mode: 'sample' })))
  const { rows } = await owner.query<{ name: string }>('SELECT name FROM bank.migration ORDER BY applied_at, name')
  const names = rows.map((row) => row.name)
  expect(names.length).toBeGreaterThan(1)
  expect(names).toEqual([...new Set(names)].toSorted())
  expect(await pendingMigrations(runOn(owner))).toEqual([])
})

test('the role that serves can make no table, not even one for itself alone', async () => {
  const app = openPool(appUrl(ownerUrl, secret), { max: 1 })
  for (const statement of ['CREATE TABLE bank.mine (id int)', 'CREATE TEMPORARY TABLE mine (id int)']) {
    await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' })
  }
  await app.end()
})

test('a migration that has run and was changed since is refused by name, and changes nothing', async () => {
  await owner.query(`UPDATE bank.migration SET digest = 'another' WHERE name = '0001_ledger.sql'`)
  await expect(prepareDatabase({ ownerUrl, secret, mode: 'sample' })).rejects.toThrow('0001_ledger.sql')
  const { rows } = await owner.query('SELECT count(*) AS n FROM ledger.account')
  expect(rows[0]?.n).toBeGreaterThan(0)
})
