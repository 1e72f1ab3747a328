import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser } from '#server/test/browser.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

let server: PeopleServer
let beside: TestServer
let ann: TestPerson
let bob: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer()
  beside = await testServer({ beside: server })
})
afterAll(async () => {
  await beside.close()
  await server.close()
})
beforeEach(async () => {
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
  await ann.fund(100_00)
})

/** Returns the books after both servers have credited the points of their payments. */
async function settledBooks() {
  await beside.deps.paymentPoints.flush()
  return auditTestBooks(server)
}

const body = () => ({ recipient: bob.customer.email, amountMinor: 1_00, asset: 'USD' })

test('a session that ends on one server sends no money on any other from that instant', async () => {
  const there = openBrowser(() => beside.url, beside.url, ann.browser.cookie())
  const sends = Array.from({ length: 5 }, () => there.post('/api/v1/transfers', body()))
  for (const answer of await Promise.all(sends)) expect(answer.status).toBe(200)
  expect((await ann.browser.delete('/api/v1/session')).status).toBeLessThan(300)
  const before = await settledBooks()
  const late = Array.from({ length: 5 }, () => there.post('/api/v1/transfers', body()))
  for (const answer of await Promise.all(late)) await expectRefusal(answer, 'sign_in_required')
  await expectRefusal(await there.get('/api/v1/dashboard'), 'sign_in_required')
  expect(await settledBooks()).toEqual(before)
})

test('an ended session does not get an earlier response again', async () => {
  const key = randomUUID()
  const cookie = ann.browser.cookie()
  expect((await ann.browser.post('/api/v1/transfers', body(), { key })).status).toBe(200)
  await ann.browser.delete('/api/v1/session')
  for (const url of [server.url, beside.url]) {
    const again = openBrowser(() => url, url, cookie)
    await expectRefusal(await again.post('/api/v1/transfers', body(), { key }), 'sign_in_required')
  }
})

test('a request without a session is refused as such before other errors', async () => {
  const cookie = ann.browser.cookie()
  await ann.browser.delete('/api/v1/session')
  const before = await settledBooks()
  const callers = [server.browser(), server.browser(cookie), server.browser(cookie.replace(/=.*/, '=x'))]
  for (const caller of callers) {
    for (const bad of [{}, { ...body(), amountMinor: -1 }, { ...body(), recipient: 'neither' }, body()])
      await expectRefusal(await caller.post('/api/v1/transfers', bad), 'sign_in_required')
    await expectRefusal(await caller.send('POST', '/api/v1/transfers', '{"amountMinor": 1.5}'), 'sign_in_required')
    await expectRefusal(await caller.send('POST', '/api/v1/transfers', '{'), 'sign_in_required')
    await expectRefusal(await caller.post('/api/v1/transfers', body(), { key: null }), 'sign_in_required')
  }
  expect(await settledBooks()).toEqual(before)
})
