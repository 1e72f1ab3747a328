import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignUpRequest } from '#contract/identity.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { createCustomer, findCustomerByContact } from '#server/identity/customers/customers.ts'
import { holderOfEmail } from '#server/identity/customers/password-hash.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { openCustomer } from '#server/sample/open-customer.ts'
import type { Browser } from '#server/test/browser.ts'
import { expectRefusal } from '#server/test/people.ts'
import { openPostOffice, type PostOffice } from '#server/test/post-office.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

const PASSWORD = 'garden-lamp-42'
const ann: SignUpRequest = {
  fullName: 'Ann Lee',
  email: 'ann@example.com',
  phone: '07911 123456',
  password: PASSWORD,
}
const withoutMail = { phone: '07911 000000', password: PASSWORD }

const signUp = (browser: Browser, request: object) => browser.post('/api/v1/customers', request)

const readMe = async (browser: Browser) => (await (await browser.get('/api/v1/me')).json()).customer

const countCustomers = async ({ deps }: TestServer) =>
  (await deps.pool.query('SELECT count(*) AS customers FROM bank.customer')).rows[0].customers

describe('in a live bank', () => {
  let server: TestServer
  let post: PostOffice

  beforeAll(async () => {
    server = await testServer({ config: { mode: 'live' } })
    post = await openPostOffice(server)
  })
  afterAll(async () => {
    await post.close()
    await server.close()
  })

  test('a new customer has an empty account, a session and an unconfirmed email', async () => {
    const browser = server.browser()
    const answer = await signUp(browser, ann)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      customer: {
        fullName: 'Ann Lee',
        email: 'ann@example.com',
        initials: 'AL',
        role: 'customer',
        emailConfirmed: false,
        language: null,
      },
      mode: 'live',
      idleSeconds: 300,
    })
    // There is no visitor cookie, because this bank has no visitors.
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^alder-[0-9a-f]{8}=[\w-]{43}; Max-Age=43200;/),
      expect.stringMatching(/^alder-device-[0-9a-f]{8}=[\w-]{43}; /),
    ])
    expect((await readMe(browser)).email).toBe('ann@example.com')
    const { rows } = await server.deps.pool.query('SELECT phone, password_hash FROM bank.customer')
    expect(rows).toEqual([{ phone: '+447911123456', password_hash: expect.stringMatching(/^\$argon2id\$/) }])
    expect((await browser.get('/api/v1/dashboard')).status).toBe(200)
    const contacts = [
      { kind: 'email', value: 'ann@example.com' },
      { kind: 'phone', value: '+447911123456' },
    ] as const
    for (const contact of contacts) expect(await findCustomerByContact(server.deps, contact)).toBeNull()
    expect(await post.mailsTo('ann@example.com')).toEqual([
      { subject: 'Confirm your email', text: expect.stringContaining('/confirm-email?token=') },
    ])
    const events = await server.deps.pool.query('SELECT kind FROM bank.security_event')
    expect(events.rows).toEqual([{ kind: 'signed_up' }])
  })

  test('a sign-up with a used email creates another customer; the owner gets a mail and keeps the email', async () => {
    const owner = await createCustomer(server.deps, {
      fullName: 'Olga Owner',
      email: 'taken@example.com',
      phone: '+447911222333',
    })
    const [freeClient, takenClient] = [server.browser(), server.browser()]
    const answers = [
      await signUp(freeClient, { fullName: 'Nora New', email: 'free@example.com', ...withoutMail }),
      await signUp(takenClient, {
        fullName: 'Nora New',
        email: 'TAKEN@example.com',
        phone: '+44 7911 222333',
        password: PASSWORD,
      }),
    ] as const
    const [freeBody, takenBody] = await Promise.all(answers.map((answer) => answer.json()))
    expect(takenBody).toEqual({ ...freeBody, customer: { ...freeBody.customer, email: 'taken@example.com' } })
    expect([...answers[1].headers.keys()].toSorted()).toEqual([...answers[0].headers.keys()].toSorted())
    expect(await post.mailsTo('taken@example.com')).toEqual([
      { subject: 'You already have an account', text: expect.stringContaining('Olga Owner') },
    ])
    expect(await findCustomerByContact(server.deps, { kind: 'email', value: 'taken@example.com' })).toEqual(owner)
    expect(await findCustomerByContact(server.deps, { kind: 'phone', value: '+447911222333' })).toEqual(owner)
    // A repeated request for the mail reveals no more than the sign-up did.
    expect((await takenClient.post('/api/v1/email-confirmation-links')).status).toBe(202)
    expect((await freeClient.post('/api/v1/email-confirmation-links')).status).toBe(202)
    expect((await post.mailsTo('taken@example.com')).map(({ subject }) => subject)).toEqual([
      'You already have an account',
      'You already have an account',
    ])
    expect(await post.mailsTo('free@example.com')).toHaveLength(2)
  })

  test('the number of sign-ups per hour is limited for all addresses, and reveals no customers', async () => {
    const liveServer = await testServer({ config: { mode: 'live', trustProxy: true } })
    liveServer.deps.policy.newCustomersPerHour = 2
    await createCustomer(liveServer.deps, { fullName: 'Olga Owner', email: 'taken@example.com' })
    const come = (index: number, email = `new${index}@example.com`) =>
      liveServer
        .browser()
        .post('/api/v1/customers', { ...ann, email }, { headers: { 'x-forwarded-for': `2001:db8:${index}::1` } })
    for (const index of [1, 2]) expect((await come(index)).status).toBe(200)
    const before = await countCustomers(liveServer)
    for (const email of ['new3@example.com', 'taken@example.com']) {
      const answer = await come(3, email)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      await expectRefusal(answer, 'no_new_customers')
    }
    // Invalid details get their own error as before, and are not counted.
    await expectRefusal(await come(4, 'nothing'), 'email_invalid', 'email')
    expect(await countCustomers(liveServer)).toBe(before)
    await liveServer.close()
  })

  test('a sign-up with another person’s address neither locks nor unlocks their password', async () => {
    const email = 'locked@example.com'
    await createCustomer(server.deps, { fullName: 'Olga Owner', email, passwordHash: await hashPassword(PASSWORD) })
    const otherBrowser = server.browser()
    await signUp(otherBrowser, { fullName: 'Sam Strange', email, phone: '07911 111111', password: 'window-seat-17' })
    const prove = async (password: string) => {
      const response = await otherBrowser.post('/api/v1/transfers', {
        recipient: 'friend@example.com',
        amountMinor: 1,
        asset: 'USD',
      })
      return otherBrowser.post(`/api/v1/step-ups/${response.headers.get(STEP_UP_HEADER)}`, { password })
    }
    const signIn = (password: string) => server.browser().post('/api/v1/session', { email, password })
    for (let tries = 0; tries < 5; tries += 1) await expectRefusal(await prove('a guess'), 'proof_refused')
    await expectRefusal(await prove('window-seat-17'), 'too_many_requests')
    expect((await signIn(PASSWORD)).status).toBe(200)

    await server.deps.pool.query(`DELETE FROM bank.rate_limit WHERE key LIKE 'password%'`)
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await prove('window-seat-17')).status).toBe(204)
      await expectRefusal(await signIn('a guess'), 'credentials_wrong')
    }
    expect((await prove('window-seat-17')).status).toBe(204)
    await expectRefusal(await signIn(PASSWORD), 'too_many_requests')
  })

  test('an address gets at most three mails per hour about signing up', async () => {
    const browser = server.browser()
    await signUp(browser, { fullName: 'Mia Many', email: 'many@example.com', ...withoutMail })
    for (let times = 0; times < 5; times += 1) {
      expect((await browser.post('/api/v1/email-confirmation-links')).status).toBe(202)
    }
    expect(await post.mailsTo('many@example.com')).toHaveLength(3)
  })

  test('a new customer’s name is not mailed to others, and is stored on one line', async () => {
    const browser = server.browser()
    const fullName = 'Ann\r\n\r\nEvil \u202eLee'
    await signUp(browser, { fullName, email: 'first.mail@example.com', ...withoutMail })
    expect((await readMe(browser)).fullName).toBe('Ann Evil Lee')
    const [mail] = await post.mailsTo('first.mail@example.com')
    expect(mail?.subject).toBe('Confirm your email')
    expect(mail?.text).not.toContain('Evil')
  })

  describe('sign-ups with another person’s address', () => {
    const from = (address: string) => {
      const browser = behind.browser()
      const headers = { 'x-forwarded-for': address }
      return {
        signUp: (email: string) =>
          browser.post(
            '/api/v1/customers',
            { fullName: 'Nora New', email, phone: '07911 123456', password: PASSWORD },
            { headers },
          ),
        confirm: (oneTimeToken: string) => browser.post('/api/v1/email-confirmations', { oneTimeToken }),
        close: () => browser.post('/api/v1/profile/closure', {}),
        me: () => readMe(browser),
      }
    }
    let behind: TestServer
    let mails: PostOffice
    beforeAll(async () => {
      behind = await testServer({ config: { mode: 'live', trustProxy: true } })
      mails = await openPostOffice(behind)
    })
    afterAll(async () => {
      await mails.close()
      await behind.close()
    })

    test('do not block the mail to its owner', async () => {
      const otherClient = from('192.0.2.1')
      for (let times = 0; times < 5; times += 1) await otherClient.signUp('new@example.com')
      expect(await mails.mailsTo('new@example.com')).toHaveLength(3)
      const owner = from('192.0.2.2')
      await owner.signUp('new@example.com')
      expect(await mails.mailsTo('new@example.com')).toHaveLength(4)
      expect((await owner.confirm(await mails.tokenTo('new@example.com'))).status).toBe(200)
      expect((await owner.me()).emailConfirmed).toBe(true)
      expect((await otherClient.me()).emailConfirmed).toBe(false)
    })

    test('from many networks, in many spellings, cause ten mails per day, one of which lets the owner in', async () => {
      const otherClients = Array.from({ length: 14 }, (_, index) => from(`192.0.2.${10 + index}`))
      for (const [index, otherClient] of otherClients.entries()) {
        const email = ['flooded@gmail.com', 'flo.oded+x@gmail.com', 'flooded@googlemail.com'][index % 3] ?? ''
        expect((await otherClient.signUp(email)).status).toBe(200)
      }
      const writtenMails = async () =>
        (await behind.deps.pool.query('SELECT 1 FROM bank.mail WHERE recipient LIKE $1', ['flo%'])).rows
      await mails.settled()
      expect(await writtenMails()).toHaveLength(10)
      const token = await mails.tokenTo('flooded@gmail.com')
      // The customer for whom the link was mailed has closed their account.
      for (const other of otherClients) expect((await other.close()).status).toBeLessThan(500)
      const owner = from('192.0.2.99')
      await owner.signUp('flooded@gmail.com')
      await mails.settled()
      expect(await writtenMails()).toHaveLength(10)
      expect((await owner.me()).emailConfirmed).toBe(false)
      expect((await owner.confirm(token)).status).toBe(200)
      expect((await owner.me()).emailConfirmed).toBe(true)
      await expectRefusal(await owner.confirm(token), 'link_invalid')
    })

    test('cannot use a link mailed to others, and are not confirmed by the owner’s click', async () => {
      const [otherClient, owner] = [from('192.0.2.50'), from('192.0.2.51')]
      await otherClient.signUp('one@example.com')
      await owner.signUp('two@example.com')
      const token = await mails.tokenTo('one@example.com')
      await expectRefusal(await owner.confirm(token), 'fields_missing', 'password')
      expect((await owner.me()).emailConfirmed).toBe(false)
      expect((await otherClient.me()).emailConfirmed).toBe(false)
    })
  })

  test('the browser’s previous session ends', async () => {
    const browser = server.browser()
    await signUp(browser, { fullName: 'Tara Twice', email: 'twice@example.com', ...withoutMail })
    const before = browser.cookie()
    await signUp(browser, { fullName: 'Tara Twice', email: 'twice2@example.com', ...withoutMail })
    expect((await readMe(browser)).email).toBe('twice2@example.com')
    expect((await server.browser().get('/api/v1/me', { headers: { cookie: before } })).status).toBe(401)
  })

  test.each([
    [{}, 'fields_missing', 'fullName'],
    [{ ...ann, fullName: '  ' }, 'fields_missing', 'fullName'],
    [{ ...ann, fullName: '\u200b' }, 'fields_missing', 'fullName'],
    [{ ...ann, fullName: 'Alder Support' }, 'name_invalid', 'fullName'],
    [{ ...ann, fullName: 'Аlder' }, 'name_invalid', 'fullName'],
    [{ ...ann, fullName: 'Ann\r\n\r\nOpen https://evil.example Lee' }, 'name_invalid', 'fullName'],
    [{ ...ann, email: 'k1,flood@example.com' }, 'email_invalid', 'email'],
    [{ ...ann, email: '(d)flood@example.com' }, 'email_invalid', 'email'],
    [{ ...ann, email: '' }, 'fields_missing', 'email'],
    [{ ...ann, email: undefined, phone: 'x' }, 'fields_missing', 'email'],
    [{ ...ann, phone: '', email: 'x' }, 'fields_missing', 'phone'],
    [{ ...ann, password: '' }, 'fields_missing', 'password'],
    [{ ...ann, email: 'ann', phone: 'x', password: 'x' }, 'email_invalid', 'email'],
    [{ ...ann, email: `${'a'.repeat(250)}@example.com` }, 'email_invalid', 'email'],
    [{ ...ann, phone: '12', password: 'x' }, 'phone_invalid', 'phone'],
    [{ ...ann, phone: 'ann@example.com' }, 'phone_invalid', 'phone'],
    [{ ...ann, password: 'eleven char' }, 'password_too_short', 'password'],
    [{ ...ann, password: 'password1234' }, 'password_common', 'password'],
    [{ ...ann, email: 'gardener@example.com', password: 'gardener-7kq!vz' }, 'password_common', 'password'],
    [{ ...ann, password: 'x'.repeat(201) }, 'request_invalid', 'password'],
    [{ ...ann, fullName: 'A\0nn' }, 'request_invalid', 'fullName'],
    [{ ...ann, fullName: 'x'.repeat(121) }, 'request_invalid', 'fullName'],
    [{ ...ann, role: 'reviewer' }, 'request_invalid', 'role'],
    [{ ...ann, kycStatus: 'approved' }, 'request_invalid', 'kycStatus'],
    [{ ...ann, customerId: '00000000-0000-7000-8000-000000000000' }, 'request_invalid', 'customerId'],
    [{ ...ann, id: '00000000-0000-7000-8000-000000000000' }, 'request_invalid', 'id'],
    [{ ...ann, emailConfirmedAt: '2026-01-01T00:00:00Z' }, 'request_invalid', 'emailConfirmedAt'],
    [{ ...ann, unconfirmed: [] }, 'request_invalid', 'unconfirmed'],
  ] as const)('%j is refused, and nothing changes', async (request, code, field) => {
    const before = await countCustomers(server)
    const browser = server.browser()
    await expectRefusal(await signUp(browser, request), code, field)
    expect(browser.cookie()).toBe('')
    expect(await countCustomers(server)).toBe(before)
  })
})

