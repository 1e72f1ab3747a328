import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCustomer, type Customer, findCustomerByContact } from '#server/identity/customers/customers.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { securityEventsOf } from '#server/identity/sessions/security-events.ts'
import { openApp } from '#server/test/authenticator-app.ts'
import { testClock } from '#server/test/bank.ts'
import type { Browser } from '#server/test/browser.ts'
import { expectRefusal } from '#server/test/people.ts'
import { openPostOffice, type PostOffice } from '#server/test/post-office.ts'
import { testServer, type TestServer } from '#server/test/server.ts'
import { sendWithProof } from '#server/test/step-up.ts'

const PASSWORD = 'garden-lamp-42'
const clock = testClock()
let server: TestServer
let post: PostOffice
let people = 0
let browser: Browser
let email: string
let oneTimeToken: string

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
  email = `nora.${people}@example.com`
  browser = server.browser()
  await query('DELETE FROM bank.rate_limit')
  await signUp(browser)
  oneTimeToken = await post.tokenTo(email)
})

const query = async (text: string, values: unknown[] = []) => (await server.deps.pool.query(text, values)).rows
const signUp = (by: Browser, password = PASSWORD) =>
  by.post('/api/v1/customers', { fullName: 'Nora New', email, phone: '07911 123456', password })
const confirm = (by: Browser, request: object = {}) =>
  by.post('/api/v1/email-confirmations', { oneTimeToken, ...request })
const owner = () => findCustomerByContact(server.deps, { kind: 'email', value: email })
const readMe = async (by: Browser) => (await (await by.get('/api/v1/me')).json()).customer
const eventsOf = async ({ id }: Pick<Customer, 'id'>) =>
  (await securityEventsOf(server.deps, id, { before: null, limit: 50 })).map(({ kind }) => kind).toReversed()

test('in the browser of the sign-up, the link alone confirms', async () => {
  expect(await owner()).toBeNull()
  const before = browser.cookie()
  const answer = await confirm(browser)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ status: 'done' })
  expect(browser.cookie()).toBe(before)
  expect(await readMe(browser)).toMatchObject({ email, emailConfirmed: true })
  const customer = (await owner()) as Customer
  expect(customer).toMatchObject({ fullName: 'Nora New', emailConfirmed: true })
  expect(await eventsOf(customer)).toEqual(['signed_up', 'email_confirmed'])
  expect((await server.browser().post('/api/v1/session', { email, password: PASSWORD })).status).toBe(200)
})

test('in another browser, the link and the password confirm and sign in', async () => {
  const otherBrowser = server.browser()
  await expectRefusal(await confirm(otherBrowser), 'fields_missing', 'password')
  await expectRefusal(await confirm(otherBrowser, { password: 'wrong' }), 'credentials_wrong')
  expect(await owner()).toBeNull()
  expect(otherBrowser.cookie()).toBe('')
  expect(await (await confirm(otherBrowser, { password: PASSWORD })).json()).toEqual({ status: 'done' })
  expect(await readMe(otherBrowser)).toMatchObject({ email, emailConfirmed: true })
  expect((await browser.get('/api/v1/me')).status).toBe(200)
})

test('in another customer’s session, the password is also required', async () => {
  const otherBrowser = server.browser()
  const passwordHash = await hashPassword(PASSWORD)
  await createCustomer(server.deps, { fullName: 'Bob May', email: `bob.${people}@example.com`, passwordHash })
  await otherBrowser.post('/api/v1/session', { email: `bob.${people}@example.com`, password: PASSWORD })
  await expectRefusal(await confirm(otherBrowser), 'fields_missing', 'password')
  expect(await readMe(otherBrowser)).toMatchObject({ fullName: 'Bob May' })
  expect(await owner()).toBeNull()
})

test('the owner’s click does not confirm the address for another person who signed up with it', async () => {
  // The attack: an account with another person's address and the attacker's password.
  const victim = server.browser()
  await expectRefusal(await confirm(victim), 'fields_missing', 'password')
  await expectRefusal(await confirm(victim, { password: 'the victim’s own' }), 'credentials_wrong')
  expect(await owner()).toBeNull()
})

