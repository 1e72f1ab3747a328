import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { EXPORT_MARK } from '#contract/file-progress.ts'
import { issueCards } from '#server/cards/service.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { exportOf } from '#server/profile/export.ts'
import { createGoals } from '#server/savings/service.ts'
import { openAuthenticator } from '#server/test/authenticator.ts'
import { openApp } from '#server/test/authenticator-app.ts'
import { testClock } from '#server/test/bank.ts'
import { type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { doJobs, openPostOffice } from '#server/test/post-office.ts'
import { sendWithProof } from '#server/test/step-up.ts'

const clock = testClock()
let server: PeopleServer

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(() => server.close())

const query = async (text: string, values: unknown[] = []) => (await server.deps.pool.query(text, values)).rows

const DOWNLOAD = ['GET', '/api/v1/profile/export'] as const
const PASSWORD = 'correct horse battery'

/** `code` is the customer's current authenticator code, if they have an authenticator. */
async function exported({
  browser,
  code,
}: TestPerson & { code?: string }): Promise<{ answer: Response; text: string }> {
  const answer = await sendWithProof(browser, DOWNLOAD, code === undefined ? { password: PASSWORD } : { code })
  return { answer, text: await answer.text() }
}

/** Creates a customer with data in every part of the export. */
async function somebody(fullName: string, email: string): Promise<TestPerson & { code: string }> {
  const passwordHash = await hashPassword(PASSWORD)
  const person = await server.person({ fullName, email, passwordHash, dateOfBirth: '1990-02-03', postcode: 'VE1 1AA' })
  const { id: customerId, currentAccountId: accountId } = person.customer
  await person.fund(100_00)
  const card = { customerId, accountId, type: 'debit', kind: 'main' } as const
  await issueCards(server.deps, [{ ...card, name: 'Main Card', lastFour: '4821', expiresOn: '2028-12-31' }])
  await createGoals(server.deps, customerId, [{ name: `Sea of ${fullName}`, icon: 'plane', targetMinor: 1_000_00 }])
  await person.browser.post('/api/v1/sample/salary')
  await person.browser.post('/api/v1/transfers', { recipient: `to.${email}`, amountMinor: 5_00, asset: 'USD' })
  await doJobs(server, 'payments.mail_claim')
  await person.browser.post('/api/v1/kyc/specimens/id', { type: 'passport' })
  await person.browser.send('PATCH', '/api/v1/profile', JSON.stringify({ email: `new.${email}` }))
  const started = await (await person.browser.post('/api/v1/passkeys/options')).json()
  const response = openAuthenticator(server.url).create(started.options)
  expect((await person.browser.post('/api/v1/passkeys', { oneTimeToken: started.oneTimeToken, response })).status).toBe(
    200,
  )
  const setup = await (await person.browser.post('/api/v1/two-factor/setup')).json()
  const app = openApp(setup.uri, clock)
  const code = app.code()
  expect((await person.browser.post('/api/v1/two-factor', { oneTimeToken: setup.oneTimeToken, code })).status).toBe(200)
  await person.browser.get('/api/v1/contacts')
  await expect.poll(() => query('SELECT FROM bank.notification WHERE customer_id = $1', [customerId])).not.toEqual([])
  return { ...person, code: app.code(1) }
}

test('the download contains all data about a customer, and no data of others', async () => {
  const ann = await somebody('Ann Lee', 'ann@example.com')
  const bob = await somebody('Bob May', 'bob@example.org')
  const { answer, text } = await exported(ann)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="alder-data.json"')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const data = JSON.parse(text)
  expect(data).toMatchObject({
    bank: 'Alder',
    profile: { fullName: 'Ann Lee', pendingEmail: 'new.ann@example.com', dateOfBirth: '1990-02-03' },
    accounts: [
      { code: 'current', asset: 'USD', balanceMinor: 3_600_00, heldMinor: 5_00, transactions: expect.any(Array) },
      { code: 'savings', balanceMinor: 0, transactions: [] },
    ],
    goals: [{ name: 'Sea of Ann Lee', targetMinor: 1_000_00 }],
    cards: [{ name: 'Main Card', number: '•••• 4821', expiresOn: '2028-12-31' }],
    contacts: [{ address: 'to.ann@example.com' }],
    paymentsToClaim: [{ recipient: 'to.ann@example.com', amountMinor: 5_00, status: 'open' }],
    notifications: [{ kind: 'payment_received', message: 'You received $3,500.00 from Northwind Studio.' }],
    devices: [{ device: { browser: 'Test browser', system: null }, current: true }],
    passkeys: [{ name: expect.any(String) }],
    twoFactor: true,
    identityVerification: {
      status: 'required',
      documents: [{ step: 'id', type: 'passport' }],
    },
  })
  expect(data.accounts[0].transactions.map(({ amountMinor }: { amountMinor: number }) => amountMinor)).toEqual([
    -5_00, 3_500_00, 100_00,
  ])
  expect(data.mails.map(({ to }: { to: string }) => to)).toContain('to.ann@example.com')
  expect(data.securityEvents.map(({ kind }: { kind: string }) => kind)).toEqual(
    expect.arrayContaining(['data_downloaded', 'email_change_asked', 'passkey_added', 'two_factor_on']),
  )
  expect(text).not.toMatch(/bob/i)
  expect(text).not.toContain(bob.customer.id)
})

test('the download contains no secret', async () => {
  const cy = await somebody('Cy Roe', 'cy@example.net')
  const { text } = await exported(cy)
  const [storedRow] = await query(
    `SELECT (SELECT array_agg(token_hash) FROM bank.session) || (SELECT array_agg(token_hash) FROM bank.one_time_token)
              || (SELECT array_agg(digest) FROM bank.recovery_code)
              || (SELECT array_agg(encode(secret, 'base64')) FROM bank.two_factor)
              || (SELECT array_agg(credential_id) FROM bank.passkey)
              || (SELECT array_agg(encode(public_key, 'base64')) FROM bank.passkey)
              || (SELECT array_agg(encode(content, 'base64')) FROM bank.kyc_document)
              || (SELECT array_agg(password_hash) FROM bank.customer WHERE password_hash IS NOT NULL) AS secrets,
            (SELECT array_agg(encode(token, 'base64')) FROM bank.mail WHERE token IS NOT NULL) AS mails`,
  )
  expect(storedRow.secrets.length).toBeGreaterThan(8)
  for (const secret of storedRow.secrets) expect(text).not.toContain(secret)
  expect(text).not.toContain(cy.browser.cookie().split('=')[1])
  // The export contains no working links either, although the quoted mails had some.
  expect(storedRow.mails.length).toBeGreaterThan(0)
  expect(text).not.toMatch(/token=(?!removed)/)
  expect(text).toContain('token=removed')
  expect(text).not.toMatch(/secret|hash|digest|sealed/i)
})

test('in a live bank, the download excludes mails to an address that the customer never confirmed', async () => {
  const live = await peopleServer({ config: { mode: 'live' } })
  const post = await openPostOffice(live)
  const passwordHash = await hashPassword('garden-lamp-42')
  const owner = await live.person({ fullName: 'Olga Owner', email: 'taken@example.com', passwordHash })
  const password = 'garden-lamp-42'
  const mailsOf = async (browser: TestPerson['browser']) =>
    (await (await sendWithProof(browser, DOWNLOAD, { password })).json()).mails.map(
      ({ subject }: { subject: string }) => subject,
    )
  for (const [email, other] of [
    ['taken@example.com', 'free@example.com'],
    ['new@example.com', 'taken@example.com'],
  ]) {
    const browser = live.browser()
    const about = { fullName: 'Sam Strange', phone: '07911 123456', password }
    await browser.post('/api/v1/customers', { ...about, email })
    const change = { body: { email: other } }
    const response = await sendWithProof(browser, ['PATCH', '/api/v1/profile'], { password }, change)
    expect(response.status).toBe(200)
    await post.settled()
    expect(await mailsOf(browser)).toEqual([])
  }
  // The owner of the address finds the mails to it.
  expect(await mailsOf(owner.browser)).toEqual([
    'Someone tried to use your email address',
    'You already have an account',
  ])
  await post.close()
  await live.close()
})

test('the download excludes mails to an earlier owner of the address', async () => {
  const before = await server.person({ fullName: 'Fay First', email: 'shared@example.com' })
  for (const customerId of [before.customer.id, null])
    await query(
      `INSERT INTO bank.mail (id, customer_id, recipient, kind, params, created_at)
       VALUES (gen_random_uuid(), $1, 'shared@example.com', 'welcome', '{}', now())`,
      [customerId],
    )
  expect((await before.browser.post('/api/v1/profile/closure', {})).status).toBe(204)
  const after = await server.person({ fullName: 'Sue Second', email: 'shared@example.com' })
  const { mails } = JSON.parse((await exported(after)).text)
  // The export omits mails without a customer, because the address may have had another owner.
  expect(mails).toEqual([])
})

test('a long history is complete, and is sent while it is read', async () => {
  const dee = await server.person({ fullName: 'Dee Fox', email: 'dee@example.com' })
  const { id, currentAccountId } = dee.customer
  const outcomes = await server.deps.ledger.postAll(
    Array.from({ length: 3_001 }, (_, index) => ({
      id: randomUUID(),
      kind: 'test.pay',
      fingerprint: 'test',
      bookedAt: clock.businessNow(),
      legs: [
        {
          kind: 'transfer' as const,
          debit: bankAccount('ach_clearing'),
          credit: currentAccountId,
          amountMinor: index + 1,
          detail: { creditName: `Payment ${index}`, category: 'income' as const },
        },
      ],
    })),
  )
  expect(outcomes.every(({ ok }) => ok)).toBe(true)
  await query(
    `INSERT INTO bank.notification (id, customer_id, kind, params, created_at)
     SELECT gen_random_uuid(), $1, 'earlier', json_build_object('title', 'Title', 'message', n::text), date_trunc('second', now()) - n % 3 * interval '1 day' FROM generate_series(1, 1001) n`,
    [id],
  )
  await query(
    `INSERT INTO bank.security_event (customer_id, kind, device, network_zone, happened_at)
     SELECT $1, 'proof_given', '{"browser": "Test", "system": null}', 'internet', now() FROM generate_series(1, 500)`,
    [id],
  )
  await query(
    `INSERT INTO bank.mail (id, customer_id, recipient, kind, params, created_at)
     SELECT gen_random_uuid(), $1, 'dee@example.com', 'earlier',
            json_build_object('subject', 'Subject', 'text', n::text), now() FROM generate_series(1, 1000) n`,
    [id],
  )
  await query(
    `INSERT INTO bank.contact SELECT $1, n || '@example.com', 'x', 'x', now(), false, true FROM generate_series(1, 501) n`,
    [id],
  )
  const answer = await dee.browser.get('/api/v1/profile/export')
  expect(answer.headers.get('alder-transactions')).toBe('3001')
  const pieces: Uint8Array[] = []
  for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) pieces.push(piece)
  expect(pieces.length).toBeGreaterThan(5)
  const data = JSON.parse(Buffer.concat(pieces).toString())
  const amounts = data.accounts[0].transactions.map(({ amountMinor }: { amountMinor: number }) => amountMinor)
  expect(Buffer.concat(pieces).toString().split(EXPORT_MARK.text)).toHaveLength(3_002)
  expect(amounts).toEqual(Array.from({ length: 3_001 }, (_, index) => 3_001 - index))
  const distinct = (
    list: { message?: string; text?: string; address?: string; id?: string }[],
    key: 'message' | 'text' | 'address' | 'id',
  ) => new Set(list.map((item) => item[key])).size
  expect(distinct(data.notifications, 'message')).toBe(1_001)
  expect(distinct(data.mails, 'text')).toBe(1_000)
  expect(distinct(data.contacts, 'address')).toBe(501)
  expect(distinct(data.securityEvents, 'id')).toBe(501)
})

