import { Client } from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '#server/test/database.ts'

test('every test file gets its own migrated database', async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()])
  const owner = new Client({ connectionString: one.ownerUrl })
  const app = new Client({ connectionString: one.appUrl })
  await Promise.all([owner.connect(), app.connect()])
  const { rows } = await app.query(`SELECT count(*)::int AS n FROM bank.migration`)
  expect(rows[0].n).toBeGreaterThan(0)
  await expect(app.query('CREATE TABLE bank.extra ()')).rejects.toThrow('permission denied')
  expect(one.ownerUrl).not.toBe(other.ownerUrl)
  await Promise.all([owner.end(), app.end()])
  await Promise.all([one.drop(), other.drop()])
})
