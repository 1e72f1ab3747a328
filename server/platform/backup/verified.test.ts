import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordVerification } from '#server/platform/backup/verified.ts'
import { runOn } from '#server/platform/db/run.ts'
import { lateParts } from '#server/platform/lateness.ts'
import { type TestServer, testServer } from '#server/test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

test('a bank whose backups were verified once reports a night without a verification', async () => {
  const { pool } = server.deps
  const late = () => lateParts(server.deps)
  expect(await late(), 'never verified').toEqual([])
  await recordVerification(runOn(pool))
  expect(await late()).toEqual([])
  await pool.query(`UPDATE bank.verified_backup SET verified_at = now() - interval '27 hours'`)
  expect(await late()).toEqual(['backups that are not verified'])
  await recordVerification(runOn(pool))
  expect(await late()).toEqual([])
})
