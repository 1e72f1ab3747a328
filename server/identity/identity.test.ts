import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCustomer, findCustomerByEmailOrPhone, findCustomers } from '#server/identity/customers/customers.ts'
import { SESSION_MS } from '#server/identity/sessions/sessions.ts'
import { digestOfGivenToken } from '#server/platform/secrets/token.ts'
import { testClock } from '#server/test/bank.ts'
import { signInCookie } from '#server/test/sign-in.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

let server: TestServer
const clock = testClock()

beforeAll(async () => {
  server = await testServer({ clock })
})
afterAll(() => server.close())

const query = async (text: string, values: unknown[] = []) => (await server.deps.pool.query(text, values)).rows

/** Reads the customer who is signed in with this cookie. */
const readMe = (cookie: string) => server.browser().get('/api/v1/me', { headers: { cookie } })

test('each visitor gets a customer of their own, and keeps it', async () => {
  const browser = server.browser()
  const first = await browser.post('/api/v1/session/visit')
  // Sorts by the kind of cookie. The digits after it differ for each bank and may sort before or after a letter.
  const kindOf = (cookie: string) => /^alder-(device|visitor)/.exec(cookie)?.[1] ?? ''
  const cookies = first.headers.getSetCookie().toSorted((a, b) => (kindOf(a) < kindOf(b) ? -1 : 1))
  expect(cookies).toEqual([
    expect.stringMatching(/^alder-[0-9a-f]{8}=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/),
    // 400 days is the longest time that browsers keep a cookie.
    expect.stringMatching(/^alder-device-[0-9a-f]{8}=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^alder-visitor-[0-9a-f]{8}=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  const { customer, mode } = await first.json()
  expect(customer).toEqual({
    fullName: 'Vera Visitor',
    email: expect.stringContaining('@example.com'),
    initials: 'VV',
    role: 'customer',
    emailConfirmed: true,
    language: null,
  })
  expect(mode).toBe('sample')

  const again = await browser.post('/api/v1/session/visit')
  expect(again.headers.getSetCookie()).toEqual([])
  expect((await again.json()).customer).toEqual(customer)
  expect((await (await browser.get('/api/v1/me')).json()).customer).toEqual(customer)

  const otherAnswer = await (await server.visitor()).get('/api/v1/me')
  expect((await otherAnswer.json()).customer.email).not.toBe(customer.email)
})

test('the database stores only a digest of the token', async () => {
  const token = /alder-[0-9a-f]{8}=([^;]+)/.exec((await server.visitor()).cookie())?.[1] ?? ''
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  const rows = await query('SELECT * FROM bank.session')
  expect(rows.map((row) => row.token_hash)).toContain(digestOfGivenToken(token))
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('signing out ends the session permanently', async () => {
  const browser = await server.visitor()
  const cookie = browser.cookie()
  const signOutAnswer = await browser.delete('/api/v1/session')
  expect(signOutAnswer.status).toBe(204)
  expect(signOutAnswer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^alder-[0-9a-f]{8}=; Max-Age=0; Path=\//),
  ])
  expect((await readMe(cookie)).status).toBe(401)
  expect((await browser.delete('/api/v1/session', { headers: { cookie } })).status).toBe(204)
  expect((await browser.delete('/api/v1/session')).status).toBe(204)
})

test.each(['', 'x', 'A'.repeat(43), '%00', 'A'.repeat(99)])('the token %j is refused', async (token) => {
  expect((await readMe(`${server.deps.cookies.session}=${token}`)).status).toBe(401)
})

test('a session ends 12 hours after it began, even if it is in use', async () => {
  const startedAt = clock.realNow().getTime()
  const customer = await createCustomer(server.deps, { fullName: 'Ann Lee', email: 'hours@example.com' })
  const cookie = await signInCookie(server.deps, customer.id)
  const session = digestOfGivenToken(cookie.split('=')[1])
  for (let hours = 0; hours < 12; hours += 1) {
    clock.set(new Date(startedAt + hours * 3_600_000))
    expect((await readMe(cookie)).status).toBe(200)
  }
  clock.set(new Date(startedAt + SESSION_MS - 1))
  expect((await readMe(cookie)).status).toBe(200)
  clock.set(new Date(startedAt + SESSION_MS))
  expect((await readMe(cookie)).status).toBe(401)
  expect(await query('SELECT FROM bank.session WHERE token_hash = $1', [session])).toHaveLength(1)
  for (let visits = 0; visits < 3; visits += 1) await server.visitor()
  expect(await query('SELECT FROM bank.session WHERE token_hash = $1', [session])).toHaveLength(0)
})

test('the last use is stored asynchronously, at most once a minute', async () => {
  const customer = await createCustomer(server.deps, { fullName: 'Ann Lee', email: 'used@example.com' })
  const startedAt = clock.realNow()
  const cookie = await signInCookie(server.deps, customer.id)
  const session = digestOfGivenToken(cookie.split('=')[1])
  const lastUsed = async (): Promise<Date> =>
    (await query('SELECT last_used_at FROM bank.session WHERE token_hash = $1', [session]))[0]?.last_used_at
  clock.set(new Date(startedAt.getTime() + 59_999))
  await readMe(cookie)
  await wait(1_200)
  expect(await lastUsed()).toEqual(startedAt)
  clock.set(new Date(startedAt.getTime() + 60_000))
  await readMe(cookie)
  expect(await lastUsed()).toEqual(startedAt)
  await expect.poll(lastUsed).toEqual(clock.realNow())
})

test('simultaneous requests share their look-ups, and each gets its own customer', async () => {
  const browsers = await Promise.all(Array.from({ length: 20 }, () => server.visitor()))
  const emailOf = async (index: number) => {
    const answer = await browsers[index % 20]?.get('/api/v1/me')
    return (await answer?.json())?.customer.email
  }
  const emails = await Promise.all(browsers.map((_, index) => emailOf(index)))
  expect(new Set(emails).size).toBe(20)
  const again = await Promise.all(Array.from({ length: 200 }, (_, index) => emailOf(index)))
  expect(again).toEqual(Array.from({ length: 200 }, (_, index) => emails[index % 20]))
})

test('one address opens at most 60 sample customers per minute', async () => {
  const limited = await testServer({ config: { trustProxy: true } })
  // The hourly limit is lower and has tests of its own.
  limited.deps.policy.visitors = null
  const visitFrom = (address: string) =>
    limited.browser().post('/api/v1/session/visit', undefined, { headers: { 'x-forwarded-for': address } })
  for (let index = 0; index < 60; index += 1) expect((await visitFrom(`10.0.0.${index}, 192.0.2.1`)).status).toBe(200)
  const refusal = await visitFrom('192.0.2.1')
  expect(refusal.status).toBe(429)
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await refusal.json()).error.code).toBe('too_many_requests')
  expect((await visitFrom('192.0.2.2')).status).toBe(200)
  // All addresses of one IPv6 subscriber count as one address.
  for (let index = 0; index < 60; index += 1)
    expect((await visitFrom(`2001:db8:0:1::${index.toString(16)}`)).status).toBe(200)
  expect((await visitFrom('2001:db8:0:1:ffff::1')).status).toBe(429)
  expect((await visitFrom('2001:db8:0:2::1')).status).toBe(200)
  const { rows } = await limited.deps.pool.query('SELECT key FROM bank.rate_limit')
  expect(JSON.stringify(rows)).not.toMatch(/192\.0|2001/)
  await limited.close()
})

test('the headers of a proxy are ignored unless it is trusted', async () => {
  const fresh = await testServer()
  for (let index = 0; index < 3; index += 1) {
    const headers = { 'x-forwarded-for': `10.0.0.${index}` }
    expect((await fresh.browser().post('/api/v1/session/visit', undefined, { headers })).status).toBe(200)
  }
  expect((await fresh.deps.pool.query('SELECT points FROM bank.rate_limit')).rows).toEqual([{ points: 3 }])
  await fresh.close()
})

test('a live bank creates no customers for visitors', async () => {
  const liveServer = await testServer({ config: { mode: 'live' } })
  const answer = await liveServer.browser().post('/api/v1/session/visit')
  expect(answer.status).toBe(401)
  expect((await answer.json()).error.code).toBe('sign_in_required')
  expect(answer.headers.getSetCookie()).toEqual([])
  expect((await liveServer.deps.pool.query('SELECT FROM bank.customer')).rowCount).toBe(0)
  await liveServer.close()
})

test('customers are found by email or phone in any spelling', async () => {
  const { deps } = server
  const ann = await createCustomer(deps, { fullName: 'Ann Lee', email: 'Ann.Lee@Example.com', phone: '07911 123456' })
  expect(ann).toMatchObject({
    email: 'ann.lee@example.com',
    phone: '+447911123456',
    currentAccountId: expect.any(Number),
  })
  const spellings = ['mailto:ANN.LEE@example.com', '+44 7911 123456', '0044 (0)7911-123456', '(07911) 123 456']
  const find = (text: string) => findCustomerByEmailOrPhone(deps, text, { phone: null })
  expect(await Promise.all([...spellings, 'nobody@example.com'].map(find))).toEqual([ann, ann, ann, ann, null])
  await expect(find('whoever')).rejects.toMatchObject({ code: 'recipient_invalid' })
  expect(await findCustomers(deps, [ann.id, '00000000-0000-7000-8000-000000000000'])).toEqual(new Map([[ann.id, ann]]))
})

test('an email or phone belongs to one customer, and a refused one leaves no data', async () => {
  const { deps } = server
  await createCustomer(deps, { fullName: 'First', email: 'taken@example.com', phone: '+447911000001' })
  const count = `SELECT (SELECT count(*) FROM bank.customer) AS customers, (SELECT count(*) FROM ledger.account) AS accounts`
  const before = await query(count)
  const refusedInputs = [
    [{ fullName: 'Second', email: 'TAKEN@example.com' }, 'request_invalid', 'email'],
    [{ fullName: 'Second', email: 'free@example.com', phone: '07911 000001' }, 'request_invalid', 'phone'],
    [{ fullName: 'Second', email: 'not an email' }, 'email_invalid', 'email'],
    [{ fullName: 'Second', email: '+447911000002' }, 'email_invalid', 'email'],
    [{ fullName: 'Second', email: 'free@example.com', phone: '12' }, 'phone_invalid', 'phone'],
    [{ fullName: ' ', email: 'free@example.com' }, 'fields_missing', 'fullName'],
  ] as const
  for (const [input, code, field] of refusedInputs)
    await expect(createCustomer(deps, input)).rejects.toMatchObject({ code, field })
  expect(await query(count)).toEqual(before)
})
