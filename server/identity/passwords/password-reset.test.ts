import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCustomer, type Customer } from '#server/identity/customers/customers.ts'
import { mailLinkJob } from '#server/identity/passwords/password-reset.ts'
import { hashPassword, verifyPassword } from '#server/identity/passwords/passwords.ts'
import { securityEventsOf } from '#server/identity/sessions/security-events.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'
import { openApp } from '#server/test/authenticator-app.ts'
import { testClock } from '#server/test/bank.ts'
import type { Browser } from '#server/test/browser.ts'
import { expectRefusal } from '#server/test/people.ts'
import { openPostOffice, type PostOffice } from '#server/test/post-office.ts'
import { testServer, type TestServer } from '#server/test/server.ts'
import { sendWithProof } from '#server/test/step-up.ts'

const PASSWORD = 'garden-lamp-42'
const NEW = 'river-stone-77'
let passwordHash: string
let server: TestServer
let post: PostOffice
let ann: Customer
let people = 0
const clock = testClock()

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD)
  server = await testServer({ clock, config: { mode: 'live' } })
  post = await openPostOffice(server)
})
afterAll(async () => {
  await post.close()
  await server.close()
})
beforeEach(async () => {
  people += 1
  ann = await createCustomer(server.deps, { fullName: 'Ann Lee', email: `ann.${people}@example.com`, passwordHash })
  await query('DELETE FROM bank.rate_limit')
})

const query = async (text: string, values: unknown[] = []) => (await server.deps.pool.query(text, values)).rows
const signIn = (browser: Browser, password: string) => browser.post('/api/v1/session', { email: ann.email, password })
const forgot = (email: string) => server.browser().post('/api/v1/password-resets', { email })
const choose = (oneTimeToken: string, password: string) =>
  server.browser().post('/api/v1/passwords', { oneTimeToken, password })
const hashNow = async () =>
  (await query('SELECT password_hash FROM bank.customer WHERE id = $1', [ann.id]))[0]?.password_hash
const events = async () =>
  (await securityEventsOf(server.deps, ann.id, { before: null, limit: 50 })).map(({ kind }) => kind).toReversed()

async function link(): Promise<string> {
  expect((await forgot(ann.email)).status).toBe(202)
  return post.tokenTo(ann.email)
}

test('a customer who has forgotten their password sets a new one by a mailed link, and signs in with it', async () => {
  const oneTimeToken = await link()
  expect(await post.mailsTo(ann.email)).toEqual([
    { subject: 'Choose a new password', text: expect.stringContaining(`/reset-password?token=${oneTimeToken}`) },
  ])
  const answer = await choose(oneTimeToken, NEW)
  expect(answer.status).toBe(204)
  // A password reset does not sign the customer in.
  expect(answer.headers.getSetCookie()).toEqual([])
  await expectRefusal(await signIn(server.browser(), PASSWORD), 'credentials_wrong')
  expect((await signIn(server.browser(), NEW)).status).toBe(200)
  expect((await post.mailsTo(ann.email)).map(({ subject }) => subject)).toEqual([
    'Choose a new password',
    'Password changed',
  ])
  expect((await events()).toSorted()).toEqual([
    'password_changed',
    'password_reset_asked',
    'sign_in_failed',
    'signed_in_with_password',
  ])
})

test('an unknown or unconfirmed email gets the same response and no mail', async () => {
  await createCustomer(server.deps, {
    fullName: 'Not Yet',
    email: 'unconfirmed@example.com',
    passwordHash,
    unconfirmed: ['email'],
  })
  const answers = await Promise.all([ann.email, 'nobody@example.com', 'unconfirmed@example.com'].map(forgot))
  for (const answer of answers) {
    expect(answer.status).toBe(202)
    expect(await answer.text()).toBe('')
  }
  expect(await post.mailsTo(ann.email)).toHaveLength(1)
  expect(await post.mailsTo('nobody@example.com')).toEqual([])
  expect(await post.mailsTo('unconfirmed@example.com')).toEqual([])
})

test('an address gets at most three links per hour', async () => {
  for (let times = 0; times < 5; times += 1) expect((await forgot(ann.email.toUpperCase())).status).toBe(202)
  expect(await post.mailsTo(ann.email)).toHaveLength(3)
})

test('all sessions of the customer end, and no others', async () => {
  const [phone, laptop, otherBrowser] = [server.browser(), server.browser(), server.browser()]
  const bob = await createCustomer(server.deps, {
    fullName: 'Bob May',
    email: `bob.${people}@example.com`,
    passwordHash,
  })
  for (const browser of [phone, laptop]) expect((await signIn(browser, PASSWORD)).status).toBe(200)
  await otherBrowser.post('/api/v1/session', { email: bob.email, password: PASSWORD })
  expect((await choose(await link(), NEW)).status).toBe(204)
  for (const browser of [phone, laptop]) await expectRefusal(await browser.get('/api/v1/me'), 'sign_in_required')
  expect((await otherBrowser.get('/api/v1/me')).status).toBe(200)
})

