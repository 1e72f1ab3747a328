import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Security } from '#contract/identity.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { mailsTo } from '#server/test/mails.ts'
import {
  type CredentialRequest,
  type Authenticator,
  openAuthenticator,
  type Quirks,
} from '#server/test/authenticator.ts'
import { testClock } from '#server/test/bank.ts'
import { type Browser, openBrowser } from '#server/test/browser.ts'
import { expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { securityEventKinds } from '#server/test/security-events.ts'
import { signInCookie } from '#server/test/sign-in.ts'
import { sendWithProof } from '#server/test/step-up.ts'
import { testServer } from '#server/test/server.ts'

const CHROME_ON_ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

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

const pass = (ms: number) => clock.set(new Date(clock.realNow().getTime() + ms))
const query = async (text: string, values: unknown[] = []) => (await server.deps.pool.query(text, values)).rows
const security = async (person: TestPerson): Promise<Security> => (await person.browser.get('/api/v1/security')).json()
const kinds = ({ customer }: TestPerson) => securityEventKinds(server, customer.id)

const PASSWORD = 'a long walk by the river'

type Offer = { oneTimeToken: string; options: CredentialRequest & Record<string, unknown> }

async function offer(browser: Browser, path: string): Promise<Offer> {
  const answer = await sendWithProof(browser, ['POST', path], { password: PASSWORD })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Offer
}
const offerNew = (browser: Browser) => offer(browser, '/api/v1/passkeys/options')
const offerSignIn = (browser: Browser) => offer(browser, '/api/v1/session/passkey/options')

/** Adds a passkey of a new device to a person. */
async function add(person: TestPerson, device: Authenticator = openAuthenticator(server.url)): Promise<Authenticator> {
  const { oneTimeToken, options } = await offerNew(person.browser)
  const answer = await person.browser.post('/api/v1/passkeys', { oneTimeToken, response: device.create(options) })
  expect(answer.status).toBe(200)
  return device
}

/** Tries to sign in with a passkey in a browser without a session. */
async function signIn(device: Authenticator, quirks: Quirks = {}, browser = server.browser()): Promise<Response> {
  const { oneTimeToken, options } = await offerSignIn(browser)
  return browser.post('/api/v1/session/passkey', { oneTimeToken, response: device.get(options, quirks) })
}

describe('a new passkey', () => {
  test('is requested as discoverable and with user verification', async () => {
    const { options } = await offerNew(ann.browser)
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Alder' },
      user: {
        id: Buffer.from(ann.customer.id.replaceAll('-', ''), 'hex').toString('base64url'),
        name: ann.customer.email,
        displayName: 'Ann Lee',
      },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    })
    expect(Buffer.from(options.challenge, 'base64url').length).toBeGreaterThanOrEqual(32)
    const device = await add(ann)
    expect((await offerNew(ann.browser)).options['excludeCredentials']).toEqual([
      { id: device.credentialId, type: 'public-key', transports: ['internal'] },
    ])
  })

  test('is stored under the name of its device, and signs in', async () => {
    const device = openAuthenticator(server.url)
    const otherBrowser = server.browser(await signInCookie(server.deps, ann.customer.id))
    const { oneTimeToken, options } = await offerNew(ann.browser)
    const headers = { 'user-agent': CHROME_ON_ANDROID }
    const body = { oneTimeToken, response: device.create(options) }
    const answer = await ann.browser.post('/api/v1/passkeys', body, { headers })
    const passkey = {
      id: expect.any(String),
      credentialId: device.credentialId,
      name: 'Chrome on Android',
      createdAt: clock.realNow().toISOString(),
      lastUsedAt: null,
      synced: false,
    }
    expect(await answer.json()).toMatchObject({ passkeys: [passkey], biometricLogin: true })
    expect((await otherBrowser.get('/api/v1/me')).status).toBe(401)
    expect((await ann.browser.get('/api/v1/me')).status).toBe(200)
    expect(await kinds(ann)).toEqual(['passkey_added'])
    const mails = await mailsTo(server.deps, ann.customer.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['Passkey added'])

    pass(60_000)
    const browser = server.browser()
    const signedIn = await signIn(device, {}, browser)
    expect(await signedIn.json()).toMatchObject({
      status: 'signed_in',
      me: { customer: { email: ann.customer.email } },
    })
    expect((await (await browser.get('/api/v1/me')).json()).customer.email).toBe(ann.customer.email)
    expect((await security(ann)).passkeys).toEqual([{ ...passkey, lastUsedAt: clock.realNow().toISOString() }])
    expect((await kinds(ann))[0]).toBe('signed_in_with_passkey')
  })

  test('has the given name', async () => {
    const { oneTimeToken, options } = await offerNew(ann.browser)
    const response = openAuthenticator(server.url).create(options)
    expect((await ann.browser.post('/api/v1/passkeys', { oneTimeToken, response, name: '  My key ' })).status).toBe(200)
    const [passkey] = (await security(ann)).passkeys
    expect(passkey?.name).toBe('My key')
  })

  const QUIRKS: [string, Quirks][] = [
    ['without user verification', { verified: false }],
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'http://localhost:1' }],
    ['for another host', { rpId: 'evil.example' }],
    ['for another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['that answers another kind of request', { type: 'webauthn.get' }],
    ['with an attestation nobody asked for', { format: 'tpm' }],
    ['with an attestation that is empty', { format: 'packed' }],
    ['with an attestation of no kind', { format: 'made-up' }],
  ]
  test.each(QUIRKS)('%s is refused', async (_name, quirks) => {
    const { oneTimeToken, options } = await offerNew(ann.browser)
    const response = openAuthenticator(server.url).create(options, quirks)
    await expectRefusal(await ann.browser.post('/api/v1/passkeys', { oneTimeToken, response }), 'passkey_refused')
    expect((await security(ann)).passkeys).toEqual([])
    expect(await kinds(ann)).toEqual([])
  })

  test('is accepted once per challenge, in the requesting session, before it expires', async () => {
    const { oneTimeToken, options } = await offerNew(ann.browser)
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    const wrongResponse = openAuthenticator(server.url).create(options, { verified: false })
    await expectRefusal(
      await ann.browser.post('/api/v1/passkeys', { oneTimeToken, response: wrongResponse }),
      'passkey_refused',
    )
    const rightResponse = openAuthenticator(server.url).create(options)
    await expectRefusal(
      await ann.browser.post('/api/v1/passkeys', { oneTimeToken, response: rightResponse }),
      'step_ended',
    )

    for (const browser of [bob.browser, server.browser(await signInCookie(server.deps, ann.customer.id))]) {
      const offered = await offerNew(ann.browser)
      const body = {
        oneTimeToken: offered.oneTimeToken,
        response: openAuthenticator(server.url).create(offered.options),
      }
      await expectRefusal(await browser.post('/api/v1/passkeys', body), 'step_ended')
    }
    const late = await offerNew(ann.browser)
    pass(5 * 60_000)
    const response = openAuthenticator(server.url).create(late.options)
    await expectRefusal(
      await ann.browser.post('/api/v1/passkeys', { oneTimeToken: late.oneTimeToken, response }),
      'step_ended',
    )
    const { oneTimeToken: ofSignIn } = await offerSignIn(server.browser())
    await expectRefusal(await ann.browser.post('/api/v1/passkeys', { oneTimeToken: ofSignIn, response }), 'step_ended')
    expect((await security(ann)).passkeys).toEqual([])
  })

  test('is refused if it is already registered, by any customer', async () => {
    const device = await add(ann)
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    for (const person of [ann, bob]) {
      const { oneTimeToken, options } = await offerNew(person.browser)
      const answer = await person.browser.post('/api/v1/passkeys', { oneTimeToken, response: device.create(options) })
      await expectRefusal(answer, 'passkey_refused')
    }
    expect((await security(ann)).passkeys).toHaveLength(1)
    expect((await security(bob)).passkeys).toHaveLength(0)
  })

  test('is refused after the twentieth, even in simultaneous requests', async () => {
    const insertPasskey = `INSERT INTO bank.passkey (id, customer_id, credential_id, public_key, sign_count, transports, synced, name, created_at)
                  SELECT gen_random_uuid(), $1, 'kept-' || $2 || '-' || n, '\\x00', 0, '{}', false, 'Kept', now()
                    FROM generate_series(1, 19) n`
    await query(insertPasskey, [ann.customer.id, String(round)])
    const offers = [await offerNew(ann.browser), await offerNew(ann.browser)]
    const answers = await Promise.all(
      offers.map(({ oneTimeToken, options }) =>
        ann.browser.post('/api/v1/passkeys', { oneTimeToken, response: openAuthenticator(server.url).create(options) }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await security(ann)).passkeys).toHaveLength(20)
    const { oneTimeToken, options } = await offerNew(ann.browser)
    const response = openAuthenticator(server.url).create(options)
    await expectRefusal(await ann.browser.post('/api/v1/passkeys', { oneTimeToken, response }), 'passkeys_full')
    expect((await security(ann)).passkeys).toHaveLength(20)
  })
})

