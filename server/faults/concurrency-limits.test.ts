import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { type TestPerson, peopleServer, type PeopleServer, expectRefusal } from '#server/test/people.ts'

const PASSWORD = 'violet-anchor-tundra-93'
let server: PeopleServer
let ann: TestPerson
let bob: TestPerson

beforeAll(async () => {
  server = await peopleServer({
    config: { trustProxy: true },
    concurrencyLimits: {
      requests: { runningPerKey: 2, waitingPerKey: 1 },
      passwords: { runningPerKey: 1, waitingPerKey: 2 },
      proofs: { runningPerKey: 1, waitingPerKey: 2 },
      receipts: { runningPerKey: 1, waitingPerKey: 3 },
      exports: { running: 2 },
    },
    streams: { perSession: 2 },
  })
  server.deps.policy.unknownEmailOpensCustomer = false
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  bob = await server.person({ fullName: 'Bob May', email: 'bob@example.com' })
  // The server learns the owner of a session from its first request.
  for (const { browser } of [ann, bob]) await browser.get('/api/v1/dashboard')
})
afterAll(() => server.close())

/** Takes places within a concurrency limit and returns a function that releases them. */
function take(share: 'requests' | 'exports', { customer }: TestPerson, times: number): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (let count = 0; count < times; count += 1) void server.deps.concurrencyLimits[share](customer.id, () => promise)
  return resolve
}

test('a customer with very many open requests waits, and is then refused, while others are not', async () => {
  const letGo = take('requests', ann, 2)
  const waiting = ann.browser.get('/api/v1/dashboard')
  await expect.poll(() => server.deps.concurrencyLimits.requests.load(ann.customer.id)).toBe(3)
  await expectRefusal(await ann.browser.get('/api/v1/dashboard'), 'too_many_requests')
  expect((await bob.browser.get('/api/v1/dashboard')).status).toBe(200)
  letGo()
  expect((await waiting).status).toBe(200)
})

test('a customer who sends money very often waits, and is then refused', async () => {
  const send = (person: TestPerson) =>
    person.browser.post('/api/v1/transfers', { recipient: 'nobody@example.com', amountMinor: 1, asset: 'USD' })
  const letGo = take('requests', ann, 2)
  const waiting = send(ann)
  await expect.poll(() => server.deps.concurrencyLimits.requests.load(ann.customer.id)).toBe(3)
  await expectRefusal(await send(ann), 'too_many_requests')
  await expectRefusal(await send(bob), 'insufficient_funds')
  letGo()
  await expectRefusal(await waiting, 'insufficient_funds')
})

test('exports run one at a time per customer, and no other customer waits for them', async () => {
  const letGo = take('exports', ann, 1)
  await expectRefusal(await ann.browser.get('/api/v1/profile/export'), 'too_many_requests')
  expect((await bob.browser.get('/api/v1/profile/export')).status).toBe(200)
  letGo()
  await expect.poll(() => server.deps.concurrencyLimits.exports.load(ann.customer.id)).toBe(0)
  for (let count = 0; count < 2; count += 1) {
    const file = await ann.browser.get('/api/v1/profile/export')
    expect(JSON.parse(await file.text())).toMatchObject({ bank: 'Alder' })
    await expect.poll(() => server.deps.concurrencyLimits.exports.load(ann.customer.id)).toBe(0)
  }
})

test('the oldest unread export ends to make room for a new one', async () => {
  const load = ({ customer }: TestPerson) => server.deps.concurrencyLimits.exports.load(customer.id)
  /** Opens a customer with more data than a connection buffers, and starts their export without reading it. */
  const begin = async (fullName: string, email: string) => {
    const person = await server.person({ fullName, email })
    await server.deps.pool.query(
      `INSERT INTO bank.contact SELECT $1, n || '@example.com', 'x', repeat('x', 4000), now(), false, true FROM generate_series(1, 4000) n`,
      [person.customer.id],
    )
    const file = await person.browser.get('/api/v1/profile/export')
    expect([file.status, load(person)]).toEqual([200, 1])
    return { person, file }
  }
  const [oldest, newest] = [await begin('Old Slow', 'old@example.com'), await begin('New Slow', 'new@example.com')]
  const wholeExport = await bob.browser.get('/api/v1/profile/export')
  expect(wholeExport.status).toBe(200)
  expect(JSON.parse(await wholeExport.text())).toMatchObject({ profile: { fullName: 'Bob May' } })
  await expect(oldest.file.text()).rejects.toThrow('terminated')
  expect(JSON.parse(await newest.file.text())).toMatchObject({ profile: { fullName: 'New Slow' } })
  for (const person of [oldest.person, newest.person, bob]) await expect.poll(() => load(person)).toBe(0)
})

