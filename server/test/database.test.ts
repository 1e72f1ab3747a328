import { Client } from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '#server/test/database.ts'

test('every test file gets its own migrated database', async () => {
  const [firstDatabase, secondDatabase] = await Promise.all([testDatabase(), testDatabase()])
  const owner = new Client({ connectionString: firstDatabase.ownerUrl })
  const app = new Client({ connectionString: firstDatabase.appUrl })
  await Promise.all([owner.connect(), app.connect()])
  const { rows } = await app.query(`SELECT count(*)::int AS n FROM bank.migration`)
  expect(rows[0].n).toBeGreaterThan(0)
  await expect(app.query('CREATE TABLE bank.extra ()')).rejects.toThrow('permission denied')
  expect(firstDatabase.ownerUrl).not.toBe(secondDatabase.ownerUrl)
  await Promise.all([owner.end(), app.end()])
  await Promise.all([firstDatabase.drop(), secondDatabase.drop()])
})
