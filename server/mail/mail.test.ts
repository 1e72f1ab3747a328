import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SMTPServer } from 'smtp-server'
import type { Mail } from '#contract/mail.ts'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { firstUuidFrom } from '#server/platform/uuid.ts'
import { createCustomer } from '#server/identity/customers/customers.ts'
import { signInCookie } from '#server/test/sign-in.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'
import { purgeMails, sealedToken, sendMail } from '#server/mail/service.ts'
import { WITH_GERMAN } from '#server/test/catalogs.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

const received: { to: string[]; text: string }[] = []
let refusing = false
const smtp = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onRcptTo: (_address, _session, done) =>
    done(refusing ? Object.assign(new Error('busy'), { responseCode: 451 }) : null),
  onData(stream, session, done) {
    let text = ''
    stream.on('data', (part: Buffer) => (text += part.toString()))
    stream.on('end', () => {
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
      done()
    })
  },
})

let server: TestServer
let jobs: Jobs
const logged: Record<string, unknown>[] = []

beforeAll(async () => {
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  smtp.listen(0, '127.0.0.1', resolve)
  await listening
  const { port } = smtp.server.address() as { port: number }
  server = await testServer({
    logged,
    catalogs: WITH_GERMAN,
    config: { smtpUrl: `smtp://127.0.0.1:${port}`, origin: null },
  })
  jobs = await startJobs(server.deps)
})
afterAll(async () => {
  await jobs.stop()
  await server.close()
  smtp.close()
})

const query = (text: string, values?: unknown[]) => runOn(server.deps.pool)(text, values)

async function signedIn(email: string) {
  const customer = await createCustomer(server.deps, { fullName: 'Ann Lee', email })
  const cookie = await signInCookie(server.deps, customer.id)
  const browser = server.browser(cookie)
  const mails = async () => (await (await browser.get('/api/v1/sample/mail')).json()).mails
  return { customer, browser, mails }
}

const welcome = (to: string, customerId?: string) =>
  sendMail(server.deps, server.deps.db, { to, ...(customerId ? { customerId } : {}), kind: 'welcome', params: {} })

test('a mail is sent once, after its commit', async () => {
  await expect(
    inTransaction(server.deps.db, async (trx) => {
      await sendMail(server.deps, trx, { to: 'no@example.com', kind: 'welcome', params: {} })
      throw new Error('on second thoughts')
    }),
  ).rejects.toThrow('on second thoughts')
  await welcome('ann@example.com')
  await expect.poll(() => received).toHaveLength(1)
  expect(received[0]).toMatchObject({ to: ['ann@example.com'], text: expect.stringContaining('Subject: Welcome to') })
  expect(received[0]?.text).toMatch(/From: Alder <no-reply@localhost>/)
  expect(received[0]?.text).toMatch(/Content-Language: en\r?\n/)
  const readMails = () => server.deps.pool.query('SELECT recipient, sent_at IS NOT NULL AS sent FROM bank.mail')
  await expect.poll(async () => (await readMails()).rows).toEqual([{ recipient: 'ann@example.com', sent: true }])
})

test('a mail is deleted after a year of real time, and not a day earlier, for any date of a sample bank', async () => {
  const { deps } = server
  const daysAgo = (days: number): Date => new Date(deps.clock.realNow().getTime() - days * DAY_MS)
  for (const [days, createdAt] of [
    [364, daysAgo(800)],
    [366, daysAgo(366)],
  ] as const)
    await query(
      `INSERT INTO bank.mail (id, recipient, kind, params, created_at) VALUES ($1, $2, 'welcome', '{}', $3)`,
      [firstUuidFrom(daysAgo(days)), `${days}@example.com`, createdAt],
    )
  expect(await purgeMails(deps)).toBe(1)
  expect((await query(`SELECT recipient FROM bank.mail WHERE recipient LIKE '36%'`)).rows).toEqual([
    { recipient: '364@example.com' },
  ])
})

