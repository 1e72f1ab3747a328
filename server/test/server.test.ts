import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '#server/test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

test('each browser keeps its own cookies', async () => {
  const [firstBrowser, secondBrowser] = await Promise.all([server.visitor(), server.visitor()])
  const names = await Promise.all(
    [firstBrowser, secondBrowser].map(async (browser) => (await browser.get('/api/v1/me')).json()),
  )
  expect(names[0].customer.email).not.toBe(names[1].customer.email)
  expect((await server.browser().get('/api/v1/me')).status).toBe(401)
})

test('the clock of a test moves only when the test moves it', async () => {
  const before = server.clock.businessNow()
  await server.clock.advance(60_000)
  expect(server.clock.businessNow().getTime() - before.getTime()).toBe(60_000)
})