describe('a passkey', () => {
  test('that is removed no longer signs in, and the other devices are signed out', async () => {
    const device = await add(ann)
    const passkey = await add(ann)
    const otherBrowser = server.browser()
    expect((await signIn(passkey, {}, otherBrowser)).status).toBe(200)
    const [first] = (await security(ann)).passkeys
    const answer = await ann.browser.delete(`/api/v1/passkeys/${first?.id}`)
    expect(((await answer.json()) as Security).passkeys).toHaveLength(1)
    expect((await otherBrowser.get('/api/v1/me')).status).toBe(401)
    await expectRefusal(await signIn(device), 'passkey_unknown')
    expect((await signIn(passkey)).status).toBe(200)
    expect(await kinds(ann)).toContain('passkey_removed')
    await expectRefusal(await ann.browser.delete(`/api/v1/passkeys/${first?.id}`), 'not_found')
  })

  test('that is removed during a sign-in leaves no session', async () => {
    const device = await add(ann)
    const [passkey] = (await security(ann)).passkeys
    const browsers = Array.from({ length: 10 }, () => server.browser())
    const [removal] = await Promise.all([
      ann.browser.delete(`/api/v1/passkeys/${passkey?.id}`),
      ...browsers.map((browser) => signIn(device, {}, browser)),
    ])
    expect(removal.status).toBe(200)
    const alive = await Promise.all(browsers.map((browser) => browser.get('/api/v1/me')))
    expect(alive.map(({ status }) => status)).toEqual(Array(10).fill(401))
    expect((await ann.browser.get('/api/v1/me')).status).toBe(200)
  })

  test('that is unknown or belongs to another customer cannot be removed', async () => {
    await add(ann)
    const [passkey] = (await security(ann)).passkeys
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    for (const id of [passkey?.id, 'x', '01900000-0000-7000-8000-000000000000', "' OR 1=1"])
      await expectRefusal(await bob.browser.delete(`/api/v1/passkeys/${encodeURIComponent(id ?? '')}`), 'not_found')
    expect((await security(ann)).passkeys).toHaveLength(1)
    expect(await kinds(bob)).toEqual([])
  })
})