describe('in a sample bank', () => {
  let server: TestServer
  let post: PostOffice

  beforeAll(async () => {
    server = await testServer({ openCustomer, clock: 'database' })
    post = await openPostOffice(server)
  })
  afterAll(async () => {
    await post.close()
    await server.close()
  })

  test('a new customer gets the sample history and a confirmed email at once', async () => {
    const browser = server.browser()
    const answer = await signUp(browser, { ...ann, password: 'x' })
    expect(await answer.json()).toMatchObject({
      customer: { fullName: 'Ann Lee', emailConfirmed: true },
      mode: 'sample',
    })
    expect(await (await browser.get('/api/v1/dashboard')).json()).toMatchObject({
      account: { availableMinor: 12_458_50 },
    })
    expect(await findCustomerByContact(server.deps, { kind: 'email', value: ann.email })).toMatchObject({
      fullName: 'Ann Lee',
    })
    expect((await post.mailsTo(ann.email)).map(({ subject }) => subject)).toEqual(['Welcome to Alder'])
  })

  test('all of many simultaneous sign-ups with one email become customers, and one has it confirmed', async () => {
    const browsers = Array.from({ length: 6 }, () => server.browser())
    const request = { ...ann, email: 'race@example.com', phone: '07911 654321', password: 'x' }
    const answers = await Promise.all(browsers.map((browser) => signUp(browser, request)))
    expect(answers.map(({ status }) => status)).toEqual(browsers.map(() => 200))
    const people = await Promise.all(browsers.map(readMe))
    expect(people.filter(({ emailConfirmed }) => emailConfirmed)).toHaveLength(1)
    const { rows } = await server.deps.pool.query(
      `SELECT count(*) AS customers, count(email_confirmed_at) AS emails, count(phone_confirmed_at) AS phones
         FROM bank.customer WHERE email = 'race@example.com'`,
    )
    expect(rows).toEqual([{ customers: 6, emails: 1, phones: 1 }])
    // The first mail welcomes the customer whose email is confirmed. The others notify that customer as the owner of the
    // address. One network can cause at most three mails an hour to an address.
    expect(await post.mailsTo('race@example.com')).toHaveLength(3)
  })

  test('a used phone number does not keep the email from being confirmed', async () => {
    const browser = server.browser()
    await signUp(browser, { ...ann, email: 'second@example.com', phone: ann.phone, password: 'x' })
    expect(await holderOfEmail(server.deps.db, 'second@example.com')).toMatchObject({
      customer: { phone: '+447911123456', emailConfirmed: true },
    })
    expect(await findCustomerByContact(server.deps, { kind: 'phone', value: '+447911123456' })).toMatchObject({
      email: ann.email,
    })
  })

  test('signing up with another person’s address does not show their mail', async () => {
    await signUp(server.browser(), { ...ann, email: 'victim@example.com', password: 'x' })
    const intruder = server.browser()
    await signUp(intruder, { ...ann, email: 'victim@example.com', password: 'y' })
    await server.browser().post('/api/v1/password-resets', { email: 'victim@example.com' })
    expect((await post.mailsTo('victim@example.com')).map(({ subject }) => subject)).toContain('Choose a new password')
    expect(await (await intruder.get('/api/v1/sample/mail')).json()).toEqual({ mails: [], texts: [] })
    await expectRefusal(await intruder.post('/api/v1/password-links'), 'email_unconfirmed')
  })
})

