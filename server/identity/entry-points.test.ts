import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '#server/test/browser.ts'
import { expectRefusal } from '#server/test/people.ts'
import { openPostOffice, type PostOffice } from '#server/test/post-office.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

const PASSWORD = 'garden-lamp-42'
const newcomer = { fullName: 'Ann Lee', email: 'ann@example.com', phone: '07911 123456', password: PASSWORD }

/** Every route that begins a session or leads to one, with an example body. */
const DOORS: [path: string, body?: object][] = [
  ['/api/v1/customers', newcomer],
  ['/api/v1/session', { email: newcomer.email, password: PASSWORD }],
  ['/api/v1/session/visit'],
  ['/api/v1/session/biometric'],
  ['/api/v1/password-resets', { email: newcomer.email }],
  ['/api/v1/passwords', { oneTimeToken: 'A'.repeat(43), password: PASSWORD }],
  ['/api/v1/password-links'],
  ['/api/v1/email-confirmations', { oneTimeToken: 'A'.repeat(43), password: PASSWORD }],
  ['/api/v1/email-confirmation-links'],
]

let server: TestServer
let post: PostOffice

beforeAll(async () => {
  server = await testServer()
  post = await openPostOffice(server)
})
afterAll(async () => {
  await post.close()
  await server.close()
})

/** Returns every row of every table of the schema, as text. */
async function dump(): Promise<Map<string, string>> {
  const owner = new Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  const { rows } = await owner.query(`SELECT table_name AS name FROM information_schema.tables
                                       WHERE table_schema = 'bank' AND table_type = 'BASE TABLE'`)
  const tables = new Map<string, string>()
  for (const { name } of rows) {
    const { rows: content } = await owner.query(`SELECT to_jsonb(t)::text AS row FROM bank."${name}" t`)
    tables.set(name, content.map(({ row }) => row).join('\n'))
  }
  await owner.end()
  return tables
}

describe('another site cannot use an entry point', () => {
  test.each(DOORS)('%s', async (path, body) => {
    const sizes = async () => new Map([...(await dump())].map(([table, rows]) => [table, rows.length]))
    const before = await sizes()
    const browser = server.browser()
    const text = JSON.stringify(body ?? {})
    for (const headers of [
      { origin: undefined },
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'content-type': 'text/plain' },
      { origin: undefined, 'content-type': 'application/x-www-form-urlencoded' },
    ]) {
      await expectRefusal(await browser.send('POST', path, text, { headers }), 'origin_refused')
    }
    expect(browser.cookie()).toBe('')
    expect(await sizes()).toEqual(before)
  })
})

describe('an entry point accepts only JSON', () => {
  const withBody = DOORS.flatMap(([path, body]) => (body ? [[path, body] as const] : []))
  test.each(withBody)('%s', async (path, body) => {
    const browser = server.browser()
    const form = new URLSearchParams(Object.entries(body)).toString()
    for (const [type, text] of [
      ['text/plain', JSON.stringify(body)],
      ['application/x-www-form-urlencoded', form],
      ['multipart/form-data; boundary=x', `--x\r\n\r\n${form}\r\n--x--`],
    ] as const) {
      const answer = await browser.send('POST', path, text, { headers: { 'content-type': type } })
      expect([answer.status, browser.cookie()]).toEqual([expect.toBeOneOf([400, 415]), ''])
    }
  })
})

test('the contents of the database do not allow signing in', async () => {
  const secrets: string[] = [PASSWORD]
  const keep = (browser: Browser) =>
    secrets.push(
      ...browser
        .cookie()
        .split('; ')
        .map((pair) => pair.split('=')[1] ?? ''),
    )
  const browser = server.browser()
  await browser.post('/api/v1/session/visit')
  keep(browser)
  await browser.post('/api/v1/customers', newcomer)
  keep(browser)
  // In this bank, the free email of a new customer is confirmed without a link. The UPDATE makes it unconfirmed, so the bank
  // mails a link.
  const second = server.browser()
  await second.post('/api/v1/customers', { ...newcomer, email: 'second@example.com' })
  await server.deps.pool.query(`UPDATE bank.customer SET email_confirmed_at = NULL WHERE email = 'second@example.com'`)
  await second.post('/api/v1/email-confirmation-links')
  secrets.push(await post.tokenTo('second@example.com'))
  await second.post('/api/v1/password-resets', { email: newcomer.email })
  secrets.push(await post.tokenTo(newcomer.email))
  await browser.post('/api/v1/session', { email: newcomer.email, password: PASSWORD })
  await browser.post('/api/v1/session', { email: newcomer.email, password: 'a wrong password of theirs' })
  secrets.push('a wrong password of theirs')
  keep(browser)
  expect(secrets.length).toBeGreaterThanOrEqual(10)
  expect(secrets.every((secret) => secret.length > 10)).toBe(true)
  const tables = await dump()
  for (const name of ['session', 'visitor', 'one_time_token', 'mail', 'customer']) expect(tables.get(name)).not.toBe('')
  for (const [name, content] of tables) {
    for (const secret of secrets) expect([name, content.includes(secret)]).toEqual([name, false])
  }
})
