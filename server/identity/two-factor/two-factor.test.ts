import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Security, SignInResponse } from '#contract/identity.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import type { FirstFactor } from '#server/identity/sign-in/sign-in.ts'
import { issueOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { mailsTo } from '#server/test/mails.ts'
import { doJobs } from '#server/test/post-office.ts'
import { openApp } from '#server/test/authenticator-app.ts'
import { runAsOwner } from '#server/test/database.ts'
import { testClock } from '#server/test/bank.ts'
import { expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { securityEventKinds } from '#server/test/security-events.ts'
import { signInCookie } from '#server/test/sign-in.ts'
import { sendWithProof } from '#server/test/step-up.ts'

const clock = testClock()
let server: PeopleServer
let ann: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(() => server.close())

beforeEach(async () => {
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
})

const STEP_MS = 30_000
const pass = (ms: number) => clock.set(new Date(clock.realNow().getTime() + ms))

const query = async (text: string, values: unknown[] = []) => (await server.deps.pool.query(text, values)).rows
const security = async (person: TestPerson): Promise<Security> => (await person.browser.get('/api/v1/security')).json()
const kinds = ({ customer }: TestPerson) => securityEventKinds(server, customer.id)
const mails = (person: TestPerson) => mailsTo(server.deps, person.customer.email)

async function setUp(person: TestPerson) {
  const answer = await person.browser.post('/api/v1/two-factor/setup')
  expect(answer.status).toBe(200)
  const setup = (await answer.json()) as { oneTimeToken: string; uri: string; secret: string }
  return { ...setup, app: openApp(setup.uri, clock) }
}

/** Switches two-factor authentication on. Its code is used up, and the clock advances to the next code. */
async function switchOn(person: TestPerson) {
  const { app, oneTimeToken, secret } = await setUp(person)
  const answer = await person.browser.post('/api/v1/two-factor', { oneTimeToken, code: app.code() })
  expect(answer.status).toBe(200)
  const { recoveryCodes } = (await answer.json()) as { recoveryCodes: string[] }
  pass(STEP_MS)
  return { app, secret, recoveryCodes }
}

/** Issues the token that a correct password returns. */
const halfSignedIn = (person: TestPerson, method: FirstFactor['method'] = 'password') =>
  issueOneTimeToken(server.deps, server.deps.db, 'second_factor', {
    customerId: person.customer.id,
    content: { method } satisfies FirstFactor,
  })

const finish = (oneTimeToken: string, code: string) =>
  server.browser().post('/api/v1/session/second-factor', { oneTimeToken, code })

describe('an authenticator app', () => {
  test('gets a secret of 160 bits, and is on after it has sent a code', async () => {
    const { uri, secret, oneTimeToken, app } = await setUp(ann)
    const address = new URL(uri)
    expect(address.protocol).toBe('otpauth:')
    expect(decodeURIComponent(address.pathname)).toContain(`Alder:${ann.customer.email}`)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      issuer: 'Alder',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(await security(ann)).toMatchObject({ twoFactor: false, recoveryCodesLeft: 0, stepUp: false })

    await expectRefusal(
      await ann.browser.post('/api/v1/two-factor', { oneTimeToken, code: '000000' }),
      'code_wrong',
      'code',
    )
    expect(await security(ann)).toMatchObject({ twoFactor: false })
    const answer = await ann.browser.post('/api/v1/two-factor', {
      oneTimeToken,
      code: ` ${app.code().slice(0, 3)} ${app.code().slice(3)} `,
    })
    expect(answer.status).toBe(200)
    const { recoveryCodes } = await answer.json()
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}$/)
    expect(await security(ann)).toMatchObject({ twoFactor: true, recoveryCodesLeft: 10, stepUp: true })
    expect(await kinds(ann)).toEqual(['two_factor_on'])
    expect(await mails(ann)).toEqual([
      { subject: 'Two-factor authentication turned on', text: expect.stringContaining('Ann Lee') },
    ])
  })

  test('that is switched on signs out the other devices, and only those', async () => {
    const otherBrowser = server.browser(await signInCookie(server.deps, ann.customer.id))
    expect((await otherBrowser.get('/api/v1/me')).status).toBe(200)
    await switchOn(ann)
    expect((await otherBrowser.get('/api/v1/me')).status).toBe(401)
    expect((await ann.browser.get('/api/v1/me')).status).toBe(200)
  })

  test('that is being switched on does not let a password sign in alone', async () => {
    const password = 'garden-lamp-42'
    const email = `bob${round}@example.com`
    const bob = await server.person({ fullName: 'Bob May', email, passwordHash: await hashPassword(password) })
    const { id } = bob.customer
    const countWaiting = async () =>
      (
        await query(`SELECT count(*) AS waiting FROM pg_stat_activity
                      WHERE datname = current_database() AND wait_event_type = 'Lock'`)
      )[0].waiting
    const owner = new Client({ connectionString: server.database.ownerUrl })
    await owner.connect()
    // Takes the same lock as switching two-factor authentication on, and holds it for as long as the test needs.
    await owner.query('BEGIN')
    await owner.query('SELECT FROM bank.customer WHERE id = $1 FOR NO KEY UPDATE', [id])
    const browser = server.browser()
    const signedIn = browser.post('/api/v1/session', { email, password })
    await expect.poll(countWaiting).toBeGreaterThanOrEqual(1)
    await owner.query(`INSERT INTO bank.two_factor VALUES ($1, '', 0, now())`, [id])
    await owner.query('COMMIT')
    await expectRefusal(await signedIn, 'step_ended')
    expect((await browser.get('/api/v1/me')).status).toBe(401)

    // Takes the same lock as a sign-in. Switching two-factor authentication on waits for it.
    const { oneTimeToken, app } = await setUp(ann)
    await owner.query('BEGIN')
    await owner.query('SELECT FROM bank.customer WHERE id = $1 FOR SHARE', [ann.customer.id])
    const switched = ann.browser.post('/api/v1/two-factor', { oneTimeToken, code: app.code() })
    await expect.poll(countWaiting).toBeGreaterThanOrEqual(1)
    await owner.query('COMMIT')
    expect((await switched).status).toBe(200)
    await owner.end()
  })

  test('is switched on once by many simultaneous codes', async () => {
    const { oneTimeToken, app } = await setUp(ann)
    const code = app.code()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ann.browser.post('/api/v1/two-factor', { oneTimeToken, code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await query('SELECT FROM bank.recovery_code WHERE customer_id = $1', [ann.customer.id])).toHaveLength(10)
    expect(await kinds(ann)).toEqual(['two_factor_on'])
  })

  test('is not set up twice, and an earlier setup is void', async () => {
    const setup = await setUp(ann)
    const { app } = await switchOn(ann)
    const again = await sendWithProof(ann.browser, ['POST', '/api/v1/two-factor/setup'], () => ({ code: app.code() }))
    await expectRefusal(again, 'two_factor_on')
    const { oneTimeToken } = setup
    const { app: earlierApp } = setup
    const late = await ann.browser.post('/api/v1/two-factor', { oneTimeToken, code: earlierApp.code() })
    await expectRefusal(late, 'step_ended')
  })

  test('is not switched on with a one-time token that is missing, old, or of another customer or session', async () => {
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    const { oneTimeToken, app } = await setUp(ann)
    const elsewhere = server.browser(await signInCookie(server.deps, ann.customer.id))
    for (const browser of [bob.browser, elsewhere])
      await expectRefusal(await browser.post('/api/v1/two-factor', { oneTimeToken, code: app.code() }), 'step_ended')
    for (const none of ['x', 'A'.repeat(43), await halfSignedIn(ann)])
      await expectRefusal(
        await ann.browser.post('/api/v1/two-factor', { oneTimeToken: none, code: app.code() }),
        'step_ended',
      )
    pass(15 * 60_000)
    await expectRefusal(await ann.browser.post('/api/v1/two-factor', { oneTimeToken, code: app.code() }), 'step_ended')
    expect((await security(ann)).twoFactor).toBe(false)
  })

  test('is switched off with its recovery codes, and incomplete steps are void', async () => {
    const { app } = await switchOn(ann)
    const oneTimeToken = await halfSignedIn(ann)
    const answer = await sendWithProof(ann.browser, ['DELETE', '/api/v1/two-factor'], { code: app.code() })
    expect(answer.status).toBe(204)
    expect(await security(ann)).toMatchObject({ twoFactor: false, recoveryCodesLeft: 0, stepUp: false })
    expect(await query('SELECT FROM bank.recovery_code WHERE customer_id = $1', [ann.customer.id])).toEqual([])
    await expectRefusal(await finish(oneTimeToken, '123456'), 'step_ended')
    await expectRefusal(await ann.browser.delete('/api/v1/two-factor'), 'two_factor_off')
    await expectRefusal(await ann.browser.post('/api/v1/two-factor/recovery-codes'), 'two_factor_off')
    expect(await kinds(ann)).toEqual(['two_factor_off', 'proof_given', 'two_factor_on'])
    expect((await mails(ann)).map(({ subject }) => subject)).toEqual([
      'Two-factor authentication turned on',
      'Two-factor authentication turned off',
    ])
  })
})

describe('the second factor', () => {
  test('signs in with a code of the app', async () => {
    const { app } = await switchOn(ann)
    const browser = server.browser()
    const oneTimeToken = await halfSignedIn(ann)
    const answer = await browser.post('/api/v1/session/second-factor', { oneTimeToken, code: app.code() })
    expect(answer.status).toBe(200)
    const signedIn = (await answer.json()) as SignInResponse
    expect(signedIn).toMatchObject({ status: 'signed_in', me: { customer: { email: ann.customer.email } } })
    expect((await (await browser.get('/api/v1/me')).json()).customer.email).toBe(ann.customer.email)
    expect((await kinds(ann))[0]).toBe('signed_in_with_password')
    await expectRefusal(await finish(oneTimeToken, app.code(1)), 'step_ended')
  })

  test('is recorded with the method of the first factor', async () => {
    const { app } = await switchOn(ann)
    expect((await finish(await halfSignedIn(ann, 'biometric'), app.code())).status).toBe(200)
    expect((await kinds(ann))[0]).toBe('signed_in_with_biometric')
  })

  test('accepts the codes of the previous and the next time step, and no others', async () => {
    const { app } = await switchOn(ann)
    pass(10 * STEP_MS)
    for (const steps of [-3, -2, 2, 3])
      await expectRefusal(await finish(await halfSignedIn(ann), app.code(steps)), 'code_wrong', 'code')
    expect((await finish(await halfSignedIn(ann), app.code(-1))).status).toBe(200)
    expect((await finish(await halfSignedIn(ann), app.code(1))).status).toBe(200)
    // An earlier code that another person has seen does not work, even before it expires.
    await expectRefusal(await finish(await halfSignedIn(ann), app.code()), 'code_wrong', 'code')
  })

  test('accepts a code once, even in 20 simultaneous requests', async () => {
    const { app } = await switchOn(ann)
    const code = app.code()
    const oneTimeTokens = await Promise.all(Array.from({ length: 20 }, () => halfSignedIn(ann)))
    const answers = await Promise.all(oneTimeTokens.map((oneTimeToken) => finish(oneTimeToken, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const sessions = await query('SELECT method FROM bank.session WHERE customer_id = $1', [ann.customer.id])
    expect(sessions).toHaveLength(2)
  })

  test('does not accept the code that switched it on', async () => {
    const { oneTimeToken, app } = await setUp(ann)
    const code = app.code()
    expect((await ann.browser.post('/api/v1/two-factor', { oneTimeToken, code })).status).toBe(200)
    await expectRefusal(await finish(await halfSignedIn(ann), code), 'code_wrong', 'code')
  })

  test('is locked after five wrong codes, with any one-time token, and a right code resets the count', async () => {
    const { app } = await switchOn(ann)
    const sendWrongCode = async () =>
      expectRefusal(await finish(await halfSignedIn(ann), '000000'), 'code_wrong', 'code')
    for (let tries = 0; tries < 4; tries += 1) await sendWrongCode()
    expect((await finish(await halfSignedIn(ann), app.code())).status).toBe(200)
    pass(STEP_MS)
    for (let tries = 0; tries < 5; tries += 1) await sendWrongCode()
    const refusal = await finish(await halfSignedIn(ann), app.code())
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    await expectRefusal(refusal, 'too_many_requests')
    // A sign-in requests a code only after the correct password, so the bank notifies the customer, once.
    await doJobs(server, 'identity.note_failure')
    const lockMails = (await mails(ann)).filter(({ subject }) => subject === 'Sign-in codes are temporarily locked')
    expect(lockMails).toEqual([
      { subject: 'Sign-in codes are temporarily locked', text: expect.stringContaining('5 times') },
    ])
    expect((await kinds(ann)).filter((kind) => kind === 'sign_in_failed')).toHaveLength(9)
  })

  test('compares five of a hundred simultaneous codes', async () => {
    await switchOn(ann)
    const oneTimeTokens = await Promise.all(Array.from({ length: 100 }, () => halfSignedIn(ann)))
    const answers = await Promise.all(
      oneTimeTokens.map((oneTimeToken, index) => finish(oneTimeToken, String(100_000 + index))),
    )
    const looked = answers.filter(({ status }) => status !== 429)
    expect(looked.length).toBe(5)
  })

  test('allows five attempts with one one-time token, which is void afterwards', async () => {
    const { app } = await switchOn(ann)
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    await switchOn(bob)
    const oneTimeToken = await halfSignedIn(ann)
    const tries = await Promise.all(Array.from({ length: 20 }, () => finish(oneTimeToken, 'no code')))
    expect(tries.filter(({ status }) => status === 422)).toHaveLength(5)
    expect(tries.filter(({ status }) => status === 410)).toHaveLength(15)
    await expectRefusal(await finish(oneTimeToken, app.code()), 'step_ended')
  })

  test('is refused with a one-time token that is too old, of another kind, or of a closed account', async () => {
    const { app } = await switchOn(ann)
    const oneTimeToken = await halfSignedIn(ann)
    const { oneTimeToken: ofSetup } = await setUp(
      await server.person({ fullName: 'Bob', email: `bob${round}@example.com` }),
    )
    for (const none of [ofSetup, 'x', 'A'.repeat(43)]) await expectRefusal(await finish(none, app.code()), 'step_ended')
    await query('UPDATE bank.customer SET closed_at = now() WHERE id = $1', [ann.customer.id])
    await expectRefusal(await finish(oneTimeToken, app.code()), 'step_ended')
    await query('UPDATE bank.customer SET closed_at = NULL WHERE id = $1', [ann.customer.id])
    pass(10 * 60_000)
    await expectRefusal(await finish(oneTimeToken, app.code()), 'step_ended')
  })
})

describe('recovery codes', () => {
  test('replace the app in any spelling, each once', async () => {
    const { recoveryCodes } = await switchOn(ann)
    const [first = '', second = ''] = recoveryCodes
    const recoveryCode = ` ${first.toLowerCase().replace('-', ' – ')} `
    expect((await finish(await halfSignedIn(ann), recoveryCode)).status).toBe(200)
    expect((await kinds(ann))[0]).toBe('signed_in_with_recovery_code')
    expect((await security(ann)).recoveryCodesLeft).toBe(9)
    expect((await mails(ann)).at(-1)).toEqual({
      subject: 'A recovery code was used',
      text: expect.stringContaining('9 left'),
    })
    await expectRefusal(await finish(await halfSignedIn(ann), first), 'code_wrong', 'code')
    expect((await finish(await halfSignedIn(ann), second)).status).toBe(200)
  })

  test('work once, even in 20 simultaneous requests', async () => {
    const { recoveryCodes } = await switchOn(ann)
    const [code = ''] = recoveryCodes
    const oneTimeTokens = await Promise.all(Array.from({ length: 20 }, () => halfSignedIn(ann)))
    const answers = await Promise.all(oneTimeTokens.map((oneTimeToken) => finish(oneTimeToken, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await security(ann)).recoveryCodesLeft).toBe(9)
    expect((await mails(ann)).filter(({ subject }) => subject === 'A recovery code was used')).toHaveLength(1)
  })

  test('work for their owner only', async () => {
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    const { recoveryCodes } = await switchOn(ann)
    await switchOn(bob)
    await expectRefusal(await finish(await halfSignedIn(bob), recoveryCodes[0] ?? ''), 'code_wrong', 'code')
    expect((await security(ann)).recoveryCodesLeft).toBe(10)
  })

  test('are all renewed, and the other devices are signed out', async () => {
    const { app, recoveryCodes: before } = await switchOn(ann)
    const otherBrowser = server.browser(await signInCookie(server.deps, ann.customer.id))
    await finish(await halfSignedIn(ann), before[0] ?? '')
    const path = '/api/v1/two-factor/recovery-codes'
    const answer = await sendWithProof(ann.browser, ['POST', path], { code: app.code() })
    expect(answer.status).toBe(200)
    const { recoveryCodes: after } = (await answer.json()) as { recoveryCodes: string[] }
    expect(new Set([...before, ...after]).size).toBe(20)
    expect((await security(ann)).recoveryCodesLeft).toBe(10)
    expect((await otherBrowser.get('/api/v1/me')).status).toBe(401)
    await expectRefusal(await finish(await halfSignedIn(ann), before[1] ?? ''), 'code_wrong', 'code')
    expect((await finish(await halfSignedIn(ann), after[0] ?? '')).status).toBe(200)
    expect(await kinds(ann)).toContain('recovery_codes_made')
  })
})

test('the database does not reveal the secret or the codes, and a sealed secret can be opened only for its owner', async () => {
  const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
  const setup = await setUp(bob)
  const { secret, recoveryCodes, app } = await switchOn(ann)
  const tables = await query(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'bank' AND table_type = 'BASE TABLE'
      AND has_table_privilege('bank.' || quote_ident(table_name), 'SELECT')`,
  )
  const dump = JSON.stringify(
    await Promise.all(tables.map(({ name }) => query(`SELECT to_jsonb(t)::text AS row FROM bank.${name} t`))),
  )
  expect(dump).toContain(ann.customer.email)
  const bytes = (base32: string) => {
    const bits = Array.from(base32, (sign) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'),
    )
    return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  }
  for (const oldSecret of [secret, setup.secret]) {
    expect(bytes(oldSecret)).toHaveLength(20)
    for (const spelling of [
      oldSecret,
      bytes(oldSecret).toString('hex'),
      bytes(oldSecret).toString('base64url'),
      bytes(oldSecret).toString('base64'),
    ])
      expect(dump).not.toContain(spelling)
  }
  for (const code of recoveryCodes) {
    expect(dump).not.toContain(code)
    expect(dump).not.toContain(code.replace('-', ''))
  }
  expect(dump).not.toContain(setup.oneTimeToken)
  // Write access to the database is not enough to move one customer's authenticator app to another customer.
  const { oneTimeToken } = setup
  expect((await bob.browser.post('/api/v1/two-factor', { oneTimeToken, code: setup.app.code() })).status).toBe(200)
  await runAsOwner(
    server.database.ownerUrl,
    `UPDATE bank.two_factor SET secret = (SELECT secret FROM bank.two_factor WHERE customer_id = $1) WHERE customer_id = $2`,
    [ann.customer.id, bob.customer.id],
  )
  pass(STEP_MS)
  expect((await finish(await halfSignedIn(bob), app.code())).status).toBe(500)
})

describe('invalid input is refused, and changes nothing', () => {
  const BODIES = [
    {},
    { oneTimeToken: 'x' },
    { code: '123456' },
    { oneTimeToken: 'x', code: '' },
    { oneTimeToken: 'x', code: '1'.repeat(41) },
    { oneTimeToken: 'x'.repeat(101), code: '123456' },
    { oneTimeToken: 1, code: '123456' },
    { oneTimeToken: 'x', code: 123456 },
    { oneTimeToken: 'x', code: '12\u00003456' },
    { oneTimeToken: 'x', code: '123456', customerId: 'x' },
    [],
    'text',
    null,
  ]
  test.each(BODIES.map((body) => [JSON.stringify(body)]))('%s', async (text) => {
    for (const path of ['/api/v1/two-factor', '/api/v1/session/second-factor']) {
      const answer = await ann.browser.send('POST', path, text)
      expect([path, answer.status]).toEqual([path, 400])
      expect((await answer.json()).error.code).toBe('request_invalid')
    }
    expect((await security(ann)).twoFactor).toBe(false)
  })

  test('a form or a request from another site', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    await expectRefusal(
      await ann.browser.send('POST', '/api/v1/two-factor', 'oneTimeToken=x&code=1', { headers: form }),
      'media_type_unsupported',
    )
    const foreign = { origin: 'https://evil.example' }
    await expectRefusal(
      await ann.browser.post('/api/v1/two-factor/setup', undefined, { headers: foreign }),
      'origin_refused',
    )
    await expectRefusal(await ann.browser.delete('/api/v1/two-factor', { headers: foreign }), 'origin_refused')
  })
})
