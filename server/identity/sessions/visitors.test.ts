import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCustomer } from '#server/identity/customers/customers.ts'
import { openApp } from '#server/test/authenticator-app.ts'
import { testClock } from '#server/test/bank.ts'
import type { Browser } from '#server/test/browser.ts'
import { expectRefusal } from '#server/test/people.ts'
import { openPostOffice } from '#server/test/post-office.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

let server: TestServer
const clock = testClock()
const HOUR_MS = 3_600_000

beforeAll(async () => {
  server = await testServer({
    clock,
    openCustomer: (deps, _applicant, details) => createCustomer(deps, details ?? somebody()),
  })
})
afterAll(() => server.close())

let people = 0
function somebody() {
  people += 1
  return { fullName: 'Vera Visitor', email: `visitor.${people}@example.com` }
}

const query = async (text: string, values: unknown[] = []) => (await server.deps.pool.query(text, values)).rows

const visit = async (browser: Browser): Promise<string> =>
  (await (await browser.post('/api/v1/session/visit')).json()).customer.email

const biometric = (browser: Browser) => browser.post('/api/v1/session/biometric')

const biometricEmail = async (browser: Browser): Promise<string> =>
  (await (await biometric(browser)).json()).me.customer.email

const leave = (browser: Browser) => browser.delete('/api/v1/session')

const signUp = (browser: Browser, email: string) =>
  browser.post('/api/v1/customers', { fullName: 'Ann Lee', email, phone: '07911 123456', password: 'x' })

describe('a returning visitor', () => {
  test('is the same after 12 hours, in a new session', async () => {
    const browser = server.browser()
    const email = await visit(browser)
    const before = browser.cookie()
    clock.set(new Date(clock.realNow().getTime() + 12 * HOUR_MS))
    expect((await browser.get('/api/v1/me')).status).toBe(401)
    expect(await visit(browser)).toBe(email)
    expect(browser.cookie()).not.toBe(before)
  })

  test('is the same after signing out', async () => {
    const browser = server.browser()
    const email = await visit(browser)
    await leave(browser)
    expect(await visit(browser)).toBe(email)
  })

  test('is a new customer after setting a password, and the browser remembers the former one', async () => {
    const browser = server.browser()
    await signUp(browser, 'has.password@example.com')
    await leave(browser)
    const stranger = await visit(browser)
    expect(stranger).not.toBe('has.password@example.com')
    await leave(browser)
    expect(await biometricEmail(browser)).toBe('has.password@example.com')
  })

  test('is a new customer after switching on two-factor authentication', async () => {
    const browser = server.browser()
    const email = await visit(browser)
    await query(
      `INSERT INTO bank.two_factor (customer_id, secret, last_step, created_at)
       SELECT id, '', 0, now() FROM bank.customer WHERE email = $1`,
      [email],
    )
    await leave(browser)
    expect(await visit(browser)).not.toBe(email)
  })

  test('is a new customer after adding a passkey', async () => {
    const browser = server.browser()
    const email = await visit(browser)
    await query(
      `INSERT INTO bank.passkey (id, customer_id, credential_id, public_key, sign_count, transports, synced, name, created_at)
       SELECT gen_random_uuid(), id, 'x', '', 0, '{}', false, 'Key', now() FROM bank.customer WHERE email = $1`,
      [email],
    )
    await leave(browser)
    expect(await visit(browser)).not.toBe(email)
  })

  test('is a new customer after closing their account', async () => {
    const browser = server.browser()
    const email = await visit(browser)
    await leave(browser)
    await query('UPDATE bank.customer SET closed_at = now() WHERE email = $1', [email])
    expect(await visit(browser)).not.toBe(email)
    expect(await biometricEmail(browser)).not.toBe(email)
  })

  test('is a new customer with a cookie that names none', async () => {
    const browser = server.browser()
    const email = await visit(browser)
    const cookie = browser
      .cookie()
      .split('; ')
      .map((pair) => (pair.startsWith('alder-visitor-') ? pair.replace(/=.*/, `=${'A'.repeat(43)}`) : ''))
      .join('')
    const answer = await server.browser().post('/api/v1/session/visit', undefined, { headers: { cookie } })
    expect((await answer.json()).customer.email).not.toBe(email)
  })
})