test('the ids of mails contain their creation time', () => {
  const before = Date.now()
  const id = randomUUIDv7()
  expect(id >= firstUuidFrom(new Date(before))).toBe(true)
  expect(id < firstUuidFrom(new Date(Date.now() + 1))).toBe(true)
})

test('a mail is in its customer’s language, and declares it', async () => {
  const { customer } = await signedIn('german@example.com')
  await query(`UPDATE bank.customer SET language = 'de' WHERE id = $1`, [customer.id])
  const before = received.length
  await welcome('german@example.com', customer.id)
  await expect.poll(() => received.length).toBe(before + 1)
  expect(received.at(-1)?.text).toContain('Subject: Willkommen bei Alder')
  expect(received.at(-1)?.text).toMatch(/Content-Language: de\r?\n/)
})

test('a mail is sent as text and as HTML, with the HTML last', async () => {
  const before = received.length
  await welcome('both@example.com')
  await expect.poll(() => received.length).toBe(before + 1)
  const raw = received.at(-1)?.text ?? ''
  expect(raw).toContain('Content-Type: multipart/alternative')
  expect([...raw.matchAll(/Content-Type: (text\/\w+)/g)].map(([, type]) => type)).toEqual(['text/plain', 'text/html'])
})

test('a stored text with line breaks adds no header and no second mail', async () => {
  const before = received.length
  const id = randomUUID()
  const params = {
    subject: 'Hello\r\nBcc: evil@example.com\r\n\r\n<script>alert(1)</script>',
    text: 'Hello\r\n.\r\nRCPT TO:<evil@example.com>\r\n<b>',
  }
  await query(
    `INSERT INTO bank.mail (id, recipient, kind, params, created_at) VALUES ($1, 'ann@example.com', 'earlier', $2, now())`,
    [id, JSON.stringify(params)],
  )
  await query(`SELECT graphile_worker.add_job('mail.deliver', json_build_object('mailId', $1::text))`, [id])
  await expect.poll(() => received.length).toBe(before + 1)
  const raw = received.at(-1)?.text ?? ''
  expect(received.at(-1)?.to).toEqual(['ann@example.com'])
  expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^bcc:/im)
  expect(raw.slice(raw.indexOf('text/html'))).not.toContain('<script')
  expect(raw).toContain('&lt;b&gt;')
})

test('a mail that is not accepted is retried, and no address is logged', async () => {
  refusing = true
  await welcome('later@example.com')
  const error = async () =>
    (await server.deps.pool.query('SELECT last_error FROM graphile_worker.jobs')).rows[0]?.last_error
  await expect.poll(error).toContain('451')
  expect(await error()).not.toContain('later@')
  const logLine = { part: 'jobs', job: 'mail.deliver', attempts: 1, msg: 'a job failed' }
  await expect.poll(() => logged).toContainEqual(expect.objectContaining(logLine))
  expect(JSON.stringify(logged)).not.toContain('later@')
  refusing = false
  await server.deps.pool.query('UPDATE graphile_worker._private_jobs SET run_at = now()')
  await expect.poll(() => received.at(-1)?.to).toEqual(['later@example.com'])
})

test.each([
  'k1,flood@example.com',
  'a@example.com, b@example.com',
  'a@example.com>\r\nRCPT TO:<b@example.com',
  '"a" <b@example.com>',
  '(c)b@example.com',
])('a stored address that contains more than one inbox gets no mail: %j', async (recipient) => {
  const before = received.length
  const id = randomUUID()
  await query(
    `INSERT INTO bank.mail (id, recipient, kind, params, created_at) VALUES ($1, $2, 'welcome', '{}', now())`,
    [id, recipient],
  )
  await query(`SELECT graphile_worker.add_job('mail.deliver', json_build_object('mailId', $1::text))`, [id])
  await welcome('after@example.com')
  await expect.poll(() => received.length).toBe(before + 1)
  const readQueuedJobs = async () => (await query('SELECT 1 FROM graphile_worker.jobs')).rows
  await expect.poll(readQueuedJobs).toEqual([])
  expect(received.slice(before).map(({ to }) => to)).toEqual([['after@example.com']])
})

