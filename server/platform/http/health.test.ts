import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createApi } from '#server/api.ts'
import type { Deps } from '#server/platform/deps.ts'
import { openSessionQueue } from '#server/identity/sessions/sessions.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { createHttpServer } from '#server/platform/http/listen.ts'
import { expectRefusal } from '#server/test/people.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

let server: TestServer
const logged: Record<string, unknown>[] = []

beforeAll(async () => {
  server = await testServer({ logged })
})
afterAll(() => server.close())

/** The same bank with its database somewhere else. */
async function serverAt(pool: Deps['pool']) {
  const { clock, policy } = server.deps
  const deps = { ...server.deps, pool, sessions: openSessionQueue({ pool, clock, policy }) }
  const http = createHttpServer(deps, createApi(deps, { openCustomer: () => Promise.reject(new Error('unused')) }))
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
  expect(await (await server.browser().get('/readyz')).json()).toEqual({ status: 'ready', late: [] })
})

test('many readiness checks at once cost the database one', async () => {
  const queries = vi.spyOn(server.deps.pool, 'query')
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

test('without its database a bank is alive but not ready, and gives no reason', async () => {
  logged.length = 0
  const cookie = (await server.visitor()).cookie()
  const away = await serverAt(openPool('postgres://who:secret@127.0.0.1:1/where'))
  expect((await fetch(`${away.url}/healthz`)).status).toBe(200)
  for (const path of ['/readyz', '/api/v1/me', '/api/v1/dashboard']) {
    const answer = await fetch(away.url + path, { headers: { cookie } })
    expect(answer.headers.get('retry-after')).toBe('2')
    await expectRefusal(answer, 'unavailable')
  }
  expect(logged.some((line) => line['msg'] === 'unavailable' && JSON.stringify(line).includes('ECONNREFUSED'))).toBe(
    true,
  )
  expect(JSON.stringify(logged)).not.toContain('secret')
  await away.close()
})

test('a database that does not answer is given a second', async () => {
  // It takes connections and never says a word.
  const { createServer } = await import('node:net')
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const pool = openPool(`postgres://who@127.0.0.1:${(silent.address() as AddressInfo).port}/where`)
  const away = await serverAt(pool)
  const begun = performance.now()
  await expectRefusal(await fetch(`${away.url}/readyz`), 'unavailable')
  expect(performance.now() - begun).toBeGreaterThan(900)
  expect(performance.now() - begun).toBeLessThan(5_000)
  silent.close()
  await away.close()
})

test('a database that lacks a migration is not ready', async () => {
  const owner = new Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  const { rows } = await owner.query(`DELETE FROM bank.migration WHERE name LIKE '0010%' RETURNING *`)
  await expectRefusal(await server.browser().get('/readyz'), 'unavailable')
  await owner.query('INSERT INTO bank.migration SELECT * FROM json_populate_recordset(null::bank.migration, $1)', [
    JSON.stringify(rows),
  ])
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
  logged.length = 0
  const visitor = await server.visitor()
  const broken = {
    ...server.deps,
    db: {
      selectFrom: () => {
        throw new TypeError('a detail of ours')
      },
    } as unknown as Deps['db'],
  }
  const http = createHttpServer(broken, createApi(broken, { openCustomer: () => Promise.reject(new Error('unused')) }))
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const url = `http://localhost:${(http.address() as AddressInfo).port}`
  await expectRefusal(await fetch(`${url}/api/v1/sample/mail`, { headers: { cookie: visitor.cookie() } }), 'unexpected')
  expect(JSON.stringify(logged)).toContain('a detail of ours')
  http.close()
})
