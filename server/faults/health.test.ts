import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createApi } from '#server/api.ts'
import type { Deps } from '#server/platform/deps.ts'
import { openSessionQueue } from '#server/identity/sessions/sessions.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { openDb } from '#server/platform/db/pools.ts'
import { ASKED_MS, openReadiness } from '#server/platform/http/readiness.ts'
import { createHttpServer } from '#server/platform/http/listen.ts'
import { lookForLate } from '#server/platform/lateness.ts'
import { expectRefusal } from '#server/test/people.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

let server: TestServer
const loggedLines: Record<string, unknown>[] = []
const rejectAsUnused = () => Promise.reject(new Error('unused'))

beforeAll(async () => {
  server = await testServer({ logged: loggedLines })
})
afterAll(() => server.close())

const poolsOf = (connections: Deps['pools']['reads']): Deps['pools'] => ({
  cards: connections,
  payments: connections,
  reads: connections,
  background: connections,
  health: connections,
  metrics: connections,
})

/** Creates a server of the same bank with another database pool. */
async function serverAt(pool: Deps['pool']) {
  const { clock, policy } = server.deps
  const pools = poolsOf({ pool, db: openDb(pool) })
  const deps = {
    ...server.deps,
    pools,
    pool,
    sessions: openSessionQueue({ pool, clock, policy }),
    readiness: openReadiness({ pools }),
  }
  const http = createHttpServer(deps, createApi(deps, { openCustomer: rejectAsUnused }))
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const url = `http://localhost:${(http.address() as AddressInfo).port}`
  return {
    url,
    close: () => {
      http.close()
      return pool.end()
    },
  }
}

test('a bank with its database is alive and ready', async () => {
  expect(await (await server.browser().get('/healthz')).json()).toEqual({ status: 'alive' })
  expect(await (await server.browser().get('/readyz')).json()).toEqual({
    status: 'ready',
    late: [],
    lateAgeSeconds: null,
  })
  await lookForLate(server.deps)
  expect(await (await server.browser().get('/readyz')).json()).toEqual({ status: 'ready', late: [], lateAgeSeconds: 0 })
})

test('a waiting health check does not look up overdue work', async () => {
  const { deps } = server
  const busy = { ...deps.lateness, late: ['jobs failed'], at: new Date(deps.clock.realNow().getTime() - 12_000) }
  const http = createHttpServer({ ...deps }, createApi({ ...deps, lateness: busy }, { openCustomer: rejectAsUnused }))
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const queries = vi.spyOn(deps.pool, 'query')
  const answer = await fetch(`http://localhost:${(http.address() as AddressInfo).port}/readyz`)
  expect(await answer.json()).toEqual({ status: 'ready', late: ['jobs failed'], lateAgeSeconds: 12 })
  expect(queries).not.toHaveBeenCalled()
  queries.mockRestore()
  http.close()
})

/** Returns the bytes that a connection receives for a raw request. */
async function sendRaw(request: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(request)
  let text = ''
  for await (const part of socket.setEncoding('latin1')) text += part
  return text
}

test.each(['HTTP/1.0\r\n', 'HTTP/1.1\r\nconnection: close\r\n'])(
  'a health check works without a known host name: %j',
  async (version) => {
    for (const path of ['/healthz', '/readyz']) expect(await sendRaw(`GET ${path} ${version}\r\n`)).toContain(' 200 OK')
    expect(await sendRaw(`GET /api/v1/session ${version}\r\n`)).toContain(' 400 Bad Request')
  },
)

test('a slow database keeps its last state for a few seconds', async () => {
  const { promise, resolve } = Promise.withResolvers<{ rows: object[] }>()
  const { pool } = server.deps.pools.health
  const readiness = openReadiness(server.deps)
  expect(await readiness.look()).toBe(true)
  const slowQuery = vi.spyOn(pool, 'query').mockReturnValue(promise as never)
  const startedAt = performance.now()
  expect(await readiness.now()).toBe(true)
  expect(performance.now() - startedAt).toBeLessThan(100)
  // This call returns once the slow check has failed.
  await readiness.look()
  expect(await readiness.now()).toBe(false)
  resolve({ rows: [] })
  slowQuery.mockRestore()
})