describe('biometrics without a passkey', () => {
  test('create a customer for a new browser, and recognize them after they have signed out', async () => {
    const browser = server.browser()
    const email = await biometricEmail(browser)
    await leave(browser)
    expect(await biometricEmail(browser)).toBe(email)
    const [customer] = await query('SELECT id FROM bank.customer WHERE email = $1', [email])
    const events = await query('SELECT kind FROM bank.security_event WHERE customer_id = $1 ORDER BY id', [customer.id])
    expect(events.map(({ kind }) => kind)).toEqual([
      'signed_in_with_biometric',
      'signed_out',
      'signed_in_with_biometric',
    ])
  })

  test('recognize the visitor after any time', async () => {
    const browser = server.browser()
    const email = await visit(browser)
    await leave(browser)
    clock.set(new Date(clock.realNow().getTime() + 300 * 24 * HOUR_MS))
    expect(await biometricEmail(browser)).toBe(email)
  })

  test('do not work in another browser', async () => {
    const [firstBrowser, secondBrowser] = [server.browser(), server.browser()]
    expect(await biometricEmail(firstBrowser)).not.toBe(await biometricEmail(secondBrowser))
  })

  test('are refused if the customer has switched them off', async () => {
    const browser = server.browser()
    const email = await visit(browser)
    await leave(browser)
    await query('UPDATE bank.customer SET biometric_login = false WHERE email = $1', [email])
    const before = browser.cookie()
    await expectRefusal(await biometric(browser), 'biometric_off')
    expect(browser.cookie()).toBe(before)
  })

  test('require the second factor of a customer who has one', async () => {
    const browser = server.browser()
    await visit(browser)
    const setup = await (await browser.post('/api/v1/two-factor/setup')).json()
    const app = openApp(setup.uri, clock)
    expect(
      (await browser.post('/api/v1/two-factor', { oneTimeToken: setup.oneTimeToken, code: app.code() })).status,
    ).toBe(200)
    await leave(browser)
    const before = browser.cookie()
    const { status, oneTimeToken } = await (await biometric(browser)).json()
    expect(status).toBe('second_factor')
    expect(browser.cookie()).toBe(before)
    clock.set(new Date(clock.realNow().getTime() + 30_000))
    const answer = await browser.post('/api/v1/session/second-factor', { oneTimeToken, code: app.code() })
    expect((await answer.json()).status).toBe('signed_in')
    const [event] = await query('SELECT kind FROM bank.security_event ORDER BY id DESC LIMIT 1')
    expect(event.kind).toBe('signed_in_with_biometric')
  })

  test('do not exist in a live bank, with any cookie', async () => {
    const liveServer = await testServer({ config: { mode: 'live' } })
    await createCustomer(liveServer.deps, { fullName: 'Ann Lee', email: 'ann@example.com' })
    const headers = { cookie: server.browser().cookie() }
    await expectRefusal(
      await liveServer.browser().post('/api/v1/session/biometric', undefined, { headers }),
      'sign_in_required',
    )
    await liveServer.close()
  })
})

test('starting over gives the browser a new customer permanently', async () => {
  const browser = server.browser()
  const email = await visit(browser)
  const restarted = await (await browser.post('/api/v1/sample/restart')).json()
  expect(restarted.customer.email).not.toBe(email)
  await leave(browser)
  expect(await visit(browser)).toBe(restarted.customer.email)
})

test('a signed-out visitor finds a requested link in their own browser’s mailbox, and others do not', async () => {
  const post = await openPostOffice(server)
  const [browser, otherBrowser] = [server.browser(), await server.visitor()]
  await signUp(browser, 'forgetful@example.com')
  // Gives the two mails a definite order.
  await post.settled()
  await leave(browser)
  await browser.post('/api/v1/password-resets', { email: 'forgetful@example.com' })
  await post.settled()
  await visit(browser)
  const subjects = async (visitor: Browser) =>
    (await (await visitor.get('/api/v1/sample/mail')).json()).mails.map(({ subject }: { subject: string }) => subject)
  expect(await subjects(browser)).toEqual(['Choose a new password', 'Welcome to Alder'])
  expect(await subjects(otherBrowser)).toEqual([])
  await post.close()
})