test('five wrong passwords lock it, as at sign-in', async () => {
  const otherBrowser = server.browser()
  for (let tries = 0; tries < 5; tries += 1) {
    await expectRefusal(await confirm(otherBrowser, { password: `wrong ${tries}` }), 'credentials_wrong')
  }
  const answer = await confirm(otherBrowser, { password: PASSWORD })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(890)
  await expectRefusal(answer, 'too_many_requests')
  expect(await owner()).toBeNull()
  // The customer needs no password in a browser where they are signed in.
  expect((await confirm(browser)).status).toBe(200)
})

test('a link works once with simultaneous attempts', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(browser)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 410)).toHaveLength(19)
  expect((await eventsOf((await owner()) as Customer)).filter((kind) => kind === 'email_confirmed')).toHaveLength(1)
})

test('of two sign-ups with one address, the first to confirm it gets it, and the other link is void', async () => {
  const otherBrowser = server.browser()
  await signUp(otherBrowser)
  const [ownToken, otherToken] = [oneTimeToken, await post.tokenTo(email)]
  expect(otherToken).not.toBe(ownToken)
  oneTimeToken = otherToken
  expect((await confirm(otherBrowser)).status).toBe(200)
  oneTimeToken = ownToken
  await expectRefusal(await confirm(browser), 'link_invalid')
  await expectRefusal(await confirm(server.browser(), { password: PASSWORD }), 'link_invalid')
  expect((await owner())?.id).toBe(
    (await query('SELECT id FROM bank.customer WHERE email = $1 AND email_confirmed_at IS NOT NULL', [email]))[0].id,
  )
  expect(await readMe(browser)).toMatchObject({ emailConfirmed: false })
})

test('two customers who confirm one address at the same moment do not both get it', async () => {
  const otherBrowser = server.browser()
  await signUp(otherBrowser)
  const otherToken = await post.tokenTo(email)
  const answers = await Promise.all([confirm(browser), confirm(otherBrowser, { oneTimeToken: otherToken })])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410])
})

test('a link expires after a day', async () => {
  clock.set(new Date(clock.realNow().getTime() + 24 * 3_600_000))
  await expectRefusal(await confirm(server.browser(), { password: PASSWORD }), 'link_invalid')
  expect(await owner()).toBeNull()
})

test('with a second factor, the password confirms the address but does not sign in', async () => {
  const begunSetup = await sendWithProof(browser, ['POST', '/api/v1/two-factor/setup'], { password: PASSWORD })
  const setup = await begunSetup.json()
  const app = openApp(setup.uri, clock)
  expect(
    (await browser.post('/api/v1/two-factor', { oneTimeToken: setup.oneTimeToken, code: app.code() })).status,
  ).toBe(200)
  const otherBrowser = server.browser()
  const answer = await confirm(otherBrowser, { password: PASSWORD })
  expect(await answer.json()).toEqual({ status: 'done' })
  expect(otherBrowser.cookie()).toBe('')
  expect(await owner()).toMatchObject({ emailConfirmed: true })
})

test('after the confirmation no link can be sent again', async () => {
  await confirm(browser)
  expect((await browser.post('/api/v1/email-confirmation-links')).status).toBe(202)
  expect(await post.mailsTo(email)).toHaveLength(1)
})

test.each([
  [{}, 'request_invalid', 'oneTimeToken'],
  [{ oneTimeToken: '' }, 'request_invalid', 'oneTimeToken'],
  [{ oneTimeToken: 'x' }, 'link_invalid', undefined],
  [{ oneTimeToken: 'A'.repeat(43), password: PASSWORD }, 'link_invalid', undefined],
  [{ oneTimeToken: 'x', email: 'x@example.com' }, 'request_invalid', 'email'],
  [{ oneTimeToken: 'x', emailConfirmedAt: 'now' }, 'request_invalid', 'emailConfirmedAt'],
] as const)('%j is refused', async (request, code, field) => {
  await expectRefusal(await browser.post('/api/v1/email-confirmations', request), code, field)
})
