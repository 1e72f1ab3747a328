import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { auditBooks } from '#server/ledger/audit.ts'
import { createLedger } from '#server/ledger/ledger.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { runOn } from '#server/platform/db/run.ts'
import { testContext } from '#server/test/context.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'

const secret = testContext('secret')
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase('template0')
})
afterAll(() => database.drop())

test('the keys of an older bank’s requests are used, except of canceled ones', async () => {
  const { ownerUrl } = database
  await migrate({ ownerUrl, secret, mode: 'sample', upTo: '0239_zzz' })
  const [carriedOutKey, canceledKey] = [randomUUID(), randomUUID()]
  const owner = openPool(ownerUrl, { max: 1 })
  await owner.query(
    `INSERT INTO bank.request (key, fingerprint, result, made_at) VALUES ($1, 'a', 'null', now()), ($2, '', NULL, now())`,
    [carriedOutKey, canceledKey],
  )
  await owner.end()
  const url = await prepareDatabase({ ownerUrl, secret, mode: 'sample' })
  const pool = openPool(url, { max: 2 })
  const ledger = createLedger({ url })
  await expect(ledger.find(carriedOutKey, 'b')).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  expect(await ledger.find(canceledKey, 'b')).toBeNull()
  expect((await auditBooks(runOn(pool))).problems).toEqual([])
  await ledger.close()
  await pool.end()
})
