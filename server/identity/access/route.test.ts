import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { purgeRequestsJob } from '#server/platform/idempotency.ts'
import { fingerprintOfRequest } from '#server/platform/http/request-key.ts'
import { startJobs } from '#server/platform/jobs/worker.ts'
import { testClock } from '#server/test/bank.ts'
import { expectRefusal, type PeopleServer, peopleServer } from '#server/test/people.ts'

const clock = testClock()
let server: PeopleServer

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(() => server.close())

const newcomer = () => ({
  fullName: 'Ann Lee',
  email: `${randomUUID()}@example.com`,
  phone: '07911 123456',
  password: 'x',
})

async function customers(): Promise<number> {
  return (await server.deps.pool.query('SELECT count(*) AS n FROM bank.customer')).rows[0].n
}

test.each(['/api/v1/customers', '/api/v1/session/visit'])(
  '%s without a key is refused and creates no customer',
  async (path) => {
    const before = await customers()
    const body = path.endsWith('customers') ? newcomer() : undefined
    await expectRefusal(await server.browser().post(path, body, { key: null }), 'idempotency_key_missing')
    await expectRefusal(await server.browser().post(path, body, { key: 'x' }), 'idempotency_key_invalid')
    expect(await customers()).toBe(before)
  },
)

test('signing up twice with one key, at once or later, creates one customer, who is signed in while that session lives', async () => {
  const before = await customers()
  const [key, details] = [randomUUID(), newcomer()]
  const browsers = Array.from({ length: 5 }, () => server.browser())
  const responses = await Promise.all(browsers.map((browser) => browser.post('/api/v1/customers', details, { key })))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  clock.set(new Date(clock.realNow().getTime() + 9 * 60_000))
  const late = server.browser()
  expect((await late.post('/api/v1/customers', details, { key })).status).toBe(200)
  expect(await customers()).toBe(before + 1)
  expect(await (await late.get('/api/v1/me')).json()).toMatchObject({ customer: { email: details.email } })
  await expectRefusal(
    await server.browser().post('/api/v1/customers', { ...details, fullName: 'Bob May' }, { key }),
    'idempotency_key_reused',
  )
  clock.set(new Date(clock.realNow().getTime() + 24 * 3_600_000))
  await expectRefusal(await server.browser().post('/api/v1/customers', details, { key }), 'idempotency_key_reused')
  expect(await customers()).toBe(before + 1)
})

test('a sign-up key does not sign in later, nor when the customer has another way to sign in', async () => {
  const signUp = async (path: string, body?: object) => {
    const key = randomUUID()
    const again = () => server.browser().post(path, body, { key })
    const browser = server.browser()
    expect((await browser.post(path, body, { key })).status).toBe(200)
    const { customer } = (await (await browser.get('/api/v1/me')).json()) as { customer: { email: string } }
    return { again, browser, change: (set: string) => changeCustomer(customer.email, set) }
  }
  const changeCustomer = (email: string, set: string) =>
    server.deps.pool.query(`UPDATE bank.customer SET ${set} WHERE email = $1`, [email])
  const visitor = await signUp('/api/v1/session/visit')
  await visitor.change(`password_hash = 'chosen since'`)
  const factor = await signUp('/api/v1/customers', newcomer())
  await server.deps.pool.query(
    `INSERT INTO bank.two_factor (customer_id, secret, last_step, created_at)
     SELECT id, 'x', 0, now() FROM bank.customer ORDER BY id DESC LIMIT 1`,
  )
  const changedCustomer = await signUp('/api/v1/customers', newcomer())
  await changedCustomer.change(`password_hash = 'chosen since'`)
  const closedCustomer = await signUp('/api/v1/session/visit')
  await closedCustomer.change('closed_at = now()')
  const late = await signUp('/api/v1/customers', newcomer())
  const before = await customers()
  for (const { again } of [visitor, factor, changedCustomer, closedCustomer])
    await expectRefusal(await again(), 'idempotency_key_reused')
  expect((await late.again()).status).toBe(200)
  clock.set(new Date(clock.realNow().getTime() + 11 * 60_000))
  await expectRefusal(await late.again(), 'idempotency_key_reused')
  expect(await customers()).toBe(before)
})

test('the stored sign-up cannot be compared with password guesses', async () => {
  const [key, body] = [randomUUID(), newcomer()]
  expect((await server.browser().post('/api/v1/customers', body, { key })).status).toBe(200)
  const { rows } = await server.deps.pool.query('SELECT fingerprint FROM bank.request WHERE key = $1', [key])
  const routeRequest = { method: 'POST', path: '/api/v1/customers', customerId: null }
  expect(rows[0].fingerprint).not.toBe(fingerprintOfRequest({ ...routeRequest, body }))
})

test('a refused sign-up leaves its key for the next attempt', async () => {
  const [key, details] = [randomUUID(), newcomer()]
  const refusal = await server.browser().post('/api/v1/customers', { ...details, email: 'no address' }, { key })
  await expectRefusal(refusal, 'email_invalid', 'email')
  expect((await server.browser().post('/api/v1/customers', details, { key })).status).toBe(200)
})

test('moving the date forward twice with one key moves it once', async () => {
  const ticking = await peopleServer({ clock: 'database' })
  const jobs = await startJobs(ticking.deps, [])
  const browser = await ticking.visitor()
  const key = randomUUID()
  const before = ticking.clock.businessNow().getTime()
  for (let index = 0; index < 3; index += 1) {
    expect((await browser.post('/api/v1/sample/clock', { days: 1 }, { key })).status).toBe(200)
  }
  const passedMs = ticking.clock.businessNow().getTime() - before
  expect(Math.round(passedMs / (24 * 3_600_000))).toBe(1)
  await jobs.stop()
  await ticking.close()
})

test('requests are deleted after three months', async () => {
  const countRequests = async () => (await server.deps.pool.query('SELECT count(*) AS n FROM bank.request')).rows[0].n
  expect(await countRequests()).toBeGreaterThan(0)
  await purgeRequestsJob.work(server.deps)
  expect(await countRequests()).toBeGreaterThan(0)
  clock.set(new Date(clock.realNow().getTime() + 91 * 24 * 3_600_000))
  await purgeRequestsJob.work(server.deps)
  expect(await countRequests()).toBe(0)
})
