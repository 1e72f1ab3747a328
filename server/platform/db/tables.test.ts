import { inject, test, expect } from 'vitest'
import { generateTables } from '#server/platform/db/generate-tables.ts'
import { testDatabase } from '#server/test/database.ts'

test('the types of the tables are those that the migrations make; `npm run tables` writes them', async () => {
  expect(inject('templateUrl')).toBeTruthy()
  const database = await testDatabase()
  try {
    await expect(await generateTables(database.ownerUrl)).toMatchFileSnapshot('./tables.ts')
  } finally {
    await database.drop()
  }
})
