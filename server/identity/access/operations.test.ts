import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'
import { type Policy, policyFor, UNLIMITED_OPERATIONS } from '#server/bank/policy.ts'
import { counterKey } from '#server/platform/http/rate-limit.ts'
import { putFile, uploadTestDocument } from '#server/test/documents.ts'
import { runAsOwner } from '#server/test/database.ts'
import { auditTestBooks, expectRefusal, peopleServer, type PeopleServer, type TestPerson } from '#server/test/people.ts'
import { giveSecondFactor } from '#server/test/second-factor.ts'

const MANY = 1_000_000
/** The limit is one request a day, so that the second request exceeds it. */
const ONE: Policy['operations'] = {
  ...UNLIMITED_OPERATIONS,
  customer: { minute: MANY, hour: MANY, day: 1 },
  reviewer: { minute: MANY, hour: MANY, day: 1 },
}
const daily = (day: number) => ({ operations: { ...ONE, customer: { ...ONE.customer, day } } })

type Operation = {
  security?: unknown[]
  tags?: string[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}
type Route = { name: string; method: string; path: string; operation: Operation }

/** The GET routes that write rows. All other GET routes are not counted. */
const LEAVING_GETS = new Set(['GET /profile/export', 'GET /review/cases/{id}/documents/{documentId}'])
/** The routes that only revoke or block something. The limits do not count them either. */
const PROTECTING = new Set(['POST /cards/{id}/freeze', 'DELETE /sessions', 'DELETE /sessions/{id}'])
/** The bodies and paths that the schemas do not describe fully. */
const BODIES: Record<string, unknown> = {
  'POST /carbon/offsets': { month: '2026-08', grams: 1000, amountMinor: 1, asset: 'USD' },
  'POST /push': {
    endpoint: 'https://push.example.com/1',
    keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
  },
}
const PATHS: Record<string, string> = {
  'PUT /kyc/steps/{step}/document': '/api/v1/kyc/steps/id/document?type=passport',
  'POST /kyc/specimens/{step}': '/api/v1/kyc/specimens/id',
}
/**
 * Public routes that write no new rows: the first ends a session, the others redeem a one-time token that was counted when it
 * was issued.
 */
const LEAVE_NOTHING = new Set(['DELETE /session', 'POST /session/second-factor', 'POST /session/passkey'])

let server: PeopleServer
let routes: Route[]
let jobs: Jobs
let bodyOf: (route: Route) => string | undefined

beforeAll(async () => {
  server = await peopleServer({ policy: { operations: ONE }, config: { trustProxy: true } })
  // The business date advances only where a worker runs.
  jobs = await startJobs(server.deps, [])
  const document = await (await server.browser().get('/api/openapi.json')).json()
  routes = Object.entries(document.paths as Record<string, Record<string, Operation>>)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
        .map(([key, operation]) => {
          const method = key.toUpperCase()
          return { name: `${method} ${path.slice('/api/v1'.length)}`, method, path, operation }
        }),
    )
  bodyOf = ({ name, method, operation }) => {
    if (name in BODIES) return JSON.stringify(BODIES[name])
    const json = operation.requestBody?.content['application/json']
    if (json) return JSON.stringify(json.example)
    return operation.requestBody ? 'picture' : method === 'POST' ? '{}' : undefined
  }
})
afterAll(async () => {
  await jobs.stop()
  await server.close()
})

const filled = ({ name, path }: Route) => PATHS[name] ?? path.replaceAll(/\{(\w+)\}/g, () => randomUUID())
const isOpen = ({ operation }: Route) => operation.security?.length === 0
const isLeaving = ({ method, name }: Route) => (method === 'GET' ? LEAVING_GETS.has(name) : !PROTECTING.has(name))

/** Sends a request to the route as the given person, with a body that fits the route's schema. */
function ask({ browser }: Pick<TestPerson, 'browser'>, route: Route, headers: Record<string, string> = {}) {
  const types = Object.keys(route.operation.requestBody?.content ?? {})
  const type = types.find((one) => one !== 'application/json')
  const requestHeaders = {
    ...headers,
    ...(type && !types.includes('application/json') ? { 'content-type': type } : {}),
  }
  return browser.send(route.method, filled(route), bodyOf(route), { headers: requestHeaders })
}

