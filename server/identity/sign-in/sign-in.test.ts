import { argon2Sync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createCustomer, type Customer } from '#server/identity/customers/customers.ts'
import { hashPassword, verifyPassword } from '#server/identity/passwords/passwords.ts'
import { securityEventsOf } from '#server/identity/sessions/security-events.ts'
import { nameIn } from '#server/identity/sign-in/sign-in.ts'
import { testClock } from '#server/test/bank.ts'
import type { Browser } from '#server/test/browser.ts'
import { expectRefusal } from '#server/test/people.ts'
import { openPostOffice, type PostOffice } from '#server/test/post-office.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

vi.mock('#server/identity/passwords/passwords.ts', { spy: true })

const PASSWORD = 'garden-lamp-42'
let passwordHash: string

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD)
})

type Credentials = { email: string; password: string }

const signIn = (browser: Browser, { email, password }: Credentials, address?: string) =>
  browser.post('/api/v1/session', { email, password }, address ? { headers: { 'x-forwarded-for': address } } : {})

const emailOf = async (browser: Browser) => (await (await browser.get('/api/v1/me')).json()).customer?.email

const eventsOf = async ({ deps }: TestServer, { id }: Pick<Customer, 'id'>) =>
  (await securityEventsOf(deps, id, { before: null, limit: 50 })).map(({ kind }) => kind).toReversed()

const wrongTimes = async (server: TestServer, credentials: Credentials, times: number) => {
  for (let index = 0; index < times; index += 1) {
    await expectRefusal(
      await signIn(server.browser(), { ...credentials, password: `wrong ${index}` }),
      'credentials_wrong',
    )
  }
}

/** Returns the seconds for which the password is locked, from the response. */
async function secondsLocked(answer: Response): Promise<number> {
  await expectRefusal(answer, 'too_many_requests')
  return Number(answer.headers.get('retry-after'))
}

