import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { type Person, peopleServer, type PeopleServer, expectRefusal } from '#server/test/people.ts'

const PASSWORD = 'violet-anchor-tundra-93'
let server: PeopleServer
let ann: Person
let bob: Person

beforeAll(async () => {
  server = await peopleServer({
    config: { trustProxy: true },
    shares: {
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
  // Until then the server does not know whose their sessions are.
  for (const { browser } of [ann, bob]) await browser.get('/api/v1/dashboard')
})
afterAll(() => server.close())

/** Takes a share and keeps it until told to let go. */
function take(share: 'requests' | 'exports', { customer }: Person, times: number): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (let count = 0; count < times; count += 1) void server.deps.shares[share](customer.id, () => promise)
  return resolve
}

test('a customer with very many requests under way waits, and is then refused; others are not', async () => {
  const letGo = take('requests', ann, 2)
  const waiting = ann.browser.get('/api/v1/dashboard')
  await expect.poll(() => server.deps.shares.requests.load(ann.customer.id)).toBe(3)
  await expectRefusal(await ann.browser.get('/api/v1/dashboard'), 'too_many_requests')
  expect((await bob.browser.get('/api/v1/dashboard')).status).toBe(200)
  letGo()
  expect((await waiting).status).toBe(200)
})

test('the same holds for who sends money very often', async () => {
  const send = (person: Person) =>
    person.browser.post('/api/v1/transfers', { recipient: 'nobody@example.com', amountMinor: 1, asset: 'USD' })
  const letGo = take('requests', ann, 2)
  const waiting = send(ann)
  await expect.poll(() => server.deps.shares.requests.load(ann.customer.id)).toBe(3)
  await expectRefusal(await send(ann), 'too_many_requests')
  await expectRefusal(await send(bob), 'insufficient_funds')
  letGo()
  await expectRefusal(await waiting, 'insufficient_funds')
})

test('one export at a time, and no other customer waits for it', async () => {
  const letGo = take('exports', ann, 1)
  await expectRefusal(await ann.browser.get('/api/v1/profile/export'), 'too_many_requests')
  expect((await bob.browser.get('/api/v1/profile/export')).status).toBe(200)
  letGo()
  await expect.poll(() => server.deps.shares.exports.load(ann.customer.id)).toBe(0)
  for (let count = 0; count < 2; count += 1) {
    const file = await ann.browser.get('/api/v1/profile/export')
    expect(JSON.parse(await file.text())).toMatchObject({ bank: 'Alder' })
    await expect.poll(() => server.deps.shares.exports.load(ann.customer.id)).toBe(0)
  }
})

test('of exports that nobody reads, the oldest makes room for whoever comes', async () => {
  const load = ({ customer }: Person) => server.deps.shares.exports.load(customer.id)
  /** Somebody with more than a connection takes before anybody reads, who begins to export. */
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
  const [oldest, other] = [await begin('Old Slow', 'old@example.com'), await begin('New Slow', 'new@example.com')]
  const whole = await bob.browser.get('/api/v1/profile/export')
  expect(whole.status).toBe(200)
  expect(JSON.parse(await whole.text())).toMatchObject({ profile: { fullName: 'Bob May' } })
  await expect(oldest.file.text()).rejects.toThrow('terminated')
  expect(JSON.parse(await other.file.text())).toMatchObject({ profile: { fullName: 'New Slow' } })
  for (const person of [oldest.person, other.person, bob]) await expect.poll(() => load(person)).toBe(0)
})

test('an export that waits behind another response on its connection makes room, too', async () => {
  const letGo = [take('requests', ann, 2)]
  const get = (path: string, { browser }: Person) =>
    `GET /api/v1/${path} HTTP/1.1\r\nhost: ${new URL(server.url).host}\r\ncookie: ${browser.cookie()}\r\n\r\n`
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(get('dashboard', ann) + get('profile/export', bob))
  const load = () => server.deps.shares.exports.load(bob.customer.id)
  await expect.poll(load).toBe(1)
  letGo.push(take('exports', ann, 1))
  const cy = await server.person({ fullName: 'Cy Roe', email: 'cy@example.com' })
  expect((await cy.browser.get('/api/v1/profile/export')).status).toBe(200)
  expect(load()).toBe(0)
  for (const go of letGo) go()
  socket.destroy()
})

test('many receipts at once: other customers are served meanwhile, and of the receipts some are refused', async () => {
  await ann.fund(10_000)
  const [transaction] = await ann.transactions()
  const path = `/api/v1/transactions/${transaction?.id}/receipt`
  // Not through the share of requests, which is small here.
  const share = server.deps.shares.requests
  const done: string[] = []
  const receipts = Array.from({ length: 3 }, () => ann.browser.get(path).then(({ status }) => done.push(`${status}`)))
  await expect.poll(() => share.load(ann.customer.id)).toBeGreaterThan(1)
  for (let count = 0; count < 5; count += 1) {
    expect((await bob.browser.get('/api/v1/dashboard')).status).toBe(200)
    done.push('dashboard')
  }
  await Promise.all(receipts)
  // Rendering takes a thread of its own far longer than five dashboards take.
  expect(done.slice(0, 5)).toEqual(Array(5).fill('dashboard'))
  expect(done.slice(5)).toEqual(['200', '200', '200'])
})

test('a hundred sign-ins at once from one address do not keep others from signing in', async () => {
  const signIn = async (address: string, index: number) => {
    const body = { email: `nobody${index}@example.com`, password: 'correct horse battery' }
    const { status } = await server.browser().post('/api/v1/session', body, { headers: { 'x-forwarded-for': address } })
    return status
  }
  const flood = Array.from({ length: 100 }, (_, index) => signIn('192.0.2.1', index))
  const others = ['192.0.2.2', '2001:db8::1', '2001:db8:0:1::1'].map((address, index) => signIn(address, 100 + index))
  expect(await Promise.all(others)).toEqual([422, 422, 422])
  const statuses = await Promise.all(flood)
  expect(new Set(statuses)).toEqual(new Set([422, 429]))
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(50)
})

test('many who give proofs at once from one address, right ones too, wait behind each other and are then refused', async () => {
  const passwordHash = await hashPassword(PASSWORD)
  server.deps.policy.stepUp = 'always'
  const asked = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const { browser } = await server.person({ fullName: 'Eve Low', email: `eve${index}@example.com`, passwordHash })
      return { browser, token: (await browser.get('/api/v1/profile/export')).headers.get(STEP_UP_HEADER) }
    }),
  )
  server.deps.policy.stepUp = 'with_two_factor'
  const prove = async ({ browser, token }: (typeof asked)[number], address: string) => {
    const headers = { 'x-forwarded-for': address }
    return (await browser.post(`/api/v1/step-ups/${token}`, { password: PASSWORD }, { headers })).status
  }
  const [other, ...flood] = asked.map((one, index) => prove(one, index === 0 ? '192.0.2.8' : '192.0.2.9'))
  expect(await other).toBe(204)
  const statuses = await Promise.all(flood)
  expect(new Set(statuses)).toEqual(new Set([204, 429]))
  expect(statuses.filter((status) => status === 204).length).toBeGreaterThanOrEqual(3)
})

test('a session has only so many event streams: the oldest is told that it was replaced, and ends', async () => {
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