describe('signing in with a passkey', () => {
  test('requires no email', async () => {
    const { options } = await offerSignIn(server.browser())
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
    expect(options.challenge).not.toBe((await offerSignIn(server.browser())).options.challenge)
  })

  const QUIRKS: [string, Quirks][] = [
    ['without user verification', { verified: false }],
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'http://localhost:1' }],
    ['for another host', { rpId: 'evil.example' }],
    ['for another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['that answers another kind of request', { type: 'webauthn.create' }],
    ['with a signature that differs in one bit', { tampered: true }],
    ['of another customer', { userHandle: Buffer.alloc(16).toString('base64url') }],
    ['without a user handle', { userHandle: undefined }],
  ]
  test.each(QUIRKS)('%s is refused, and shown in the customer’s activity', async (_name, quirks) => {
    const device = await add(ann)
    const browser = server.browser()
    await expectRefusal(await signIn(device, quirks, browser), 'passkey_refused')
    expect(browser.cookie()).toBe('')
    expect((await kinds(ann))[0]).toBe('sign_in_failed')
    expect((await signIn(device)).status).toBe(200)
  })

  test('works once per challenge, also for 20 simultaneous requests, and before it expires', async () => {
    const device = await add(ann)
    const { oneTimeToken, options } = await offerSignIn(server.browser())
    const body = { oneTimeToken, response: device.get(options) }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.browser().post('/api/v1/session/passkey', body)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await expectRefusal(await server.browser().post('/api/v1/session/passkey', body), 'step_ended')
    // A signature for one challenge is not valid for the next challenge.
    const next = await offerSignIn(server.browser())
    const replayed = { oneTimeToken: next.oneTimeToken, response: body.response }
    await expectRefusal(await server.browser().post('/api/v1/session/passkey', replayed), 'passkey_refused')
    const late = await offerSignIn(server.browser())
    pass(5 * 60_000)
    const response = device.get(late.options)
    const tooLate = await server
      .browser()
      .post('/api/v1/session/passkey', { oneTimeToken: late.oneTimeToken, response })
    await expectRefusal(tooLate, 'step_ended')
    const { oneTimeToken: ofAnother } = await offerNew(ann.browser)
    const mixed = await server.browser().post('/api/v1/session/passkey', { oneTimeToken: ofAnother, response })
    await expectRefusal(mixed, 'step_ended')
  })

  test('refuses a signature counter that has gone back', async () => {
    const device = await add(ann, openAuthenticator(server.url, { counting: true }))
    expect((await signIn(device, { counter: 10 })).status).toBe(200)
    for (const counter of [10, 9, 0]) await expectRefusal(await signIn(device, { counter }), 'passkey_refused')
    expect((await signIn(device, { counter: 11 })).status).toBe(200)
  })

  test('accepts a synced passkey whose counter stays or goes back, and shows it to the customer', async () => {
    const device = await add(ann, openAuthenticator(server.url, { counting: true, synced: true }))
    expect((await signIn(device, { counter: 5 })).status).toBe(200)
    for (const counter of [5, 4]) {
      expect((await signIn(device, { counter })).status).toBe(200)
      expect((await kinds(ann)).slice(0, 2)).toContain('passkey_counter')
    }
    expect((await signIn(device, { counter: 6 })).status).toBe(200)
    expect((await kinds(ann)).filter((kind) => kind === 'passkey_counter')).toHaveLength(2)
  })

  test('refuses a passkey of one device with an unchanged counter, even if it now claims to be synced', async () => {
    const device = await add(ann, openAuthenticator(server.url, { counting: true }))
    expect((await signIn(device, { counter: 5 })).status).toBe(200)
    await expectRefusal(await signIn(device, { counter: 5, synced: true }), 'passkey_refused')
  })

  test('accepts one of two simultaneous signatures of a device and its clone', async () => {
    const device = await add(ann, openAuthenticator(server.url, { counting: true }))
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(device, { counter: 50 })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('accepts devices without a signature counter every time', async () => {
    const device = await add(ann)
    for (let times = 0; times < 3; times += 1) expect((await signIn(device)).status).toBe(200)
  })

  test('returns the same response for an unknown passkey and for a closed customer’s', async () => {
    const never = await signIn(openAuthenticator(server.url))
    const device = await add(ann)
    await query('UPDATE bank.customer SET closed_at = now() WHERE id = $1', [ann.customer.id])
    const refusal = await signIn(device)
    expect([refusal.status, await refusal.clone().json()]).toEqual([never.status, await never.clone().json()])
    await expectRefusal(never, 'passkey_unknown')
  })

  test('ends the browser’s previous session', async () => {
    const device = await add(ann)
    const visitor = await server.visitor()
    const before = visitor.cookie()
    expect((await signIn(device, {}, visitor)).status).toBe(200)
    expect((await (await visitor.get('/api/v1/me')).json()).customer.email).toBe(ann.customer.email)
    expect((await server.browser(before).get('/api/v1/me')).status).toBe(401)
  })

  test('is not possible at an IP address', async () => {
    const address = server.url.replace('localhost', '127.0.0.1')
    const browser = openBrowser(() => address, address, await signInCookie(server.deps, ann.customer.id))
    await expectRefusal(await browser.post('/api/v1/session/passkey/options'), 'passkey_unavailable')
    await expectRefusal(await browser.post('/api/v1/passkeys/options'), 'passkey_unavailable')
    const response = { id: 'x', rawId: 'x', type: 'public-key' }
    for (const path of ['/api/v1/passkeys', '/api/v1/session/passkey'])
      await expectRefusal(await browser.post(path, { oneTimeToken: 'x', response }), 'passkey_unavailable')
  })

  test('gives one address at most 120 challenges per minute', async () => {
    const limited = await testServer()
    const ask = () => limited.browser().post('/api/v1/session/passkey/options')
    const answers = await Promise.all(Array.from({ length: 121 }, ask))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    await limited.close()
  })
})

describe('a passkey as a proof', () => {
  let liveServer: PeopleServer
  let passwordHash: string
  beforeAll(async () => {
    liveServer = await peopleServer({ clock, config: { mode: 'live' } })
    passwordHash = await hashPassword(PASSWORD)
  })
  afterAll(() => liveServer.close())

  async function liveAnn() {
    const person = await liveServer.person({ fullName: 'Ann Lee', email: `ann${round}@example.com`, passwordHash })
    await person.fund(100_00)
    const device = await add(person, openAuthenticator(liveServer.url))
    return { who: person, device }
  }
  const payment = { recipient: 'bob@example.com', amountMinor: 10_00, asset: 'USD' }
  const ask = async (person: TestPerson): Promise<string> => {
    const answer = await person.browser.post('/api/v1/transfers', payment)
    const token = answer.headers.get(STEP_UP_HEADER) ?? ''
    await expectRefusal(answer, 'step_up_required')
    return token
  }
  const readCredentialRequest = async (
    person: TestPerson,
    token: string,
  ): Promise<CredentialRequest & Record<string, unknown>> =>
    (await (await person.browser.get(`/api/v1/step-ups/${token}`)).json()).passkey
  const prove = (person: TestPerson, token: string, response: object) =>
    person.browser.post(`/api/v1/step-ups/${token}`, { passkey: response })

  test('approves a payment', async () => {
    const { who: person, device } = await liveAnn()
    const token = await ask(person)
    const offered = await (await person.browser.get(`/api/v1/step-ups/${token}`)).json()
    expect(offered).toMatchObject({
      proofs: ['passkey', 'password'],
      passkey: { rpId: 'localhost', userVerification: 'required', allowCredentials: [{ id: device.credentialId }] },
    })
    expect((await prove(person, token, device.get(offered.passkey))).status).toBe(204)
    const headers = { [STEP_UP_HEADER]: token }
    expect((await person.browser.post('/api/v1/transfers', payment, { headers })).status).toBe(200)
    expect((await person.dashboard()).account.availableMinor).toBe(90_00)
  })

  test.each<[string, Quirks]>([
    ['without user verification', { verified: false }],
    ['of another origin', { origin: 'https://evil.example' }],
    ['with a signature that differs in one bit', { tampered: true }],
  ])('%s is refused, and its challenge is used up', async (_name, quirks) => {
    const { who: person, device } = await liveAnn()
    const token = await ask(person)
    const proofOptions = await readCredentialRequest(person, token)
    await expectRefusal(await prove(person, token, device.get(proofOptions, quirks)), 'proof_refused')
    await expectRefusal(await prove(person, token, device.get(proofOptions)), 'proof_refused')
    // A security key need not identify its owner when the customer is known already.
    const silent = device.get(await readCredentialRequest(person, token), { userHandle: undefined })
    expect((await prove(person, token, silent)).status).toBe(204)
  })

  test('is not valid for another customer or for another step', async () => {
    const { who: person, device } = await liveAnn()
    const bob = await liveServer.person({ fullName: 'Bob May', email: `bob${round}@example.com`, passwordHash })
    const bobs = await add(bob, openAuthenticator(liveServer.url))
    const token = await ask(person)
    const proofOptions = await readCredentialRequest(person, token)
    await expectRefusal(await prove(person, token, bobs.get(proofOptions)), 'proof_refused')
    await expectRefusal(
      await prove(person, token, openAuthenticator(liveServer.url).get(proofOptions)),
      'proof_refused',
    )
    const signedResponse = device.get(await readCredentialRequest(person, await ask(person)))
    await expectRefusal(await prove(person, token, signedResponse), 'proof_refused')
    const { options } = await offerSignIn(liveServer.browser())
    await expectRefusal(await prove(person, token, device.get(options)), 'proof_refused')
    expect((await person.dashboard()).account.availableMinor).toBe(100_00)
  })
})

describe('invalid input is refused', () => {
  const id = 'abc'
  const credential = { id, rawId: id, type: 'public-key' }
  const SCHEMA = [
    {},
    { oneTimeToken: 'x' },
    { oneTimeToken: 'x', response: {} },
    { oneTimeToken: 'x', response: 'text' },
    { oneTimeToken: 'x', response: { ...credential, type: 'password' } },
    { oneTimeToken: 'x', response: { ...credential, id: 'x'.repeat(2_001) } },
    { oneTimeToken: 'x', response: credential, customerId: 'x' },
    [],
    null,
  ]
  test.each(SCHEMA.map((body) => [JSON.stringify(body).slice(0, 120), JSON.stringify(body)]))(
    '%s',
    async (_name, text) => {
      for (const path of ['/api/v1/passkeys', '/api/v1/session/passkey']) {
        const answer = await ann.browser.send('POST', path, text)
        expect([path, answer.status]).toEqual([path, 400])
        expect((await answer.json()).error.code).toBe('request_invalid')
      }
    },
  )

  const RESPONSES = [
    undefined,
    null,
    {},
    { clientDataJSON: 'x', attestationObject: 'x', authenticatorData: 'x', signature: 'x' },
    { clientDataJSON: 1, attestationObject: {}, authenticatorData: [], signature: null, userHandle: 5 },
    { clientDataJSON: 'e30', attestationObject: 'oA', authenticatorData: '', signature: '', transports: 'usb' },
    { clientDataJSON: '=?', attestationObject: '\u0000', authenticatorData: '\ud800', signature: '😀' },
  ]
  test.each(RESPONSES.map((response) => [JSON.stringify(response) ?? 'nothing', response]))(
    '%s',
    async (_name, response) => {
      const device = await add(ann)
      const assertion = { ...credential, id: device.credentialId, rawId: device.credentialId, response }
      const forNew = await offerNew(ann.browser)
      const addResponse = await ann.browser.post('/api/v1/passkeys', {
        oneTimeToken: forNew.oneTimeToken,
        response: assertion,
      })
      await expectRefusal(addResponse, 'passkey_refused')
      const { oneTimeToken } = await offerSignIn(server.browser())
      const signedIn = await server.browser().post('/api/v1/session/passkey', { oneTimeToken, response: assertion })
      await expectRefusal(signedIn, 'passkey_refused')
      expect((await security(ann)).passkeys).toHaveLength(1)
    },
  )

  test('a name that is too long', async () => {
    const { oneTimeToken, options } = await offerNew(ann.browser)
    const response = openAuthenticator(server.url).create(options)
    const answer = await ann.browser.post('/api/v1/passkeys', { oneTimeToken, response, name: 'x'.repeat(61) })
    await expectRefusal(answer, 'request_invalid', 'name')
  })

  test('a request from another site', async () => {
    const headers = { origin: 'https://evil.example' }
    for (const path of ['/api/v1/passkeys/options', '/api/v1/session/passkey/options'])
      await expectRefusal(await ann.browser.post(path, undefined, { headers }), 'origin_refused')
  })
})
