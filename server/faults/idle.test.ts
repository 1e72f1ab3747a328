import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readConfig } from '#server/bank/config.ts'
import { type RunningServer, startServer } from '#server/boot/start.ts'
import { openBrowser } from '#server/test/browser.ts'
import { testContext } from '#server/test/context.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'

const WATCHED_MS = 10_000
/**
 * The time by which the recurring jobs of a minute have ended. They run at the start of each minute, and the measured time lies
 * between two runs.
 */
const ROUND_ENDS_MS = 5_000
const MINUTE_MS = 60_000

let dir: string
let database: TestDatabase
let server: RunningServer
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
  database = await testDatabase()
  const config = readConfig({
    DATA_DIR: dir,
    DATABASE_URL: database.ownerUrl,
    BANK_SECRET: testContext('secret'),
    PORT: '0',
    LOG_LEVEL: 'silent',
  })
  server = await startServer(config, pino({ level: 'silent' }))
})
afterAll(async () => {
  await server.close()
  await database.drop()
  rmSync(dir, { recursive: true, force: true })
})

/** Returns the text of a statement in either form that `pg` accepts. */
const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : (statement as { text: string }).text

/** Returns the commits that this process makes in PostgreSQL during the time. A transaction counts once. */
async function committedDuring(ms: number): Promise<string[]> {
  const openClients = new WeakSet<pg.Client>()
  const commits: string[] = []
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  await sleep(ms)
  spy.mock.calls.forEach(([statement], index) => {
    const client = spy.mock.contexts[index] as pg.Client
    const text = textOf(statement)
    if (/^(begin|start transaction)/i.test(text)) openClients.add(client)
    else if (/^(commit|rollback)/i.test(text)) openClients.delete(client)
    else if (openClients.has(client)) return
    if (!openClients.has(client)) commits.push(text)
  })
  spy.mockRestore()
  return commits
}

test('an idle bank sends almost no queries to its database', async () => {
  const url = `http://localhost:${server.port}`
  expect((await openBrowser(() => url).post('/api/v1/session/visit')).status).toBe(200)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  const waiting = 'SELECT FROM graphile_worker.jobs WHERE run_at <= now()'
  await expect.poll(async () => (await owner.query(waiting)).rowCount).toBe(0)
  await owner.end()
  const intoMinuteMs = () => Date.now() % MINUTE_MS
  while (intoMinuteMs() < ROUND_ENDS_MS || intoMinuteMs() > MINUTE_MS - WATCHED_MS) await sleep(100)
  const commits = await committedDuring(WATCHED_MS)
  // An idle server is alive and sends less than 1.5 commits a second.
  expect(commits.length).toBeGreaterThan(0)
  expect(commits.length, commits.join('\n')).toBeLessThan((WATCHED_MS / 1_000) * 1.5)
})