test('many simultaneous readiness checks cost the database one query', async () => {
  const queries = vi.spyOn(server.deps.pools.health.pool, 'query')
  const ask = () => fetch(`${server.url}/readyz`).then(({ status }) => status)
  await ask()
  const forOne = queries.mock.calls.length
  queries.mockClear()
  const answers = await Promise.all(Array.from({ length: 40 }, ask))
  expect(new Set(answers)).toEqual(new Set([200]))
  expect(forOne).toBeGreaterThan(0)
  expect(queries.mock.calls.length).toBeLessThan(20 * forOne)
  queries.mockRestore()
})

test('without its database a bank is alive but not ready, and the response gives no reason', async () => {
  loggedLines.length = 0
  const cookie = (await server.visitor()).cookie()
  const cutOffServer = await serverAt(openPool('postgres://who:secret@127.0.0.1:1/where'))
  expect((await fetch(`${cutOffServer.url}/healthz`)).status).toBe(200)
  for (const path of ['/readyz', '/api/v1/me', '/api/v1/dashboard']) {
    const answer = await fetch(cutOffServer.url + path, { headers: { cookie } })
    expect(answer.headers.get('retry-after')).toBe('2')
    await expectRefusal(answer, 'unavailable')
  }
  expect(
    loggedLines.some((line) => line['msg'] === 'unavailable' && JSON.stringify(line).includes('ECONNREFUSED')),
  ).toBe(true)
  expect(JSON.stringify(loggedLines)).not.toContain('secret')
  await cutOffServer.close()
})

test('a database that does not respond gets one second', async () => {
  // This server accepts connections and never responds.
  const { createServer } = await import('node:net')
  const silentServer = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silentServer, 'listening')
  const pool = openPool(`postgres://who@127.0.0.1:${(silentServer.address() as AddressInfo).port}/where`)
  const cutOffServer = await serverAt(pool)
  const startedAt = performance.now()
  await expectRefusal(await fetch(`${cutOffServer.url}/readyz`), 'unavailable')
  expect(performance.now() - startedAt).toBeGreaterThan(900)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  silentServer.close()
  await cutOffServer.close()
})

test('only the readiness check queries the database', async () => {
  const readiness = openReadiness(server.deps)
  const healthQuery = vi.spyOn(server.deps.pools.health.pool, 'query')
  readiness.keepUp()
  expect(healthQuery).not.toHaveBeenCalled()
  await readiness.now()
  await readiness.look()
  healthQuery.mockClear()
  readiness.keepUp()
  expect(healthQuery).toHaveBeenCalledOnce()
  await readiness.look()
  healthQuery.mockClear()
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + ASKED_MS)
  readiness.keepUp()
  vi.mocked(performance.now).mockRestore()
  expect(healthQuery).not.toHaveBeenCalled()
  healthQuery.mockRestore()
})

test('a database without all migrations is not ready', async () => {
  const owner = new Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  const { rows } = await owner.query(`DELETE FROM bank.migration WHERE name LIKE '0010%' RETURNING *`)
  await server.deps.readiness.look()
  await expectRefusal(await server.browser().get('/readyz'), 'unavailable')
  await owner.query('INSERT INTO bank.migration SELECT * FROM json_populate_recordset(null::bank.migration, $1)', [
    JSON.stringify(rows),
  ])
  await server.deps.readiness.look()
  expect((await server.browser().get('/readyz')).status).toBe(200)
  await owner.end()
})

test('a table that stays locked makes the bank unavailable, and it recovers by itself', async () => {
  const visitor = await server.visitor()
  const owner = new Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  await owner.query('BEGIN; LOCK TABLE bank.session')
  await expectRefusal(await visitor.get('/api/v1/me'), 'unavailable')
  await owner.query('ROLLBACK')
  expect((await visitor.get('/api/v1/me')).status).toBe(200)
  await owner.end()
})

test('an internal error is a 500 without details', async () => {
  loggedLines.length = 0
  const visitor = await server.visitor()
  const db = {
    selectFrom: () => {
      throw new TypeError('a detail of ours')
    },
  } as unknown as Deps['db']
  const broken = { ...server.deps, pools: poolsOf({ pool: server.deps.pool, db }) }
  const http = createHttpServer(broken, createApi(broken, { openCustomer: rejectAsUnused }))
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const url = `http://localhost:${(http.address() as AddressInfo).port}`
  await expectRefusal(await fetch(`${url}/api/v1/sample/mail`, { headers: { cookie: visitor.cookie() } }), 'unexpected')
  expect(JSON.stringify(loggedLines)).toContain('a detail of ours')
  http.close()
})
