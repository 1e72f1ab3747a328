import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { parse } from 'libpg-query'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EARLIER_DIGESTS, migrate } from '#server/platform/db/migrate.ts'
import { schemaState } from '#server/platform/db/compatibility.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { runOn } from '#server/platform/db/run.ts'
import { APP_ROLE, appUrl, servingRole } from '#server/platform/db/serving-role.ts'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { testContext } from '#server/test/context.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'

const secret = testContext('secret')
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
  expect(await schemaState(runOn(owner))).toEqual({ pending: [], outdated: null })
})

test('the serving role can create no table, not even a temporary one', async () => {
  const app = openPool(appUrl(ownerUrl, secret), { max: 1 })
  for (const statement of ['CREATE TABLE bank.mine (id int)', 'CREATE TEMPORARY TABLE mine (id int)']) {
    await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' })
  }
  await app.end()
})

test('a migration that was changed after it ran is refused by name, and changes nothing', async () => {
  await owner.query(`UPDATE bank.migration SET digest = 'another' WHERE name = '0001_ledger.sql'`)
  await expect(prepareDatabase({ ownerUrl, secret, mode: 'sample' })).rejects.toThrow('0001_ledger.sql')
  const { rows } = await owner.query('SELECT count(*) AS n FROM ledger.account')
  expect(rows[0]?.n).toBeGreaterThan(0)
})

test('the parser of PostgreSQL 15 understands every migration', async () => {
  const folder = new URL('./migrations/', import.meta.url)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  expect(names.length).toBeGreaterThan(60)
  for (const name of names) {
    const parsed = parse(await readFile(new URL(name, folder), 'utf8'))
    await expect(parsed, name).resolves.toMatchObject({ stmts: expect.anything() })
  }
  await expect(parse(await earlierText())).rejects.toThrow('STORAGE')
})

const REWRITTEN = '0042_flat_reads.sql'

/** Returns the text of migration 0042 before it worked on PostgreSQL 15. */
async function earlierText(): Promise<string> {
  const text = await readFile(new URL(`./migrations/${REWRITTEN}`, import.meta.url), 'utf8')
  return text
    .replace('words      text NOT NULL', 'words      text STORAGE EXTERNAL NOT NULL')
    .replace('tokens     text NOT NULL', 'tokens     text STORAGE EXTERNAL NOT NULL')
    .replace(/ALTER TABLE ledger\.search_block ALTER COLUMN words [^;]+;\n/, '')
}

/** SQL for every column of the bank's own tables and views, from PostgreSQL's catalog. */
const CATALOG = `
  SELECT attrelid::regclass::text AS relation, attnum, attname, atttypid::regtype::text AS type, attnotnull, attstorage,
         attcompression, pg_get_expr(adbin, adrelid) AS standard
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
   WHERE attnum > 0 AND relnamespace IN ('ledger'::regnamespace, 'bank'::regnamespace)
   ORDER BY 1, 2`

test('a bank with the first version of migration 0042 has the same tables, and is opened', async () => {
  const earlierSql = await earlierText()
  expect(createHash('sha256').update(earlierSql).digest('hex')).toBe(EARLIER_DIGESTS[REWRITTEN])
  const [before, now] = [await testDatabase('template0'), await testDatabase('template0')]
  const [first, second] = [openPool(before.ownerUrl, { max: 1 }), openPool(now.ownerUrl, { max: 1 })]
  try {
    await migrate({ ownerUrl: before.ownerUrl, secret, mode: 'sample', upTo: '0041_zzz' })
    await first.query(earlierSql.replaceAll(APP_ROLE, servingRole(secret)))
    await first.query('INSERT INTO bank.migration (name, digest) VALUES ($1, $2)', [
      REWRITTEN,
      EARLIER_DIGESTS[REWRITTEN],
    ])
    await prepareDatabase({ ownerUrl: before.ownerUrl, secret, mode: 'sample' })
    await prepareDatabase({ ownerUrl: now.ownerUrl, secret, mode: 'sample' })
    const catalogs = await Promise.all([first.query(CATALOG), second.query(CATALOG)])
    expect(catalogs[0].rows.length).toBeGreaterThan(300)
    const blocks = catalogs[0].rows.filter(({ relation }) => relation === 'ledger.search_block')
    expect(blocks.filter(({ attstorage }) => attstorage === 'e')).toHaveLength(2)
    expect(catalogs[0].rows).toEqual(catalogs[1].rows)
  } finally {
    await Promise.all([first.end(), second.end()])
    await Promise.all([before.drop(), now.drop()])
  }
})