test('a link works once with simultaneous attempts', async () => {
  const oneTimeToken = await link()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => choose(oneTimeToken, `${NEW} ${index}`)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 204)).toHaveLength(1)
  expect(statuses.filter((status) => status === 410)).toHaveLength(19)
  expect(await verifyPassword(`${NEW} ${statuses.indexOf(204)}`, await hashNow())).toBe(true)
  await expectRefusal(await choose(oneTimeToken, NEW), 'link_invalid')
})

test('using one link voids the customer’s other links', async () => {
  const [first, second] = [await link(), await link()]
  expect((await choose(second, NEW)).status).toBe(204)
  await expectRefusal(await choose(first, 'tower-cloud-19'), 'link_invalid')
})

test('a link expires after 30 minutes', async () => {
  const oneTimeToken = await link()
  const startedAt = clock.realNow().getTime()
  clock.set(new Date(startedAt + 30 * 60_000))
  await expectRefusal(await choose(oneTimeToken, NEW), 'link_invalid')
  expect(await hashNow()).toBe(passwordHash)
})

test('a refused password leaves the link valid', async () => {
  const oneTimeToken = await link()
  await expectRefusal(await choose(oneTimeToken, 'short'), 'password_too_short', 'password')
  await expectRefusal(await choose(oneTimeToken, 'password1234'), 'password_common', 'password')
  await expectRefusal(await choose(oneTimeToken, `${ann.email} x`), 'password_common', 'password')
  await expectRefusal(await choose(oneTimeToken, ''), 'fields_missing', 'password')
  expect(await hashNow()).toBe(passwordHash)
  expect((await choose(oneTimeToken, NEW)).status).toBe(204)
})

test.each(['x', 'A'.repeat(43), '%00', "' OR true --"])('the one-time token %j has no effect', async (oneTimeToken) => {
  await expectRefusal(await choose(oneTimeToken, NEW), 'link_invalid')
})

test('a link of another kind is refused', async () => {
  const browser = server.browser()
  const email = `sign.up.${people}@example.com`
  await browser.post('/api/v1/customers', { fullName: 'Nora New', email, phone: '07911 123456', password: PASSWORD })
  await expectRefusal(await choose(await post.tokenTo(email), NEW), 'link_invalid')
})

test('a new password clears the device’s lock from failed attempts with the old one', async () => {
  const device = server.browser()
  expect((await signIn(device, PASSWORD)).status).toBe(200)
  for (let tries = 0; tries < 5; tries += 1) await expectRefusal(await signIn(device, `${tries}`), 'credentials_wrong')
  await expectRefusal(await signIn(device, PASSWORD), 'too_many_requests')
  expect((await choose(await link(), NEW)).status).toBe(204)
  expect((await signIn(device, NEW)).status).toBe(200)
})

test('a new password clears the lock from failed attempts with the old one', async () => {
  for (let tries = 0; tries < 5; tries += 1) await signIn(server.browser(), 'wrong')
  await expectRefusal(await signIn(server.browser(), PASSWORD), 'too_many_requests')
  expect((await choose(await link(), NEW)).status).toBe(204)
  expect((await signIn(server.browser(), NEW)).status).toBe(200)
})

test('a second factor is still required, and an incomplete sign-in is void', async () => {
  const browser = server.browser()
  await signIn(browser, PASSWORD)
  const begunSetup = await sendWithProof(browser, ['POST', '/api/v1/two-factor/setup'], { password: PASSWORD })
  const setup = await begunSetup.json()
  const app = openApp(setup.uri, clock)
  expect(
    (await browser.post('/api/v1/two-factor', { oneTimeToken: setup.oneTimeToken, code: app.code() })).status,
  ).toBe(200)
  clock.set(new Date(clock.realNow().getTime() + 30_000))
  const halfDone = await (await signIn(server.browser(), PASSWORD)).json()
  expect(halfDone.status).toBe('second_factor')
  expect((await choose(await link(), NEW)).status).toBe(204)
  const second = (oneTimeToken: string) =>
    browser.post('/api/v1/session/second-factor', { oneTimeToken, code: app.code() })
  await expectRefusal(await second(halfDone.oneTimeToken), 'step_ended')
  const answer = await signIn(browser, NEW)
  expect(answer.headers.getSetCookie()).toEqual([])
  const { status, oneTimeToken } = await answer.json()
  expect(status).toBe('second_factor')
  await expectRefusal(await browser.get('/api/v1/me'), 'sign_in_required')
  expect((await (await second(oneTimeToken)).json()).status).toBe('signed_in')
})