describe.each(['live', 'sample'] as const)('a sign-up in a %s bank that is repeated with one key', (mode) => {
  let retryServer: TestServer
  const request = { fullName: 'Tess Twice', email: 'tess@example.com', phone: '+447911123999', password: PASSWORD }
  const body = { key: '01900000-0000-7000-8000-00000000beef' }
  beforeAll(async () => {
    retryServer = await testServer({ config: { mode } })
  })
  afterAll(() => retryServer.close())

  test('creates one customer, returns the same response with the same cookie, and does not bypass later changes', async () => {
    const browsers = Array.from({ length: 3 }, () => retryServer.browser())
    const answers = await Promise.all(browsers.map((browser) => browser.post('/api/v1/customers', request, body)))
    answers.push(await retryServer.browser().post('/api/v1/customers', request, body))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    expect(new Set(bodies).size).toBe(1)
    const sessions = answers.map((answer) => answer.headers.getSetCookie()[0]?.split(';')[0])
    expect(new Set(sessions).size).toBe(1)
    const count = async (table: string) =>
      Number((await retryServer.deps.pool.query(`SELECT count(*) AS rows FROM bank.${table}`)).rows[0].rows)
    expect([await count('customer'), await count('session')]).toEqual([1, 1])
    const otherRequest = { ...request, password: 'another garden lamp' }
    await expectRefusal(
      await retryServer.browser().post('/api/v1/customers', otherRequest, body),
      'idempotency_key_reused',
    )
    const storedRequests = await retryServer.deps.pool.query('SELECT jsonb_agg(r)::text AS kept FROM bank.request r')
    expect(storedRequests.rows[0].kept).not.toContain(PASSWORD)
    expect((await browsers[0]?.delete('/api/v1/session'))?.status).toBe(204)
    await expectRefusal(await retryServer.browser().post('/api/v1/customers', request, body), 'sign_in_required')
  })
})