test('an export that waits behind another response on its connection also ends to make room', async () => {
  const letGo = [take('requests', ann, 2)]
  const get = (path: string, { browser }: TestPerson) =>
    `GET /api/v1/${path} HTTP/1.1\r\nhost: ${new URL(server.url).host}\r\ncookie: ${browser.cookie()}\r\n\r\n`
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(get('dashboard', ann) + get('profile/export', bob))
  const load = () => server.deps.concurrencyLimits.exports.load(bob.customer.id)
  await expect.poll(load).toBe(1)
  letGo.push(take('exports', ann, 1))
  const cy = await server.person({ fullName: 'Cy Roe', email: 'cy@example.com' })
  expect((await cy.browser.get('/api/v1/profile/export')).status).toBe(200)
  expect(load()).toBe(0)
  for (const go of letGo) go()
  socket.destroy()
})

test('during many receipts at once other customers are served, and some of the receipts are refused', async () => {
  await ann.fund(10_000)
  const [transaction] = await ann.transactions()
  const path = `/api/v1/transactions/${transaction?.id}/receipt`
  // Three requests are the most that the limit of this server allows one customer at once: two running, one waiting.
  const share = server.deps.concurrencyLimits.requests
  const finishedRequests: string[] = []
  const receipts = Array.from({ length: 3 }, () =>
    ann.browser.get(path).then(({ status }) => finishedRequests.push(`${status}`)),
  )
  await expect.poll(() => share.load(ann.customer.id)).toBeGreaterThan(1)
  for (let count = 0; count < 5; count += 1) {
    expect((await bob.browser.get('/api/v1/dashboard')).status).toBe(200)
    finishedRequests.push('dashboard')
  }
  await Promise.all(receipts)
  // Rendering occupies its worker thread far longer than five dashboard requests take.
  expect(finishedRequests.slice(0, 5)).toEqual(Array(5).fill('dashboard'))
  expect(finishedRequests.slice(5)).toEqual(['200', '200', '200'])
})

test('a hundred simultaneous sign-ins from one address do not keep others from signing in', async () => {
  const signIn = async (address: string, index: number) => {
    const body = { email: `nobody${index}@example.com`, password: 'correct horse battery' }
    const { status } = await server.browser().post('/api/v1/session', body, { headers: { 'x-forwarded-for': address } })
    return status
  }
  const flood = Array.from({ length: 100 }, (_, index) => signIn('192.0.2.1', index))
  const otherSignIns = ['192.0.2.2', '2001:db8::1', '2001:db8:0:1::1'].map((address, index) =>
    signIn(address, 100 + index),
  )
  expect(await Promise.all(otherSignIns)).toEqual([422, 422, 422])
  const statuses = await Promise.all(flood)
  expect(new Set(statuses)).toEqual(new Set([422, 429]))
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(50)
})

test('many simultaneous proofs from one address, including right ones, wait in line and are then refused', async () => {
  const passwordHash = await hashPassword(PASSWORD)
  server.deps.policy.stepUp = 'always'
  const responses = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const { browser } = await server.person({ fullName: 'Eve Low', email: `eve${index}@example.com`, passwordHash })
      return { browser, token: (await browser.get('/api/v1/profile/export')).headers.get(STEP_UP_HEADER) }
    }),
  )
  server.deps.policy.stepUp = 'with_two_factor'
  const prove = async ({ browser, token }: (typeof responses)[number], address: string) => {
    const headers = { 'x-forwarded-for': address }
    return (await browser.post(`/api/v1/step-ups/${token}`, { password: PASSWORD }, { headers })).status
  }
  const [otherProof, ...flood] = responses.map((response, index) =>
    prove(response, index === 0 ? '192.0.2.8' : '192.0.2.9'),
  )
  expect(await otherProof).toBe(204)
  const statuses = await Promise.all(flood)
  expect(new Set(statuses)).toEqual(new Set([204, 429]))
  expect(statuses.filter((status) => status === 204).length).toBeGreaterThanOrEqual(3)
})

test('a session has a maximum of event streams: the oldest gets a notice that it was replaced, and ends', async () => {
  const streams: Response[] = []
  for (let count = 0; count < 3; count += 1) {
    const answer = await fetch(`${server.url}/api/v1/events`, { headers: { cookie: ann.browser.cookie() } })
    streams.push(answer)
  }
  expect(await streams[0]?.text()).toMatch(/data: \{"type":"replaced"\}\n\n$/)
  expect(server.deps.streams.count()).toBe(2)
  for (const { body } of streams.slice(1)) await body?.cancel()
  await expect.poll(() => server.deps.streams.count()).toBe(0)
})