describe('in a live bank', () => {
  let server: TestServer
  let post: PostOffice
  let people = 0
  let ann: Customer
  let credentials: Credentials
  const clock = testClock()

  const query = async (text: string, values: unknown[] = []) => (await server.deps.pool.query(text, values)).rows

  beforeAll(async () => {
    server = await testServer({ clock, config: { mode: 'live' } })
    post = await openPostOffice(server)
  })
  afterAll(async () => {
    await post.close()
    await server.close()
  })
  beforeEach(async () => {
    people += 1
    credentials = { email: `ann.${people}@example.com`, password: PASSWORD }
    ann = await createCustomer(server.deps, { fullName: 'Ann Lee', email: credentials.email, passwordHash })
    await query(`DELETE FROM bank.rate_limit WHERE key LIKE 'sign-in:%'`)
    vi.mocked(verifyPassword).mockClear()
  })

  test('email and password sign in, in any spelling of the email', async () => {
    const browser = server.browser()
    const answer = await signIn(browser, { ...credentials, email: ` ANN.${people}@Example.com ` })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      status: 'signed_in',
      me: { customer: { email: credentials.email, emailConfirmed: true }, mode: 'live' },
    })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^alder-[0-9a-f]{8}=[\w-]{43}; Max-Age=43200;/),
      // The device cookie identifies the device but does not sign anyone in.
      expect.stringMatching(/^alder-device-[0-9a-f]{8}=[\w-]{43}; Max-Age=34560000;.* HttpOnly; SameSite=Lax$/),
    ])
    expect(await emailOf(browser)).toBe(credentials.email)
    expect(await eventsOf(server, ann)).toEqual(['signed_in_with_password'])
  })

  test('each sign-in creates a new token, and the previous one no longer works', async () => {
    const browser = server.browser()
    await signIn(browser, credentials)
    const before = browser.cookie()
    await signIn(browser, credentials)
    expect(browser.cookie()).not.toBe(before)
    expect((await server.browser().get('/api/v1/me', { headers: { cookie: before } })).status).toBe(401)
    // The bank does not reuse a token that another person has planted.
    const planted = before.replace(/=.*/, `=${'A'.repeat(43)}`)
    const answer = await server.browser().post('/api/v1/session', credentials, { headers: { cookie: planted } })
    expect(answer.headers.getSetCookie().join()).not.toContain('A'.repeat(43))
  })

  test('a failure does not change the current session', async () => {
    const browser = server.browser()
    await signIn(browser, credentials)
    const before = browser.cookie()
    await expectRefusal(await signIn(browser, { ...credentials, password: 'wrong' }), 'credentials_wrong')
    expect(browser.cookie()).toBe(before)
    expect(await emailOf(browser)).toBe(credentials.email)
  })

  test('an unknown email, an email without a password and an unconfirmed email are refused in the same way', async () => {
    await createCustomer(server.deps, { fullName: 'No Password', email: 'none@example.com' })
    await createCustomer(server.deps, {
      fullName: 'Not Yet',
      email: 'unconfirmed@example.com',
      passwordHash,
      unconfirmed: ['email'],
    })
    for (const email of ['nobody@example.com', 'none@example.com', 'unconfirmed@example.com']) {
      await expectRefusal(await signIn(server.browser(), { email, password: PASSWORD }), 'credentials_wrong')
    }
    expect(vi.mocked(verifyPassword)).toHaveBeenCalledTimes(3)
    expect(await query('SELECT FROM bank.customer WHERE email = $1', ['nobody@example.com'])).toEqual([])
  })

  test('a customer who has closed their account cannot sign in', async () => {
    await query('UPDATE bank.customer SET closed_at = now() WHERE id = $1', [ann.id])
    await expectRefusal(await signIn(server.browser(), credentials), 'credentials_wrong')
  })

  test('the customer gets a notice of a failed attempt, and no other notice', async () => {
    await wrongTimes(server, credentials, 1)
    await signIn(server.browser(), credentials)
    await post.settled()
    expect((await eventsOf(server, ann)).toSorted()).toEqual(['sign_in_failed', 'signed_in_with_password'])
    expect(await post.mailsTo(credentials.email)).toEqual([])
  })

  test('five failures lock the password, even the right one, and the customer gets one notice', async () => {
    await wrongTimes(server, credentials, 5)
    for (let tries = 0; tries < 3; tries += 1) {
      const seconds = await secondsLocked(await signIn(server.browser(), credentials))
      expect([seconds > 890, seconds <= 900]).toEqual([true, true])
    }
    expect(vi.mocked(verifyPassword)).toHaveBeenCalledTimes(5)
    await post.settled()
    expect((await eventsOf(server, ann)).toSorted()).toEqual(['password_locked', ...Array(5).fill('sign_in_failed')])
    expect(await post.mailsTo(credentials.email)).toEqual([
      { subject: 'Your password is temporarily locked', text: expect.stringContaining('15 minutes') },
    ])
    // This moves the lock 901 seconds back, past its 15 minutes.
    await query(`UPDATE bank.rate_limit SET expire = expire - 901000 WHERE key LIKE 'password:%'`)
    expect((await signIn(server.browser(), credentials)).status).toBe(200)
  })

  test('the password of an unknown email is locked in the same way', async () => {
    const nobodys = { email: `nobody.${people}@example.com`, password: PASSWORD }
    await wrongTimes(server, nobodys, 5)
    expect(await secondsLocked(await signIn(server.browser(), nobodys))).toBeGreaterThan(890)
  })

  test('a success resets the count of failures', async () => {
    for (let round = 0; round < 2; round += 1) {
      await wrongTimes(server, credentials, 4)
      expect((await signIn(server.browser(), credentials)).status).toBe(200)
    }
  })

  test('of 100 simultaneous guesses at most five are compared, for any claimed address', async () => {
    await query(`DELETE FROM bank.rate_limit`)
    const guesses = Array.from({ length: 100 }, (_, index) =>
      signIn(
        server.browser(),
        { ...credentials, password: index === 50 ? PASSWORD : `guess ${index}` },
        `10.0.0.${index}`,
      ),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(vi.mocked(verifyPassword).mock.calls.length).toBeLessThanOrEqual(5)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(95)
  })

  test('a password that is changed during its comparison does not sign in', async () => {
    const { promise: compared, resolve } = Promise.withResolvers<void>()
    const real = vi.mocked(verifyPassword).getMockImplementation() ?? verifyPassword
    vi.mocked(verifyPassword).mockImplementationOnce(async (password, hash) => {
      const isRight = await real(password, hash)
      await query('UPDATE bank.customer SET password_hash = $2 WHERE id = $1', [ann.id, await hashPassword('another')])
      resolve()
      return isRight
    })
    const answer = await signIn(server.browser(), credentials)
    await compared
    await expectRefusal(answer, 'credentials_wrong')
    expect(await query('SELECT FROM bank.session WHERE customer_id = $1', [ann.id])).toEqual([])
  })

  test('an outdated hash is renewed', async () => {
    const cost = { parallelism: 1, tagLength: 32, memory: 4096, passes: 3 }
    const nonce = Buffer.from('sixteen bytes xx')
    const tag = argon2Sync('argon2id', { message: PASSWORD, nonce, ...cost })
    const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
    const oldHash = `$argon2id$v=19$m=4096,t=3,p=1$${unpadded(nonce)}$${unpadded(tag)}`
    await query('UPDATE bank.customer SET password_hash = $2 WHERE id = $1', [ann.id, oldHash])
    await wrongTimes(server, credentials, 1)
    const hashNow = async () =>
      (await query('SELECT password_hash FROM bank.customer WHERE id = $1', [ann.id]))[0]?.password_hash
    expect(await hashNow()).toBe(oldHash)
    expect((await signIn(server.browser(), credentials)).status).toBe(200)
    expect(await hashNow()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await signIn(server.browser(), credentials)).status).toBe(200)
  })

  test('an attempt that is refused because too many passwords are being compared does not count as a failure', async () => {
    const { Refusal } = await import('#contract/errors.ts')
    for (let times = 0; times < 7; times += 1) {
      vi.mocked(verifyPassword).mockRejectedValueOnce(new Refusal('unavailable'))
      const answer = await signIn(server.browser(), credentials)
      expect(answer.headers.get('retry-after')).toBe('2')
      await expectRefusal(answer, 'unavailable')
    }
    expect((await signIn(server.browser(), credentials)).status).toBe(200)
  })

  test('a session of a live bank ends after five minutes of inactivity', async () => {
    const browser = server.browser()
    await signIn(browser, credentials)
    const startedAt = clock.realNow().getTime()
    clock.set(new Date(startedAt + 299_000))
    expect((await browser.get('/api/v1/me')).status).toBe(200)
    const lastUsed = async () =>
      (await query('SELECT last_used_at FROM bank.session WHERE customer_id = $1', [ann.id]))[0]?.last_used_at
    await expect.poll(lastUsed).toEqual(clock.realNow())
    clock.set(new Date(startedAt + 299_000 + 299_999))
    expect((await browser.get('/api/v1/me')).status).toBe(200)
    await expect.poll(lastUsed).toEqual(clock.realNow())
    clock.set(new Date(clock.realNow().getTime() + 300_000))
    await expectRefusal(await browser.get('/api/v1/me'), 'sign_in_required')
  })

  test('signing out is recorded once', async () => {
    const browser = server.browser()
    await signIn(browser, credentials)
    const cookie = browser.cookie()
    expect((await browser.delete('/api/v1/session')).status).toBe(204)
    expect((await server.browser().delete('/api/v1/session', { headers: { cookie } })).status).toBe(204)
    expect((await server.browser().get('/api/v1/me', { headers: { cookie } })).status).toBe(401)
    expect(await eventsOf(server, ann)).toEqual(['signed_in_with_password', 'signed_out'])
  })

  test.each([
    [{}, 'fields_missing', 'email'],
    [{ email: 'ann@example.com' }, 'fields_missing', 'password'],
    [{ email: '', password: 'x' }, 'fields_missing', 'email'],
    [{ email: 'ann', password: 'x' }, 'email_invalid', 'email'],
    [{ email: '+447911123456', password: 'x' }, 'email_invalid', 'email'],
    [{ email: 'ann@example.com', password: 7 }, 'request_invalid', 'password'],
    [{ email: ['ann@example.com'], password: 'x' }, 'email_invalid', 'email'],
    [{ email: 'ann@example.com', password: 'x', role: 'reviewer' }, 'request_invalid', 'role'],
    [{ email: 'ann@example.com', password: 'x', customerId: 1 }, 'request_invalid', 'customerId'],
  ] as const)('%j is refused, and no password is compared', async (request, code, field) => {
    await expectRefusal(await server.browser().post('/api/v1/session', request), code, field)
    expect(vi.mocked(verifyPassword)).not.toHaveBeenCalled()
  })
})

