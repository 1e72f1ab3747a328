import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startJobsWhileCurrent } from '#server/boot/pause-when-outdated.ts'
import { MIGRATIONS_CHANNEL } from '#server/platform/db/compatibility.ts'
import { migrate, RULES_FROM } from '#server/platform/db/migrate.ts'
import { levelOf, readMigrations, statedLevel } from '#server/platform/db/migration-files.ts'
import { servingUrl } from '#server/platform/db/database-identity.ts'
import { runOn } from '#server/platform/db/run.ts'
import { hasOtherServers } from '#server/platform/jobs/presence.ts'
import type { Browser } from '#server/test/browser.ts'
import { testContext } from '#server/test/context.ts'
import { runAsOwner } from '#server/test/database.ts'
import { laterMigrations } from '#server/test/later-migrations.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

const secret = testContext('secret')
let server: TestServer
let ann: Browser
beforeEach(async () => {
  server = await testServer()
  ann = await server.visitor()
})
afterEach(() => server.close())

const claim = () => ({ ownerUrl: server.database.ownerUrl, secret, mode: 'sample' as const })
const dashboard = async () => (await ann.get('/api/v1/dashboard')).status

/** Adds a later version's migration to the records, as if it had run. */
async function recordLaterMigration(compatibleFrom: string | null): Promise<void> {
  const values = [compatibleFrom]
  await runAsOwner(
    server.database.ownerUrl,
    `INSERT INTO bank.migration (name, digest, compatible_from, version) VALUES ('9000_later.sql', 'x', $1, '9.0.0')`,
    values,
  )
  await runAsOwner(server.database.ownerUrl, `NOTIFY ${MIGRATIONS_CHANNEL}`)
}

test('each migration declares its compatible version, which is not later than its own', async () => {
  for (const { name, sql, compatibleFrom } of await readMigrations()) {
    if (name >= RULES_FROM)
      expect(statedLevel(sql), `${name}: its first line is "-- compatible from: NNNN"`).not.toBeNull()
    expect(compatibleFrom).toBeLessThanOrEqual(levelOf(name))
  }
})

test('a later compatible schema is served, also by a server that starts', async () => {
  await recordLaterMigration('0461')
  await sleep(300)
  expect(await dashboard()).toBe(200)
  expect((await server.browser().get('/readyz')).status).toBe(200)
  await migrate(claim())
  expect(await servingUrl(claim())).toContain('alder_app')
})

test.each([null, '8999'])(
  'a schema that requires a later version (%s) is refused: 503 with a reason, and no start',
  async (from) => {
    await recordLaterMigration(from)
    await expect.poll(dashboard, { timeout: 5_000 }).toBe(503)
    const refusal = await ann.post('/api/v1/top-ups', { amountMinor: 1_00, asset: 'USD', method: 'card' })
    expect(await refusal.json()).toMatchObject({ error: { code: 'unavailable' } })
    const readiness = await server.browser().get('/readyz')
    expect(readiness.status).toBe(503)
    expect(await readiness.json()).toMatchObject({
      error: { code: 'unavailable' },
      reason: expect.stringMatching(
        /^Alder 9\.0\.0 has run 9000_later\.sql on this database, which needs a version .+\.$/,
      ),
    })
    expect((await server.browser().get('/healthz')).status).toBe(200)
    for (const open of [migrate, servingUrl])
      await expect(open(claim())).rejects.toMatchObject({
        name: 'StartError',
        message: expect.stringMatching(/9000_later/),
      })

    await runAsOwner(server.database.ownerUrl, `DELETE FROM bank.migration WHERE name = '9000_later.sql'`)
    await runAsOwner(server.database.ownerUrl, `NOTIFY ${MIGRATIONS_CHANNEL}`)
    await expect.poll(dashboard, { timeout: 5_000 }).toBe(200)
  },
)

test('a migration that older servers do not support waits until they have stopped', async () => {
  const jobs = await startJobsWhileCurrent(server.deps)
  const answers: { status: number; askedAt: number }[] = []
  let isRunning = true
  const checks = (async () => {
    while (isRunning) {
      const askedAt = Date.now()
      answers.push({ status: await dashboard(), askedAt })
    }
  })()
  // The migration records its time by the database's clock, which is also this computer's clock.
  const future = laterMigrations('9000_later.sql', 'CREATE TABLE bank.later AS SELECT clock_timestamp() AS ran_at;')
  try {
    await migrate({ ...claim(), directory: future.directory })
    await expect.poll(() => answers.some(({ status }) => status === 503)).toBe(true)
    isRunning = false
    await checks
    const { rows } = await runOn(server.deps.pool)('SELECT applied_at FROM bank.migration WHERE name = $1', [
      '9000_later.sql',
    ])
    const ranAt = Number(rows[0]?.['applied_at'])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(answers.filter(({ status, askedAt }) => status === 200 && askedAt > ranAt)).toEqual([])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
    await expect.poll(() => hasOtherServers(server.deps.pool, 0)).toBe(false)
  } finally {
    isRunning = false
    await checks
    future.remove()
    await jobs.stop()
  }
})

test('servers continue if the migrating server gives up', async () => {
  const jobs = await startJobsWhileCurrent(server.deps)
  const future = laterMigrations('9000_later.sql', 'SELECT 1 / 0;')
  try {
    await expect(migrate({ ...claim(), directory: future.directory })).rejects.toThrow('division by zero')
    await expect.poll(dashboard, { timeout: 5_000 }).toBe(200)
    await expect.poll(() => hasOtherServers(server.deps.pool, 0), { timeout: 5_000 }).toBe(true)
  } finally {
    future.remove()
    await jobs.stop()
  }
})