describe('the number of new visitors', () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const statusOf = (answer: Response) => answer.status

  test('is limited per hour and address, and the address can still sign in', async () => {
    const liveServer = await testServer({ clock, config: { trustProxy: true } })
    liveServer.deps.policy.visitors = { perAddressAndHour: 4, inAll: 100 }
    const credentials = { email: 'known@example.com', password: 'a word' }
    const ways = [
      () => liveServer.browser().post('/api/v1/session/visit', undefined, from('203.0.113.7')),
      () => liveServer.browser().post('/api/v1/session', credentials, from('203.0.113.7')),
      () => liveServer.browser().post('/api/v1/session/biometric', undefined, from('203.0.113.7')),
      () =>
        liveServer
          .browser()
          .post(
            '/api/v1/customers',
            { fullName: 'Ann Lee', email: 'ann@example.com', phone: '07911 123456', password: 'x' },
            from('203.0.113.7'),
          ),
    ]
    for (const way of ways) expect(statusOf(await way())).toBe(200)
    const before = (await liveServer.deps.pool.query('SELECT FROM bank.customer')).rowCount
    for (const way of [ways[0], ways[2], ways[3]]) await expectRefusal((await way?.()) as Response, 'no_new_visitors')
    const stranger = await liveServer
      .browser()
      .post('/api/v1/session', { email: 'new@example.com', password: 'x' }, from('203.0.113.7'))
    await expectRefusal(stranger, 'no_new_visitors')
    expect(stranger.headers.get('retry-after')).toBeTruthy()
    expect((await liveServer.deps.pool.query('SELECT FROM bank.customer')).rowCount).toBe(before)
    expect(statusOf(await liveServer.browser().post('/api/v1/session', credentials, from('203.0.113.7')))).toBe(200)
    expect(statusOf(await liveServer.browser().post('/api/v1/session/visit', undefined, from('203.0.113.8')))).toBe(200)
    await liveServer.close()
  })

  test('is limited to eight times as many per hour for all networks of one site', async () => {
    const liveServer = await testServer({ clock, config: { trustProxy: true } })
    liveServer.deps.policy.visitors = { perAddressAndHour: 2, inAll: 100 }
    const come = (address: string) => liveServer.browser().post('/api/v1/session/visit', undefined, from(address))
    for (let network = 0; network < 16; network += 1) {
      expect(statusOf(await come(`2001:db8:7:${network.toString(16)}::1`))).toBe(200)
    }
    await expectRefusal(await come('2001:db8:7:ff::1'), 'no_new_visitors')
    expect(statusOf(await come('2001:db8:8:ff::1'))).toBe(200)
    await liveServer.close()
  })

  test('is not limited for this computer, unless a proxy may be in between', async () => {
    const [ownServer, proxiedServer] = [
      await testServer({ clock }),
      await testServer({ clock, config: { origin: 'https://demo.example' } }),
    ]
    for (const client of [ownServer, proxiedServer]) {
      client.deps.policy.visitors = { perAddressAndHour: 2, inAll: 100 }
      for (let turn = 0; turn < 2; turn += 1) {
        expect(statusOf(await client.browser().post('/api/v1/session/visit'))).toBe(200)
      }
    }
    expect(statusOf(await ownServer.browser().post('/api/v1/session/visit'))).toBe(200)
    await expectRefusal(await proxiedServer.browser().post('/api/v1/session/visit'), 'no_new_visitors')
    await ownServer.close()
    await proxiedServer.close()
  })

  test('is limited by the maximum size of the bank', async () => {
    const liveServer = await testServer({ clock })
    liveServer.deps.policy.visitors = { perAddressAndHour: 100, inAll: 2 }
    const first = await liveServer.visitor()
    await liveServer.visitor()
    await expectRefusal(await liveServer.browser().post('/api/v1/session/visit'), 'no_new_visitors')
    await expectRefusal(await first.post('/api/v1/sample/restart'), 'no_new_visitors')
    expect(statusOf(await first.get('/api/v1/me'))).toBe(200)
    await liveServer.close()
  })
})
