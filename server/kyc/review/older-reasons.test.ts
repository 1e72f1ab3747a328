import { expect, test } from 'vitest'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { testContext } from '#server/test/context.ts'
import { testDatabase } from '#server/test/database.ts'

const secret = testContext('secret')

test('reasons stored as English sentences become codes, and custom texts stay', async () => {
  const database = await testDatabase('template0')
  const { ownerUrl } = database
  await migrate({ ownerUrl, secret, mode: 'sample', upTo: '0086_zzz' })
  const owner = openPool(ownerUrl, { max: 1 })
  await owner.query('ALTER TABLE bank.kyc_case DROP CONSTRAINT kyc_case_customer_id_fkey')
  const reasons = ['The document has expired.', 'The photo is too blurred to read.', 'Too "dark"']
  await owner.query(
    `INSERT INTO bank.kyc_case (id, customer_id, created_at, status, reason, submitted_at)
     SELECT gen_random_uuid(), gen_random_uuid(), now(), 'again', said, now() FROM unnest($1::text[]) AS said`,
    [reasons],
  )
  await migrate({ ownerUrl, secret, mode: 'sample', upTo: '0087_zzz' })
  const { rows } = await owner.query('SELECT reason FROM bank.kyc_case')
  await owner.end()
  await database.drop()
  expect(rows.map(({ reason }) => reason)).toEqual([{ code: 'expired' }, { code: 'too_blurry' }, 'Too "dark"'])
})