test('one address signs in at most 120 times a minute, and cannot pretend to be another', async () => {
  const server = await testServer({ config: { mode: 'live' } })
  vi.mocked(verifyPassword).mockResolvedValue(false)
  const from = (address: string, index: number) =>
    signIn(server.browser(), { email: `someone.${index}@example.com`, password: 'x' }, address)
  for (let index = 0; index < 120; index += 1) {
    expect((await from(`10.0.${index}.1`, index)).status).toBe(422)
  }
  await expectRefusal(await from('10.1.1.1', 120), 'too_many_requests')
  vi.mocked(verifyPassword).mockReset()
  await server.close()
})

describe('in a sample bank', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer()
  })
  afterAll(() => server.close())

  test('an unknown email opens a customer with that password', async () => {
    const newcomer = { email: 'ann.lee@example.org', password: 'x' }
    const answer = await signIn(server.browser(), newcomer)
    expect(await answer.json()).toMatchObject({
      status: 'signed_in',
      me: { customer: { fullName: 'Ann Lee', email: newcomer.email, emailConfirmed: true } },
    })
    await expectRefusal(await signIn(server.browser(), { ...newcomer, password: 'y' }), 'credentials_wrong')
    expect((await signIn(server.browser(), newcomer)).status).toBe(200)
    const { rows } = await server.deps.pool.query('SELECT count(*) AS customers FROM bank.customer')
    expect(rows).toEqual([{ customers: 1 }])
  })

  test('of many simultaneous sign-ins with one new email, those with the same password get the same customer', async () => {
    const attempts = Array.from({ length: 5 }, (_, index) =>
      signIn(server.browser(), { email: 'race@example.org', password: index === 0 ? 'one' : 'other' }),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 422]))
    const { rows } = await server.deps.pool.query(
      `SELECT count(*) AS customers FROM bank.customer WHERE email = 'race@example.org'`,
    )
    expect(rows).toEqual([{ customers: 1 }])
  })
})

test.each([
  ['ann.lee@example.com', 'Ann Lee'],
  ['ann_marie-lee42@example.com', 'Ann Marie Lee'],
  ["o'neil@example.com", "O'neil"],
  ['ærøskøbing@example.com', 'Ærøskøbing'],
  ['12345@example.com', '12345'],
])('%s is shown as the name %s', (email, name) => {
  expect(nameIn(email)).toBe(name)
})