describe('for a signed-in customer', () => {
  test('the link is sent by mail', async () => {
    const browser = server.browser()
    await signIn(browser, PASSWORD)
    expect((await browser.post('/api/v1/password-links')).status).toBe(202)
    expect((await choose(await post.tokenTo(ann.email), NEW)).status).toBe(204)
    await expectRefusal(await browser.get('/api/v1/me'), 'sign_in_required')
  })

  test('no mail is sent to an unconfirmed address', async () => {
    const browser = server.browser()
    const email = `maybe.${people}@example.com`
    await browser.post('/api/v1/customers', { fullName: 'May Be', email, phone: '07911 123456', password: PASSWORD })
    await expectRefusal(await browser.post('/api/v1/password-links'), 'email_unconfirmed')
    expect((await post.mailsTo(email)).map(({ subject }) => subject)).toEqual(['Confirm your email'])
  })
})

test.each([
  ['/api/v1/password-resets', {}, 'fields_missing', 'email'],
  ['/api/v1/password-resets', { email: 'ann' }, 'email_invalid', 'email'],
  ['/api/v1/password-resets', { email: 'ann@example.com', customerId: 'x' }, 'request_invalid', 'customerId'],
  ['/api/v1/passwords', { password: NEW }, 'request_invalid', 'oneTimeToken'],
  ['/api/v1/passwords', { oneTimeToken: 'x', password: NEW, role: 'reviewer' }, 'request_invalid', 'role'],
] as const)('%s with %j is refused', async (path, request, code, field) => {
  await expectRefusal(await server.browser().post(path, request), code, field)
})

test('the mail is sent by SMTP, and its link works', async () => {
  const receivedMails: string[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (part: Buffer) => (text += part.toString()))
      stream.on('end', () => {
        receivedMails.push(text)
        done()
      })
    },
  })
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  const { port } = smtp.server.address() as AddressInfo
  const mailing = await testServer({ config: { mode: 'live', smtpUrl: `smtp://127.0.0.1:${port}` } })
  const jobs: Jobs = await startJobs(mailing.deps)
  await createCustomer(mailing.deps, { fullName: 'Ann Lee', email: 'ann@example.com', passwordHash })
  expect((await mailing.browser().post('/api/v1/password-resets', { email: 'ann@example.com' })).status).toBe(202)
  await expect.poll(() => receivedMails.length).toBe(1)
  // Joins the lines that quoted-printable encoding (RFC 2045) has split.
  const text = receivedMails[0]?.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
  expect(text).toContain('To: ann@example.com')
  expect(text).toContain('Subject: Choose a new password')
  expect(text).toMatch(/content-type: text\/plain/i)
  const [, oneTimeToken] = /\/reset-password\?token=([\w-]{43})\s/.exec(text) ?? []
  const answer = await mailing.browser().post('/api/v1/passwords', { oneTimeToken, password: NEW })
  expect(answer.status).toBe(204)
  await jobs.stop()
  await mailing.close()
  smtp.close()
})

test('no link is sent to an address that was replaced while the mail was written', async () => {
  const before = await post.mailsTo(ann.email)
  const lockingClient = await server.deps.pool.connect()
  await lockingClient.query('BEGIN')
  // At this point the job has read the recipient and is about to count the mail.
  await lockingClient.query('LOCK bank.rate_limit IN SHARE MODE')
  const caller = { device: { browser: 'Test browser', system: null }, networkZone: 'internet' } as const
  const resetRequest = { customerId: ann.id, caller, asker: 'somebody', device: null, own: false }
  const mailing = mailLinkJob.work(server.deps, resetRequest)
  const waitingQuery = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'bank.rate_limit'::regclass
                      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  await expect.poll(() => query(waitingQuery)).not.toEqual([])
  await lockingClient.query('UPDATE bank.customer SET email = $2 WHERE id = $1', [ann.id, `new.${ann.email}`])
  await lockingClient.query('COMMIT')
  lockingClient.release()
  await mailing
  expect(await query(`SELECT FROM bank.one_time_token WHERE customer_id = $1 AND kind = 'password'`, [ann.id])).toEqual(
    [],
  )
  expect(await post.mailsTo(ann.email)).toEqual(before)
})

test('an earlier change of the email cannot be completed afterwards', async () => {
  await query(
    `INSERT INTO bank.email_change (customer_id, id, email, old_confirmed, new_confirmed, expires_at)
     VALUES ($1, gen_random_uuid(), 'thief@example.com', false, true, $2)`,
    [ann.id, new Date(clock.realNow().getTime() + 60 * 60_000)],
  )
  expect((await choose(await link(), NEW)).status).toBe(204)
  expect(await query('SELECT FROM bank.email_change WHERE customer_id = $1', [ann.id])).toEqual([])
})
