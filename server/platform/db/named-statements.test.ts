import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nameOf, namedStatements } from '#server/platform/db/named-statements.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { openDb } from '#server/platform/db/pools.ts'
import { isUnavailable } from '#server/platform/db/run.ts'
import { runAsOwner, testDatabase, type TestDatabase } from '#server/test/database.ts'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await testDatabase()
  // The pool has one connection, so that the test can look at the prepared statements of that connection.
  pool = openPool(database.appUrl, { max: 1 })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

async function timesPrepared(text: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM pg_prepared_statements WHERE statement = $1',
    [text],
  )
  return rows[0]?.n ?? 0
}

test('a statement is prepared once, also within transactions, for all callers', async () => {
  const text = 'SELECT $1::int + 1 AS sum'
  for (const number of [1, 2]) expect((await pool.query(text, [number])).rows).toEqual([{ sum: number + 1 }])
  const client = await pool.connect()
  await client.query('BEGIN')
  expect((await client.query({ text, values: [3] })).rows).toEqual([{ sum: 4 }])
  await client.query('COMMIT')
  client.release()
  expect(await timesPrepared(text)).toBe(1)
  expect(namedStatements().has(text)).toBe(true)
})

test('many simultaneous statements on one pipelined connection are prepared once', async () => {
  const pipelined = openPool(database.appUrl, { max: 1, pipeline: true })
  const text = 'SELECT $1::int + 2 AS sum'
  const client = await pipelined.connect()
  const results = await Promise.all([1, 2, 3].map((number) => client.query(text, [number])))
  expect(results.map(({ rows }) => rows)).toEqual([[{ sum: 3 }], [{ sum: 4 }], [{ sum: 5 }]])
  client.release()
  await pipelined.end()
})

test('statements that begin, end, listen, list rows or contain several statements have no name', () => {
  for (const text of ['BEGIN', 'commit', 'LISTEN bank', 'SELECT 1; SELECT 2', 'SET lock_timeout = 1'])
    expect(nameOf(text, false)).toBeNull()
  expect(nameOf('INSERT INTO t (a) VALUES ($1), ($2)', true)).toBeNull()
  expect(nameOf('INSERT INTO t (a) VALUES ($1)', true)).not.toBeNull()
})

test('a list is passed as one array, so its length adds no statements, and each value stays unchanged', async () => {
  const hostile = ['a,b', '{x}', '"quoted"', 'back\\slash', 'NULL', '', "it's", '\n', 'ü']
  await runAsOwner(database.ownerUrl, 'CREATE TABLE bank.word (word text); GRANT SELECT ON bank.word TO PUBLIC')
  await runAsOwner(database.ownerUrl, 'INSERT INTO bank.word SELECT unnest($1::text[])', [[...hostile, 'plain']])
  const words = openDb(pool).withTables<{ 'bank.word': { word: string } }>().selectFrom('bank.word').select('word')
  const readNames = async (operator: 'in' | 'not in', values: readonly string[]) =>
    (await words.where('word', operator, values).execute()).map(({ word }) => word)

  const before = namedStatements().size
  for (const values of [['plain'], hostile, [...hostile, 'plain'], ['none', 'of', 'these'], []]) {
    const isListed = (word: string) => values.includes(word)
    const texts = [...hostile, 'plain']
    expect(await readNames('in', values)).toEqual(texts.filter(isListed))
    expect(await readNames('not in', values)).toEqual(texts.filter((word) => !isListed(word)))
  }
  expect(namedStatements().size).toBe(before + 2)
})

test('after a migration has changed the result of a statement, one use is refused, and the next prepares it again', async () => {
  await runAsOwner(database.ownerUrl, 'CREATE TABLE bank.stale (a int); GRANT SELECT ON bank.stale TO PUBLIC')
  const text = 'SELECT * FROM bank.stale'
  expect((await pool.query(text)).rows).toEqual([])
  await runAsOwner(database.ownerUrl, 'ALTER TABLE bank.stale ADD COLUMN b int')
  const refusal = await pool.query(text).catch((error: unknown) => error)
  expect(isUnavailable(refusal)).toBe(true)
  expect((await pool.query(text)).fields.map(({ name }) => name)).toEqual(['a', 'b'])
})
