import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEventHub } from '#server/platform/events/hub.ts'
import { until } from '#server/faults/bank-process.ts'
import { startJobs } from '#server/platform/jobs/worker.ts'
import { blackHole, type Proxy } from '#server/test/black-hole.ts'
import type { Browser } from '#server/test/browser.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

/** The time within which a request must receive its 503, for any resource it waits for. */
const BOUND_MS = 5_000

let database: TestDatabase
let proxy: Proxy
let server: TestServer
let ann: Browser
let bob: { browser: Browser; email: string }

beforeAll(async () => {
  database = await testDatabase()
  proxy = await blackHole(database.appUrl)
  server = await testServer({ beside: { database: { ...database, appUrl: proxy.url } } })
  ann = await server.visitor()
  const browser = await server.visitor()
  bob = { browser, email: (await (await browser.get('/api/v1/me')).json()).customer.email }
  const funded = await ann.post('/api/v1/top-ups', { amountMinor: 10_000, asset: 'USD', method: 'card' })
  expect(funded.status).toBe(200)
})
afterAll(async () => {
  proxy.restore()
  await server.close()
  proxy.close()
  await database.drop()
})

const send = (key: string) =>
  ann.post('/api/v1/transfers', { recipient: bob.email, amountMinor: 1, asset: 'USD' }, { key })

async function balanceOf(browser: Browser): Promise<number> {
  return (await (await browser.get('/api/v1/dashboard')).json()).account.availableMinor
}

const isReady = async (): Promise<boolean> => (await server.browser().get('/readyz')).status === 200

test.each(['everything', 'answers'] as const)(
  'a database host that swallows %s: requests get 503 in bounded time, then continue, and none is applied twice',
  async (traffic) => {
    const balancesBefore = [await balanceOf(ann), await balanceOf(bob.browser)]
    // Some of the requests wait for a connection, as on a busy bank.
    const keys = Array.from({ length: 20 }, () => randomUUID())
    const underWay = keys.slice(0, 5).map((key) => send(key).then(({ status }) => status))
    await sleep(1)
    proxy.swallow(traffic)
    const startedAt = performance.now()
    const answers = await Promise.all([
      ...keys.slice(5).map(send),
      ...Array.from({ length: 20 }, () => bob.browser.get('/api/v1/dashboard')),
      server.browser().post('/api/v1/session/visit'),
    ])
    expect(performance.now() - startedAt).toBeLessThan(BOUND_MS)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
    for (const answer of answers) expect(await answer.json()).toMatchObject({ error: { code: 'unavailable' } })
    for (const status of await Promise.all(underWay)) expect([200, 503]).toContain(status)
    expect(await isReady()).toBe(false)
    // Once the outage is known, requests no longer wait for the database.
    const knownAt = performance.now()
    expect((await bob.browser.get('/api/v1/dashboard')).status).toBe(503)
    expect(performance.now() - knownAt).toBeLessThan(1_000)
    expect((await server.browser().get('/healthz')).status).toBe(200)

    proxy.restore()
    await until('the bank is ready', 5_000, isReady)
    for (const key of keys) expect((await send(key)).status).toBe(200)
    expect([await balanceOf(ann), await balanceOf(bob.browser)]).toEqual([
      (balancesBefore[0] ?? 0) - keys.length,
      (balancesBefore[1] ?? 0) + keys.length,
    ])
  },
)

test('while the database does not respond, few requests wait for it, and the others are refused soon', async () => {
  proxy.swallow('everything')
  const answeredMs: number[] = []
  const startedAt = performance.now()
  const look = async (index: number) => {
    // Each request uses a different session cookie.
    const headers = { cookie: `${server.deps.cookies.session}=${String(index).padStart(43, 'x')}` }
    const { status } = await fetch(`${server.url}/api/v1/dashboard`, { headers })
    answeredMs.push(performance.now() - startedAt)
    return status
  }
  const statuses = await Promise.all(Array.from({ length: 200 }, (_, index) => look(index)))
  expect(new Set(statuses)).toEqual(new Set([503]))
  expect(Math.max(...answeredMs)).toBeLessThan(BOUND_MS)
  // Reads of unknown sessions wait for two seconds behind the other reads of their IP address.
  expect(answeredMs.filter((ms) => ms > 4_000).length).toBeLessThanOrEqual(server.deps.concurrencyLimits.reads.running)
  proxy.restore()
  await until('the bank is ready', 5_000, isReady)
  expect((await bob.browser.get('/api/v1/dashboard')).status).toBe(200)
})

test('live events and jobs continue after the host was unreachable', async () => {
  const { deps } = server
  const hub = await openEventHub({ pool: deps.pool, log: deps.log, probeMs: 200 })
  const jobs = await startJobs(deps)
  const heard: string[] = []
  hub.subscribe('somebody', (type) => heard.push(type))
  proxy.swallow('everything')
  await sleep(600)
  proxy.restore()
  // After the outage the hub sends every subscriber an event, so that their screens reload.
  await until('the hub listens again', 5_000, () => heard.length > 0)
  heard.length = 0
  await until('the bank is ready', 5_000, isReady)
  await hub.notify(deps.db, ['somebody'], 'balance')
  await until('an event arrives', 2_000, () => heard.includes('balance'))
  const countJobs = async () =>
    (await deps.pool.query('SELECT count(*) AS jobs FROM graphile_worker.jobs')).rows[0].jobs
  await expect.poll(countJobs, { timeout: 10_000 }).toBe(0)
  await jobs.stop()
  await hub.close()
})

test('a slow statement is not mistaken for a host that has vanished', async () => {
  const slow = server.deps.pool.query('SELECT pg_sleep(1.6)')
  await expect(slow).resolves.toMatchObject({ rowCount: 1 })
})
