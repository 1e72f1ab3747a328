import { randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Card } from '#contract/cards.ts'
import type { PoolName } from '#server/platform/db/pools.ts'
import type { ConcurrencyLimitName } from '#server/bank/concurrency-limits.ts'
import {
  authorizationRequest,
  outcomeOf,
  type Plastic,
  plasticOf,
  SCHEME_SECRET,
  sendCardMessage,
} from '#server/test/card-scheme.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

const logged: Record<string, unknown>[] = []
/** The longest time for an immediate answer, in milliseconds. Every wait in these tests is at least two seconds. */
const AT_ONCE_MS = 1_500
/** One request runs at a time, and a second one waits. */
const SHARE = { running: 1, waiting: 1, runningPerKey: 1, waitingPerKey: 2 }

let server: PeopleServer
let ann: TestPerson
let bob: TestPerson
let card: Plastic

beforeAll(async () => {
  server = await peopleServer({
    logged,
    config: { cardSchemeSecret: SCHEME_SECRET },
    concurrencyLimits: { cardClearings: SHARE, payments: SHARE, reads: SHARE },
  })
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  bob = await server.person({ fullName: 'Bob May', email: 'bob@example.com' })
  await ann.fund(1_000_00)
  await ann.browser.post('/api/v1/cards/main')
  const { cards } = (await (await ann.browser.get('/api/v1/cards')).json()) as { cards: Card[] }
  card = await plasticOf(server.deps, ann.customer.id, cards[0]?.id ?? '')
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})

/** Takes a number of places of a share until the returned function is called. By default, all places are taken. */
function take(share: ConcurrencyLimitName, places = SHARE.running + SHARE.waiting): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (let place = 0; place < places; place += 1)
    void server.deps.concurrencyLimits[share](`somebody ${place}`, () => promise)
  return resolve
}

/** Takes all connections of these pools until the returned function is called. */
async function takeConnections(names: PoolName[]): Promise<() => void> {
  const pools = names.map((name) => server.deps.pools[name].pool)
  const uploads = await Promise.all(
    pools.flatMap((pool) => Array.from({ length: pool.options.max }, () => pool.connect())),
  )
  return () => uploads.forEach((client) => client.release())
}

const send = () =>
  ann.browser.post('/api/v1/transfers', { recipient: 'bob@example.com', amountMinor: 1_00, asset: 'USD' })
const authorise = (authorisationId: string = randomUUID()) =>
  outcomeOf(sendCardMessage(server, authorizationRequest(card, { amountMinor: 1_00, authorisationId })))

async function refusedAtOnce(response: Promise<Response>): Promise<void> {
  const startedAt = performance.now()
  const refusal = await response
  expect(performance.now() - startedAt).toBeLessThan(AT_ONCE_MS)
  expect(refusal.headers.get('retry-after')).toBe('2')
  await expectRefusal(refusal, 'unavailable')
}

test('too many reads are refused at once, and payments, cards and health checks are not', async () => {
  logged.length = 0
  const letGo = take('reads')
  await refusedAtOnce(ann.browser.get('/api/v1/dashboard'))
  await refusedAtOnce(server.browser().get('/api/v1/session'))
  await refusedAtOnce(ann.browser.post('/api/v1/advisor/questions', { question: 'How much did I spend?' }))
  expect((await send()).status).toBe(200)
  expect(await authorise()).toBe('approved')
  expect((await server.browser().get('/readyz')).status).toBe(200)
  letGo()
  expect((await ann.browser.get('/api/v1/dashboard')).status).toBe(200)
  // One log line per refusal would add load of its own.
  expect(logged.filter(({ level }) => Number(level) >= 50)).toEqual([])
})

test('too many payments are refused at once and move no money, and cards are not refused', async () => {
  const before = await ann.balanceMinor()
  const letGo = take('payments')
  await refusedAtOnce(send())
  expect(await ann.balanceMinor()).toBe(before)
  expect(await authorise()).toBe('approved')
  letGo()
  expect((await send()).status).toBe(200)
})

