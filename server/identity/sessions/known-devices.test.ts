import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCustomer } from '#server/identity/customers/customers.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import type { Browser } from '#server/test/browser.ts'
import { openPostOffice, type PostOffice } from '#server/test/post-office.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

const PASSWORD = 'garden-lamp-42'
const SUBJECT = 'New sign-in to your account'
const CHROME =
  'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Mobile Safari/537.36'
let server: TestServer
let post: PostOffice
let passwordHash: string

beforeAll(async () => {
  server = await testServer({ config: { mode: 'live' } })
  post = await openPostOffice(server)
  passwordHash = await hashPassword(PASSWORD)
})
afterAll(async () => {
  await post.close()
  await server.close()
})

async function signIn(browser: Browser, email: string, agent = CHROME): Promise<void> {
  const headers = { 'user-agent': agent }
  const response = await browser.post('/api/v1/session', { email, password: PASSWORD }, { headers })
  expect(response.status).toBe(200)
}

const deviceMailsTo = async (email: string) => (await post.mailsTo(email)).filter(({ subject }) => subject === SUBJECT)

test('a sign-in on a device new to the customer causes a mail, except the first sign-in and known devices', async () => {
  const email = 'ann@example.com'
  await createCustomer(server.deps, { fullName: 'Ann Lee', email, passwordHash })
  const [laptop, phone] = [server.browser(), server.browser()]
  await signIn(laptop, email)
  await signIn(laptop, email)
  expect(await deviceMailsTo(email)).toEqual([])
  await signIn(phone, email)
  const [mail, ...more] = await deviceMailsTo(email)
  expect(more).toEqual([])
  expect(mail?.text).toMatch(/Chrome on Android/)
  expect(mail?.text).toContain('August 28, 2026 at 9:41 AM UTC')
  expect(mail?.text).toContain("If this wasn't you, change your password")
  // Signing out and in again on either device sends no mail.
  await phone.delete('/api/v1/session')
  await signIn(phone, email)
  await signIn(laptop, email)
  expect(await deviceMailsTo(email)).toHaveLength(1)
})

test('a device of one customer is new for another', async () => {
  const [bob, cy] = ['bob@example.com', 'cy@example.com']
  for (const email of [bob, cy]) await createCustomer(server.deps, { fullName: 'Bob May', email, passwordHash })
  const [shared, other] = [server.browser(), server.browser()]
  await signIn(shared, bob)
  await signIn(other, cy)
  await signIn(shared, cy)
  expect(await deviceMailsTo(cy)).toHaveLength(1)
  expect(await deviceMailsTo(bob)).toEqual([])
})

test('a browser whose name is a link is not named in the mail, and the number of such mails is limited', async () => {
  const email = 'dee@example.com'
  await createCustomer(server.deps, { fullName: 'Dee Fox', email, passwordHash })
  for (let times = 0; times < 6; times += 1) await signIn(server.browser(), email, 'https://evil.example open/1.0 ')
  const mails = await deviceMailsTo(email)
  expect(mails).toHaveLength(3)
  expect(JSON.stringify(mails)).not.toContain('evil')
})

test('no mail is sent to an unconfirmed address', async () => {
  const email = 'eve@example.com'
  const eve = server.browser()
  await eve.post('/api/v1/customers', { fullName: 'Eve Low', email, phone: '07911 123456', password: PASSWORD })
  const { rows } = await server.deps.pool.query('SELECT id FROM bank.customer WHERE email = $1', [email])
  expect(rows).toHaveLength(1)
  const devices = () => server.deps.pool.query('SELECT 1 FROM bank.known_device WHERE customer_id = $1', [rows[0].id])
  const token = await post.tokenTo(email)
  expect(
    (await server.browser().post('/api/v1/email-confirmations', { oneTimeToken: token, password: 'wrong' })).status,
  ).toBe(422)
  expect(await deviceMailsTo(email)).toEqual([])
  expect((await devices()).rows).toHaveLength(1)
})
