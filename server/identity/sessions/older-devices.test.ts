import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { testContext } from '#server/test/context.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'

const secret = testContext('secret')
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase('template0')
})
afterAll(() => database.drop())

test('devices stored in English are parsed into their parts', async () => {
  const { ownerUrl } = database
  await migrate({ ownerUrl, secret, mode: 'sample', upTo: '0085_zzz' })
  const owner = openPool(ownerUrl, { max: 1 })
  const storedSessions = [
    'Chrome on Android',
    'Safari on iPhone',
    'curl',
    'Unknown device',
    'Another customer',
    "Alder's review desk",
  ]
  await owner.query('ALTER TABLE bank.security_event DROP CONSTRAINT security_event_customer_id_fkey')
  await owner.query(
    `INSERT INTO bank.security_event (customer_id, kind, device, network_zone, happened_at)
     SELECT gen_random_uuid(), 'signed_out', name, 'internet', now() FROM unnest($1::text[]) AS name`,
    [storedSessions],
  )
  await migrate({ ownerUrl, secret, mode: 'sample', upTo: '0086_zzz' })
  const { rows } = await owner.query('SELECT device FROM bank.security_event ORDER BY id')
  await owner.end()
  const unknown = { browser: null, system: null }
  expect(rows.map(({ device }) => device)).toEqual([
    { browser: 'Chrome', system: 'Android' },
    { browser: 'Safari', system: 'iPhone' },
    { browser: 'curl', system: null },
    unknown,
    { ...unknown, by: 'another_customer' },
    { ...unknown, by: 'review_desk' },
  ])
})