test('too many other messages of the card scheme are refused at once, and its authorizations are not', async () => {
  const paymentId = randomUUID()
  expect(await authorise(paymentId)).toBe('approved')
  const capture = () =>
    sendCardMessage(server, {
      type: 'capture',
      messageId: randomUUID(),
      authorisationId: paymentId,
      amountMinor: 1_00,
      asset: 'USD',
    })
  const letGo = take('cardClearings')
  await refusedAtOnce(capture())
  expect(await authorise()).toBe('approved')
  letGo()
  expect(await outcomeOf(capture())).toBe('done')
})

test('each kind of work has its own connections, even if others use all of theirs', async () => {
  const letGo = await takeConnections(['payments', 'reads', 'background'])
  expect(await authorise()).toBe('approved')
  letGo()
  const letCardsGo = await takeConnections(['cards', 'reads', 'background'])
  expect((await send()).status).toBe(200)
  letCardsGo()
})

test('a health check is answered at once, even if all other requests wait', async () => {
  expect((await server.browser().get('/readyz')).status).toBe(200)
  const letGo = [take('reads'), take('payments'), await takeConnections(['cards', 'payments', 'reads', 'background'])]
  for (let count = 0; count < 5; count += 1) {
    const startedAt = performance.now()
    expect((await server.browser().get('/readyz')).status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(AT_ONCE_MS)
  }
  for (const go of letGo) go()
})

test('a body that arrives slowly takes no slot from other requests', async () => {
  const { host, hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const headers = `host: ${host}\r\norigin: ${server.url}\r\ncookie: ${bob.browser.cookie()}\r\ncontent-type: application/json`
  socket.write(`POST /api/v1/transfers HTTP/1.1\r\n${headers}\r\ncontent-length: 100\r\n\r\n{`)
  // The answer proves that the earlier request has arrived.
  await server.browser().get('/healthz')
  expect((await send()).status).toBe(200)
  socket.destroy()
})

test('a request whose client disconnects before its turn is not processed', async () => {
  logged.length = 0
  const letGo = take('reads', 1)
  const leaving = new AbortController()
  const { cookie } = ann.browser
  const leftRequest = fetch(`${server.url}/api/v1/dashboard`, { headers: { cookie: cookie() }, signal: leaving.signal })
  const staying = ann.browser.get('/api/v1/dashboard')
  await expect.poll(() => server.deps.concurrencyLimits.reads.load(ann.customer.id)).toBe(2)
  leaving.abort()
  await expect(leftRequest).rejects.toThrow('abort')
  // These answers prove that the earlier requests have arrived, too.
  for (let count = 0; count < 3; count += 1) await server.browser().get('/healthz')
  letGo()
  expect((await staying).status).toBe(200)
  const statuses = () =>
    logged
      .flatMap(({ route, status }) => (route === '/api/v1/dashboard' ? [Number(status)] : []))
      .toSorted((a, b) => a - b)
  await expect.poll(statuses).toEqual([200, 503])
})

test('requests with made-up cookies wait behind all others from their address', async () => {
  const name = ann.browser.cookie().replace(/=.*$/, '')
  const newBrowser = () => server.browser(`${name}=${randomBytes(32).toString('base64url')}`)
  const letGo = take('reads', 1)
  const waitingRequests = Array.from({ length: 3 }, () => newBrowser().get('/api/v1/dashboard'))
  await expect.poll(() => server.deps.concurrencyLimits.reads.load('127.0.0.1')).toBe(3)
  await expectRefusal(await newBrowser().get('/api/v1/dashboard'), 'too_many_requests')
  letGo()
  for (const response of waitingRequests) await expectRefusal(await response, 'sign_in_required')
})

test('a customer with many slow requests keeps no slot that others wait for', async () => {
  await bob.browser.get('/api/v1/dashboard')
  const { requests, reads } = server.deps.concurrencyLimits
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const under = Array.from({ length: 32 }, () => requests(bob.customer.id, () => promise))
  const waitingRequests = [bob.browser.get('/api/v1/dashboard'), bob.browser.get('/api/v1/dashboard')]
  await expect.poll(() => requests.load(bob.customer.id)).toBe(34)
  expect(reads.load(bob.customer.id)).toBe(0)
  expect((await ann.browser.get('/api/v1/dashboard')).status).toBe(200)
  letGo()
  await Promise.all(under)
  for (const answer of waitingRequests) expect((await answer).status).toBe(200)
})