test('a link is sealed in the database, and readable in the sent mail and in the mailbox', async () => {
  const ann = await signedIn('link@example.com')
  const [to, customerId] = ['link@example.com', ann.customer.id]
  const token = sealedToken(server.deps.config, 'a-token')
  const before = received.length
  await sendMail(server.deps, server.deps.db, {
    to,
    customerId,
    kind: 'choose_password',
    params: { fullName: 'Ann Lee' },
    token,
  })
  await expect.poll(() => received.length).toBe(before + 1)
  const { rows } = await query('SELECT to_jsonb(m)::text AS mail FROM bank.mail m WHERE recipient = $1', [to])
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('a-token')
  expect(received.at(-1)?.text).toContain('token=3Da-token')
  expect((await ann.mails())[0].text).toContain('/reset-password?token=a-token')
})

test('a mailbox contains its own customer’s mails, for every address they were sent to', async () => {
  const [ann, bob] = [await signedIn('box.ann@example.com'), await signedIn('box.bob@example.com')]
  await welcome('box.ann@example.com', ann.customer.id)
  await welcome('friend@example.com', ann.customer.id)
  // The mail belongs to no customer, although the address is Bob's.
  await welcome('box.bob@example.com')
  const html = async (reader: typeof ann, id: string) => reader.browser.get(`/api/v1/sample/mail/${id}`)
  const { id } = (await ann.mails())[0]
  expect((await (await html(ann, id)).json()).html).toMatch(/^<!doctype html>[^]*Welcome to Alder/)
  for (const answer of [await html(bob, id), await html(ann, randomUUID()), await html(ann, 'x')]) {
    expect(answer.status).toBe(404)
  }
  expect((await ann.mails()).map(({ to }: Mail) => to)).toEqual(['friend@example.com', 'box.ann@example.com'])
  expect(await bob.mails()).toEqual([])
})

test('the new owner of a freed address cannot read the earlier mails', async () => {
  const before = await signedIn('freed@example.com')
  await welcome('freed@example.com', before.customer.id)
  expect(await before.mails()).toHaveLength(1)
  expect((await before.browser.post('/api/v1/profile/closure', {})).status).toBe(204)
  const after = await signedIn('freed@example.com')
  expect(await after.mails()).toEqual([])
  await welcome('freed@example.com', after.customer.id)
  expect(await after.mails()).toHaveLength(1)
})

test('the mailbox contains the newest 50 mails', async () => {
  const ann = await signedIn('many@example.com')
  for (let index = 0; index < 52; index += 1) await welcome(`to${index}@example.com`, ann.customer.id)
  const mails = await ann.mails()
  expect(mails).toHaveLength(50)
  expect(mails[0].to).toBe('to51@example.com')
})

test('a mail that an earlier version stored as text is unchanged, including its link', async () => {
  const ann = await signedIn('earlier@example.com')
  const sealed = sealedToken(server.deps.config, 'old-token').toString('base64url')
  const params = { subject: 'Confirm', text: `Open http://localhost/x?token=sealed_${sealed}` }
  await query(
    `INSERT INTO bank.mail (id, customer_id, recipient, kind, params, created_at)
     VALUES (gen_random_uuid(), $1, 'earlier@example.com', 'earlier', $2, now())`,
    [ann.customer.id, JSON.stringify(params)],
  )
  expect(await ann.mails()).toMatchObject([{ subject: 'Confirm', text: 'Open http://localhost/x?token=old-token' }])
})

test('a bank without a mailbox page has no mailbox', async () => {
  const live = await testServer({ config: { mode: 'live' } })
  const customer = await createCustomer(live.deps, { fullName: 'Ann Lee', email: 'ann@example.com' })
  const cookie = await signInCookie(live.deps, customer.id)
  const answer = await live.browser().get('/api/v1/sample/mail', { headers: { cookie } })
  expect(answer.status).toBe(404)
  await live.close()
})