/** Counts the rows of each table except the table of the counters. */
async function rows(): Promise<unknown> {
  const { rows: tables } = await server.deps.pool.query(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
      WHERE table_schema IN ('bank', 'ledger') AND table_type = 'BASE TABLE' AND table_name <> 'rate_limit'`,
  )
  const counts = tables.map(({ name }) => `SELECT '${name}' AS name, count(*) AS rows FROM ${name}`)
  return (await server.deps.pool.query(counts.join(' UNION ALL '))).rows
}

test('every route that stores data refuses requests beyond its limit, and no other route does', async () => {
  const ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  const rita = await server.person({ fullName: 'Rita Reviewer', email: 'rita@example.com' })
  await runAsOwner(server.database.ownerUrl, `UPDATE bank.customer SET role = 'reviewer' WHERE id = $1`, [
    rita.customer.id,
  ])
  await giveSecondFactor(server, rita)
  for (const { browser } of [ann, rita]) expect((await browser.post('/api/v1/goals', GOAL)).status).toBe(200)
  const guarded = routes.filter((route) => !isOpen(route))
  // The first request to some routes creates rows for the customer. Each route is therefore requested once before the
  // comparison.
  for (const route of guarded.filter((one) => !isLeaving(one))) await (await ask(ann, route)).body?.cancel()
  const before = await rows()
  expect(guarded.filter(isLeaving).length).toBeGreaterThan(80)
  const wrongAnswers: unknown[] = []
  for (const route of guarded) {
    const answer = await ask(route.path.startsWith('/api/v1/review/') ? rita : ann, route)
    const isRefused = answer.status === 429
    if (isRefused && !(Number(answer.headers.get('retry-after')) > 1)) wrongAnswers.push([route.name, 'no Retry-After'])
    if (isRefused !== isLeaving(route))
      wrongAnswers.push([route.name, answer.status, await answer.text(), bodyOf(route)])
    else await answer.body?.cancel()
  }
  expect(wrongAnswers).toEqual([])
  expect(await rows()).toEqual(before)
})

const GOAL = { name: 'Sea', icon: 'plane', targetMinor: 500, targetOn: null, lockedUntil: null }

test('every public route counts requests per address, or stores no data', async () => {
  const wrongAnswers: unknown[] = []
  const leaving = routes.filter((route) => isOpen(route) && isLeaving(route) && !LEAVE_NOTHING.has(route.name))
  expect(leaving.length).toBeGreaterThan(5)
  for (const [index, route] of leaving.entries()) {
    const address = `10.9.8.${index + 1}`
    const answer = await ask({ browser: server.browser() }, route, { 'x-forwarded-for': address })
    await answer.body?.cancel()
    const { rows: counters } = await server.deps.pool.query('SELECT key FROM bank.rate_limit WHERE key LIKE $1', [
      `%:${counterKey(server.deps, address)}`,
    ])
    if (counters.length === 0) wrongAnswers.push([route.name, answer.status, bodyOf(route)])
  }
  expect(wrongAnswers).toEqual([])
})

const send = (person: TestPerson, key: string) =>
  person.browser.post('/api/v1/transfers', { recipient: 'ben@example.com', amountMinor: 1, asset: 'USD' }, { key })

test('a request beyond the limit changes nothing, earlier responses can be repeated, and the key stays usable', async () => {
  const limited = await peopleServer({ policy: daily(2) })
  await limited.person({ fullName: 'Ben May', email: 'ben@example.com' })
  const ann = await limited.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await ann.fund(100)
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
  const sentTransfer = await (await send(ann, first)).json()
  const goal = () => ann.browser.post('/api/v1/goals', GOAL, { key: second })
  const openedGoal = await (await goal()).json()
  const before = await auditTestBooks(limited)
  await expectRefusal(await send(ann, third), 'too_many_requests')
  await expectRefusal(await ann.browser.post('/api/v1/goals', GOAL), 'too_many_requests')
  expect(await (await send(ann, first)).json()).toEqual(sentTransfer)
  expect(await (await goal()).json()).toEqual(openedGoal)
  expect(await auditTestBooks(limited)).toEqual(before)

  const laterServer = await peopleServer({ beside: { database: limited.database } })
  const again = await laterServer
    .browser(ann.browser.cookie())
    .post('/api/v1/transfers', { recipient: 'ben@example.com', amountMinor: 1, asset: 'USD' }, { key: third })
  expect(again.status).toBe(200)
  expect(await ann.balanceMinor()).toBe(98)
  await laterServer.close()
  await limited.close()
})

test('simultaneous requests do not exceed the limit', async () => {
  const limited = await peopleServer({ policy: daily(5) })
  await limited.person({ fullName: 'Ben May', email: 'ben@example.com' })
  const ann = await limited.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await ann.fund(100)
  const answers = await Promise.all(Array.from({ length: 40 }, () => send(ann, randomUUID())))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(35)
  expect(await ann.balanceMinor()).toBe(95)
  await limited.close()
})

test('the servers of one bank add up their counts, and a new server loads the sum', async () => {
  const first = await peopleServer({ policy: daily(3) })
  const { database } = first
  const beside = () => peopleServer({ policy: daily(3), beside: { database } })
  const second = await beside()
  await first.person({ fullName: 'Ben May', email: 'ben@example.com' })
  const ann = await first.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await ann.fund(100)
  const annAt = (server_: PeopleServer) => ({ ...ann, browser: server_.browser(ann.browser.cookie()) })
  expect((await send(ann, randomUUID())).status).toBe(200)
  expect((await send(ann, randomUUID())).status).toBe(200)
  await first.deps.operations.flush()
  expect((await send(annAt(second), randomUUID())).status).toBe(200)
  await second.deps.operations.flush()
  await expectRefusal(await send(annAt(second), randomUUID()), 'too_many_requests')
  await second.close()
  const third = await beside()
  // The third server reads the other servers' counts only after it has counted a request itself.
  expect((await send(annAt(third), randomUUID())).status).toBe(200)
  await third.deps.operations.flush()
  await expectRefusal(await send(annAt(third), randomUUID()), 'too_many_requests')
  await third.close()
  await first.close()
})

test('a sample bank also limits each address and all visitors together', async () => {
  const operations = { ...UNLIMITED_OPERATIONS, addressDay: 1, allDay: 11 }
  const limited = await peopleServer({ policy: { operations }, config: { trustProxy: true } })
  const ann = await limited.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  const from = (address: string) =>
    ann.browser.post('/api/v1/goals', GOAL, { headers: { 'x-forwarded-for': address } }).then(({ status }) => status)
  expect([await from('10.1.1.1'), await from('10.1.1.1'), await from('10.1.1.2')]).toEqual([200, 429, 200])
  // Nine networks that belong to one site.
  const networks: number[] = []
  for (let network = 1; network <= 9; network += 1) networks.push(await from(`2001:db8:1:${network}::1`))
  expect(networks).toEqual([...Array.from({ length: 8 }, () => 200), 429])
  expect([await from('127.0.0.1'), await from('127.0.0.1')]).toEqual([200, 429])
  await limited.close()
})

test('the limits allow a person or a busy family, and keep a day of one address to megabytes', () => {
  const { customer, addressDay, allDay } = policyFor({ mode: 'sample' }).operations
  expect(policyFor({ mode: 'live' }).operations.customer).toEqual(customer)
  expect(customer.minute).toBeGreaterThanOrEqual(60)
  expect(customer.hour).toBeGreaterThanOrEqual(500)
  expect(customer.day).toBeGreaterThanOrEqual(2_000)
  // The size of one transfer in the database, including indexes, in kilobytes (docs/decisions/0270).
  const KILOBYTES = 1.41
  expect(((addressDay ?? Infinity) * KILOBYTES) / 1e3).toBeLessThan(50)
  expect(((allDay ?? Infinity) * KILOBYTES) / 1e6).toBeLessThan(5)
})

test('pictures count by their size, for their address and for all', async () => {
  /** Sends one document and two receipt pictures of the same size, from two addresses. Returns the three statuses. */
  const sendThree = async (limits: Partial<Policy['pictures']>) => {
    const pictures = { receiptsBytes: MANY, addressDay: null, allDay: null, ...limits }
    const policy = { operations: UNLIMITED_OPERATIONS, pictures }
    const strict = await peopleServer({ policy, config: { trustProxy: true } })
    const ann = await strict.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
    await ann.fund(1)
    const [payment] = await ann.transactions()
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    const receipt = (address: string) =>
      putFile(strict, ann.browser, `/api/v1/transactions/${payment?.id}/photo`, from(address))
    const answers = [
      await uploadTestDocument(strict, ann.browser, from('203.0.113.1')),
      await receipt('203.0.113.1'),
      await receipt('203.0.113.2'),
    ]
    const { rows: storedPhotos } = await strict.deps.pool.query<{ size_bytes: number }>(
      'SELECT size_bytes FROM bank.kyc_document',
    )
    await strict.close()
    return {
      statuses: answers.map(({ status }) => status),
      kilobytes: Math.ceil((storedPhotos[0]?.size_bytes ?? 0) / 1000),
    }
  }
  const { statuses, kilobytes } = await sendThree({})
  expect(statuses).toEqual([200, 204, 204])
  expect((await sendThree({ addressDay: kilobytes })).statuses).toEqual([200, 429, 204])
  expect((await sendThree({ allDay: 2 * kilobytes })).statuses).toEqual([200, 204, 429])
})
