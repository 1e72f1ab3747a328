import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '#server/test/server.ts'

let sample: TestServer
let live: TestServer

beforeAll(async () => {
  sample = await testServer()
  live = await testServer({ config: { mode: 'live' } })
})
afterAll(() => Promise.all([sample.close(), live.close()]))

const customers = async ({ deps }: TestServer) =>
  (await deps.pool.query('SELECT count(*)::int AS count FROM bank.customer')).rows[0]?.count

test('a visitor without a session reads how to sign in, and no customer is opened for them', async () => {
  for (const server of [sample, live]) {
    const before = await customers(server)
    const answer = await server.browser().get('/api/v1/session')
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([])
    const here = server === sample
    expect(await answer.json()).toEqual({
      me: null,
      signInRequired: !here,
      biometricWithoutPasskey: here,
      mailboxPage: here,
      passwordMinLength: here ? 1 : 12,
      commonPasswordsRefused: !here,
    })
    expect(await customers(server)).toBe(before)
  }
})

test('a signed-in customer reads who they are', async () => {
  const browser = await sample.visitor()
  const { me } = await (await browser.get('/api/v1/session')).json()
  expect(me).toEqual(await (await browser.get('/api/v1/me')).json())
  await browser.delete('/api/v1/session')
  expect((await (await browser.get('/api/v1/session')).json()).me).toBeNull()
})