test('a download that the client ends during a read is not an error', async () => {
  const eve = await server.person({ fullName: 'Eve Fox', email: 'eve.fox@example.com' })
  const logged = vi.spyOn(server.deps.log, 'error')
  // Cancels the download at varying moments between two pieces, while the next one is being read.
  for (let turns = 1; turns <= 20; turns += 1) {
    const reader = exportOf(server.deps, { customerId: eve.customer.id, session: '' }).getReader()
    const reading = reader.read()
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
    await reader.cancel()
    await reading
  }
  await exported(eve)
  expect(logged).not.toHaveBeenCalled()
  logged.mockRestore()
})

test('an aborted download leaves no files, and a failed one does not look complete', async () => {
  const eli = await server.person({ fullName: 'Eli Orr', email: 'eli@example.com' })
  const leaving = new AbortController()
  const download = await fetch(`${server.url}/api/v1/profile/export`, {
    headers: { cookie: eli.browser.cookie() },
    signal: leaving.signal,
  })
  leaving.abort()
  await expect(download.text()).rejects.toThrow('aborted')
  expect((await exported(eli)).answer.status).toBe(200)

  await query(
    `INSERT INTO bank.contact SELECT $1, n || '@example.com', 'x', repeat('x', 200), now(), false, true FROM generate_series(1, 2000) n`,
    [eli.customer.id],
  )
  const failing = await peopleServer({ beside: server, clock })
  const { pool, db } = failing.deps.pools.background
  const broken = new Proxy(db, {
    get: (target, name) => {
      if (name !== 'selectFrom') {
        const member: unknown = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      }
      return (table: string) => {
        if (table.startsWith('bank.mail ')) throw new Error('the database went away')
        return db.selectFrom(table as 'bank.customer')
      }
    },
  })
  failing.deps.pools = { ...failing.deps.pools, background: { pool, db: broken } }
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const half = await fetch(`${failing.url}/api/v1/profile/export`, { headers: { cookie: eli.browser.cookie() } })
  expect(half.status).toBe(200)
  await expect(half.text()).rejects.toThrow('terminated')
  // The adapter's log must not contain the cause, which can quote rows.
  expect(String(printed.mock.calls)).not.toContain('the database went away')
  printed.mockRestore()
  await failing.close()
})
