import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '#server/test/server.ts'

let sample: TestServer
let liveServer: TestServer

beforeAll(async () => {
  sample = await testServer()
  liveServer = await testServer({ config: { mode: 'live' } })
})
afterAll(() => Promise.all([sample.close(), liveServer.close()]))

const countCustomers = async ({ deps }: TestServer) =>
  (await deps.pool.query('SELECT count(*)::int AS count FROM bank.customer')).rows[0]?.count

test('a visitor without a session gets the rules for signing in, and no customer is created', async () => {
  for (const server of [sample, liveServer]) {
    const countBefore = await countCustomers(server)
    const answer = await server.browser().get('/api/v1/session')
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([])
    const isSample = server === sample
    expect(await answer.json()).toEqual({
      me: null,
      signInRequired: !isSample,
      biometricWithoutPasskey: isSample,
      mailboxPage: isSample,
      passwordMinLength: isSample ? 1 : 12,
      commonPasswordsRefused: !isSample,
    })
    expect(await countCustomers(server)).toBe(countBefore)
  }
})

test('the current session contains the signed-in customer, and null after sign-out', async () => {
  const browser = await sample.visitor()
  const { me } = await (await browser.get('/api/v1/session')).json()
  expect(me).toEqual(await (await browser.get('/api/v1/me')).json())
  await browser.delete('/api/v1/session')
  expect((await (await browser.get('/api/v1/session')).json()).me).toBeNull()
})
