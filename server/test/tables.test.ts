import { test, expect } from 'vitest'
import { generateTables } from '#server/test/generate-tables.ts'
import { testDatabase } from '#server/test/database.ts'
import { testContext } from '#server/test/context.ts'

test('the types of the tables match the migrations; `npm run tables` writes them', async () => {
  expect(testContext('templateUrl')).toBeTruthy()
  const database = await testDatabase()
  try {
    await expect(await generateTables(database.ownerUrl)).toMatchFileSnapshot('../platform/db/tables.ts')
  } finally {
    await database.drop()
  }
})
