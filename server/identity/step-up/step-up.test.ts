import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StepUp } from '#contract/identity.ts'
import type { SecurityEventKind } from '#contract/security-events.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { openApp } from '#server/test/authenticator-app.ts'
import { testClock } from '#server/test/bank.ts'
import type { Browser } from '#server/test/browser.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { securityEventKinds } from '#server/test/security-events.ts'
import { signInCookie } from '#server/test/sign-in.ts'

const PASSWORD = 'a long walk by the river'
const SEND = '/api/v1/transfers'

const clock = testClock()
/** A bank that always requires a proof and ends a session after five idle minutes. */
let liveServer: PeopleServer
/** A bank that requires a proof from customers with two-factor authentication and never ends idle sessions. */
let sample: PeopleServer
let passwordHash: string
let round = 0

beforeAll(async () => {
  liveServer = await peopleServer({ clock, config: { mode: 'live' } })
  sample = await peopleServer({ clock })
  passwordHash = await hashPassword(PASSWORD)
})
afterAll(() => Promise.all([liveServer.close(), sample.close()]))
beforeEach(() => {
  round += 1
})

const pass = (ms: number) => clock.set(new Date(clock.realNow().getTime() + ms))

/** Creates two customers. The first has money and a password. */
async function people(server: PeopleServer) {
  const ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com`, passwordHash })
  const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com`, passwordHash })
  await ann.fund(200_00)
  const kinds = () => securityEventKinds(server, ann.customer.id)
  return { ann, bob, kinds, payment: { recipient: bob.customer.email, amountMinor: 10_00, asset: 'USD' } }
}

async function switchOnTwoFactor(person: TestPerson) {
  const { oneTimeToken, uri } = await (await person.browser.post('/api/v1/two-factor/setup')).json()
  const app = openApp(uri, clock)
  const answer = await person.browser.post('/api/v1/two-factor', { oneTimeToken, code: app.code() })
  const { recoveryCodes } = (await answer.json()) as { recoveryCodes: string[] }
  pass(30_000)
  return { app, recoveryCodes }
}

/** Returns the step-up token from a refused request. */
async function tokenFromRefusal(answer: Response): Promise<string> {
  const token = answer.headers.get(STEP_UP_HEADER) ?? ''
  expect(token).toMatch(/^[\w-]{43}$/)
  await expectRefusal(answer, 'step_up_required')
  return token
}

const requestStepUp = async (browser: Browser, body: unknown): Promise<string> =>
  tokenFromRefusal(await browser.post(SEND, body))
const prove = (browser: Browser, token: string, proof: unknown) => browser.post(`/api/v1/step-ups/${token}`, proof)
const withProof = (token: string) => ({ headers: { [STEP_UP_HEADER]: token } })

/** Returns a step-up token for this payment, proved by the password. */
async function proved(browser: Browser, body: unknown): Promise<string> {
  const token = await requestStepUp(browser, body)
  expect((await prove(browser, token, { password: PASSWORD })).status).toBe(204)
  return token
}

describe('a bank that always requires a proof', () => {
  test('moves money after the customer has given a proof', async () => {
    const { ann, bob, kinds, payment } = await people(liveServer)
    const before = await auditTestBooks(liveServer)
    const key = randomUUID()
    const token = await tokenFromRefusal(await ann.browser.post(SEND, payment, { key }))
    const offered = await ann.browser.get(`/api/v1/step-ups/${token}`)
    expect(offered.status).toBe(200)
    expect((await offered.json()) as StepUp).toEqual({ proofs: ['password'], passkey: null })
    // A step-up token without a proof admits nothing.
    await tokenFromRefusal(await ann.browser.post(SEND, payment, { key, ...withProof(token) }))
    expect(await auditTestBooks(liveServer)).toEqual(before)

    expect((await prove(ann.browser, token, { password: PASSWORD })).status).toBe(204)
    expect(await kinds()).toEqual(['proof_given'])
    const response = await ann.browser.post(SEND, payment, { key, ...withProof(token) })
    expect(response.status).toBe(200)
    expect(response.headers.has(STEP_UP_HEADER)).toBe(false)
    expect(await bob.balanceMinor()).toBe(10_00)
  })

  test('gives the session a new cookie, and the old one no longer works', async () => {
    const { ann, payment } = await people(liveServer)
    const token = await requestStepUp(ann.browser, payment)
    const before = ann.browser.cookie()
    expect((await prove(ann.browser, token, { password: PASSWORD })).status).toBe(204)
    expect(ann.browser.cookie()).not.toBe(before)
    expect((await ann.browser.get('/api/v1/me')).status).toBe(200)
    await expectRefusal(await liveServer.browser(before).get('/api/v1/me'), 'sign_in_required')
    await expectRefusal(await liveServer.browser(before).post(SEND, payment, withProof(token)), 'sign_in_required')
  })

  test('accepts a proof only for its own request', async () => {
    const { ann, bob, payment } = await people(liveServer)
    await bob.fund(50_00)
    const token = await proved(ann.browser, payment)
    const before = await auditTestBooks(liveServer)
    const otherPayments = [
      { ...payment, amountMinor: 10_01 },
      { ...payment, amountMinor: 9_99 },
      { ...payment, recipient: 'eve@example.com' },
      { ...payment, recipient: bob.customer.email.toUpperCase() },
      { ...payment, note: 'Lunch' },
    ]
    for (const other of otherPayments) await tokenFromRefusal(await ann.browser.post(SEND, other, withProof(token)))
    // The same request from another customer, and from the same customer on another device.
    const toAnn = { ...payment, recipient: ann.customer.email }
    await tokenFromRefusal(await bob.browser.post(SEND, toAnn, withProof(token)))
    const elsewhere = liveServer.browser(await signInCookie(liveServer.deps, ann.customer.id))
    await tokenFromRefusal(await elsewhere.post(SEND, payment, withProof(token)))
    for (const none of ['', 'x', 'A'.repeat(43)])
      await tokenFromRefusal(await ann.browser.post(SEND, payment, withProof(none)))
    expect(await auditTestBooks(liveServer)).toEqual(before)
    // None of these attempts has used up the proof.
    const body = `{ "asset":"USD", "recipient": "${payment.recipient}",  "amountMinor":1000 }`
    expect((await ann.browser.send('POST', SEND, body, withProof(token))).status).toBe(200)
  })

  test('accepts a proof only for its own path', async () => {
    const { ann } = await people(sample)
    const { app } = await switchOnTwoFactor(ann)
    pass(6 * 60_000)
    const token = await tokenFromRefusal(await ann.browser.post('/api/v1/two-factor/recovery-codes'))
    expect((await prove(ann.browser, token, { code: app.code() })).status).toBe(204)
    pass(6 * 60_000 - 1)
    // Neither request has a body. They differ only in path and method.
    await tokenFromRefusal(await ann.browser.delete('/api/v1/two-factor', withProof(token)))
    expect((await (await ann.browser.get('/api/v1/security')).json()).twoFactor).toBe(true)
  })

  test('accepts a proof once', async () => {
    const { ann, bob, payment } = await people(liveServer)
    const token = await proved(ann.browser, payment)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ann.browser.post(SEND, payment, withProof(token))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(19)
    expect(await bob.balanceMinor()).toBe(10_00)
    await tokenFromRefusal(await ann.browser.post(SEND, payment, withProof(token)))
    await expectRefusal(await prove(ann.browser, token, { password: PASSWORD }), 'step_ended')
    expect(await bob.balanceMinor()).toBe(10_00)
  })

  test('answers a repeated request without another proof, and moves the money once', async () => {
    const { ann, bob, payment } = await people(liveServer)
    const token = await proved(ann.browser, payment)
    const key = randomUUID()
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => ann.browser.post(SEND, payment, { key, ...withProof(token) })),
    )
    const bodies = await Promise.all(tries.map((answer) => answer.json()))
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([200]))
    const again = [
      await ann.browser.post(SEND, payment, { key }),
      await ann.browser.post(SEND, payment, { key, ...withProof('A'.repeat(43)) }),
    ]
    pass(4 * 60_000)
    again.push(await ann.browser.post(SEND, payment, { key, ...withProof(token) }))
    for (const answer of again) {
      expect([answer.status, answer.headers.has(STEP_UP_HEADER)]).toEqual([200, false])
      bodies.push(await answer.json())
    }
    for (const body of bodies) expect(body).toEqual(bodies[0])
    expect(await bob.balanceMinor()).toBe(10_00)
    await auditTestBooks(liveServer)
  })

  test('requires a new proof after the books have refused a request', async () => {
    const { ann, payment } = await people(liveServer)
    const tooMuch = { ...payment, amountMinor: 300_00 }
    const token = await proved(ann.browser, tooMuch)
    await expectRefusal(await ann.browser.post(SEND, tooMuch, withProof(token)), 'insufficient_funds')
    await tokenFromRefusal(await ann.browser.post(SEND, tooMuch, withProof(token)))
  })

  test('refuses wrong proofs, and after five the step ends and the password is locked', async () => {
    const { ann, kinds, payment } = await people(liveServer)
    const token = await requestStepUp(ann.browser, payment)
    const cookie = ann.browser.cookie()
    await expectRefusal(await prove(ann.browser, token, { code: '123456' }), 'proof_refused')
    for (let tries = 0; tries < 4; tries += 1)
      await expectRefusal(await prove(ann.browser, token, { password: `wrong ${tries}` }), 'proof_refused')
    await expectRefusal(await prove(ann.browser, token, { password: PASSWORD }), 'step_ended')
    const another = await requestStepUp(ann.browser, payment)
    await expectRefusal(await prove(ann.browser, another, { password: 'wrong' }), 'proof_refused')
    await expectRefusal(await prove(ann.browser, another, { password: PASSWORD }), 'too_many_requests')
    expect(ann.browser.cookie()).toBe(cookie)
    expect(await kinds()).toEqual(Array<SecurityEventKind>(6).fill('proof_refused'))
    await tokenFromRefusal(await ann.browser.post(SEND, payment, withProof(token)))
  })

  test('records a limited number of refused proofs per hour', async () => {
    const { ann, bob, payment } = await people(liveServer)
    const passkey = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} }
    const response = { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' }
    const guess = { passkey: { ...passkey, response } }
    const refusals: string[] = []
    for (let step = 0; step < 8; step += 1) {
      const token = await requestStepUp(ann.browser, payment)
      for (let tries = 0; tries < 5; tries += 1) {
        const { error } = (await (await prove(ann.browser, token, guess)).json()) as { error: { code: string } }
        refusals.push(error.code)
      }
    }
    const expectedCodes = (times: number, code: string) => Array<string>(times).fill(code)
    expect(refusals).toEqual([...expectedCodes(30, 'proof_refused'), ...expectedCodes(10, 'too_many_requests')])
    const { rowCount } = await liveServer.deps.pool.query('SELECT FROM bank.security_event WHERE customer_id = $1', [
      ann.customer.id,
    ])
    expect(rowCount).toBe(30)
    expect((await prove(ann.browser, await requestStepUp(ann.browser, payment), { password: PASSWORD })).status).toBe(
      204,
    )
    const otherToken = await requestStepUp(bob.browser, { ...payment, recipient: ann.customer.email })
    await expectRefusal(await prove(bob.browser, otherToken, guess), 'proof_refused')
  })

  test('accepts a limited number of proofs per hour and customer', async () => {
    const { ann, bob, kinds, payment } = await people(liveServer)
    await liveServer.deps.pool.query('INSERT INTO bank.rate_limit VALUES ($1, 299, $2)', [
      `proof:${ann.customer.id}`,
      Date.now() + 3_600_000,
    ])
    await proved(ann.browser, payment)
    const before = await kinds()
    const token = await requestStepUp(ann.browser, payment)
    await expectRefusal(await prove(ann.browser, token, { password: PASSWORD }), 'too_many_requests')
    expect(await kinds()).toEqual(before)
    await proved(bob.browser, { ...payment, recipient: ann.customer.email })
  })

  test('compares five of a hundred simultaneous passwords', async () => {
    const { ann, payment, kinds } = await people(liveServer)
    const tokens = await Promise.all(Array.from({ length: 100 }, () => requestStepUp(ann.browser, payment)))
    const answers = await Promise.all(tokens.map((token) => prove(ann.browser, token, { password: 'wrong' })))
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(95)
    expect(await kinds()).toHaveLength(5)
  })

  test('shows a step only to its own session, and accepts proofs only from its own customer', async () => {
    const { ann, bob, payment } = await people(liveServer)
    const token = await requestStepUp(ann.browser, payment)
    const elsewhere = liveServer.browser(await signInCookie(liveServer.deps, ann.customer.id))
    for (const browser of [bob.browser, elsewhere]) {
      await expectRefusal(await browser.get(`/api/v1/step-ups/${token}`), 'step_ended')
      await expectRefusal(await prove(browser, token, { password: PASSWORD }), 'step_ended')
    }
    await expectRefusal(await liveServer.browser().get(`/api/v1/step-ups/${token}`), 'sign_in_required')
    await expectRefusal(await prove(liveServer.browser(), token, { password: PASSWORD }), 'sign_in_required')
    expect((await prove(ann.browser, token, { password: PASSWORD })).status).toBe(204)
    await expectRefusal(await ann.browser.get(`/api/v1/step-ups/${token}`), 'step_ended')
  })

  test('reports that a customer has no way to give a proof', async () => {
    const { payment } = await people(liveServer)
    const eve = await liveServer.person({ fullName: 'Eve Day', email: `eve${round}@example.com` })
    const answer = await eve.browser.post(SEND, payment)
    expect(answer.headers.has(STEP_UP_HEADER)).toBe(false)
    await expectRefusal(answer, 'proof_impossible')
  })

  test('validates a request before it requires a proof', async () => {
    const { ann, payment } = await people(liveServer)
    await expectRefusal(await ann.browser.post(SEND, { ...payment, amountMinor: 0 }), 'amount_invalid', 'amountMinor')
    await expectRefusal(await ann.browser.post(SEND, payment, { key: null }), 'idempotency_key_missing')
  })
})

describe('a bank that requires proofs from customers with two-factor authentication', () => {
  test('does not require them from other customers', async () => {
    const { ann, bob, payment } = await people(sample)
    expect((await ann.browser.post(SEND, payment)).status).toBe(200)
    expect(await bob.balanceMinor()).toBe(10_00)
    const visitor = await sample.visitor()
    const nothing = await visitor.post(SEND, payment)
    await expectRefusal(nothing, 'insufficient_funds')
    pass(60 * 60_000)
    expect((await ann.browser.post('/api/v1/two-factor/setup')).status).toBe(200)
    expect((await ann.browser.post('/api/v1/passkeys/options')).status).toBe(200)
  })

  test('accepts a code of the app or a recovery code, and no password', async () => {
    const { ann, bob, payment } = await people(sample)
    const { app, recoveryCodes } = await switchOnTwoFactor(ann)
    const first = await requestStepUp(ann.browser, payment)
    expect(await (await ann.browser.get(`/api/v1/step-ups/${first}`)).json()).toEqual({
      proofs: ['code'],
      passkey: null,
    })
    await expectRefusal(await prove(ann.browser, first, { password: PASSWORD }), 'proof_refused')
    const code = app.code()
    expect((await prove(ann.browser, first, { code })).status).toBe(204)
    expect((await ann.browser.post(SEND, payment, withProof(first))).status).toBe(200)

    const second = await requestStepUp(ann.browser, payment)
    await expectRefusal(await prove(ann.browser, second, { code }), 'proof_refused')
    expect((await prove(ann.browser, second, { code: recoveryCodes[3]?.toLowerCase() })).status).toBe(204)
    expect((await ann.browser.post(SEND, payment, withProof(second))).status).toBe(200)
    expect(await bob.balanceMinor()).toBe(20_00)
    expect((await (await ann.browser.get('/api/v1/security')).json()).recoveryCodesLeft).toBe(9)
  })

  test('accepts one of 20 simultaneous proofs, and one cookie is valid', async () => {
    const { ann, payment } = await people(sample)
    const { app } = await switchOnTwoFactor(ann)
    const token = await requestStepUp(ann.browser, payment)
    const cookie = ann.browser.cookie()
    const tries = Array.from({ length: 20 }, () => sample.browser(cookie))
    const answers = await Promise.all(tries.map((browser) => prove(browser, token, { code: app.code() })))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    const alive = await Promise.all(tries.map((browser) => browser.get('/api/v1/me')))
    expect(alive.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('waits five minutes for a proof, and then for its request', async () => {
    const { ann, payment } = await people(sample)
    const { app } = await switchOnTwoFactor(ann)
    const late = await requestStepUp(ann.browser, payment)
    const used = await requestStepUp(ann.browser, payment)
    expect((await prove(ann.browser, used, { code: app.code() })).status).toBe(204)
    pass(5 * 60_000 - 1)
    expect((await ann.browser.get(`/api/v1/step-ups/${late}`)).status).toBe(200)
    pass(1)
    await expectRefusal(await ann.browser.get(`/api/v1/step-ups/${late}`), 'step_ended')
    await expectRefusal(await prove(ann.browser, late, { code: app.code() }), 'step_ended')
    await tokenFromRefusal(await ann.browser.post(SEND, payment, withProof(used)))
  })

  test('voids a proof when the customer changes a credential', async () => {
    const { ann, payment } = await people(sample)
    const { app } = await switchOnTwoFactor(ann)
    const token = await requestStepUp(ann.browser, payment)
    expect((await prove(ann.browser, token, { code: app.code() })).status).toBe(204)
    pass(30_000)
    const renewed = await tokenFromRefusal(await ann.browser.post('/api/v1/two-factor/recovery-codes'))
    expect((await prove(ann.browser, renewed, { code: app.code() })).status).toBe(204)
    expect((await ann.browser.post('/api/v1/two-factor/recovery-codes', undefined, withProof(renewed))).status).toBe(
      200,
    )
    await tokenFromRefusal(await ann.browser.post(SEND, payment, withProof(token)))
  })
})

describe('requests that change the account itself', () => {
  const ACTS = [
    ['POST', '/api/v1/passkeys/options'],
    ['POST', '/api/v1/two-factor/recovery-codes'],
    ['DELETE', '/api/v1/passkeys/01900000-0000-7000-8000-000000000000'],
    ['DELETE', '/api/v1/two-factor'],
  ] as const

  test('each require a proof of their own', async () => {
    const { ann } = await people(sample)
    const { app } = await switchOnTwoFactor(ann)
    for (const [method, path] of ACTS) await tokenFromRefusal(await ann.browser.send(method, path))
    const token = await tokenFromRefusal(await ann.browser.delete('/api/v1/two-factor'))
    expect((await prove(ann.browser, token, { code: app.code() })).status).toBe(204)
    for (const [method, path] of ACTS.slice(0, 3)) {
      await tokenFromRefusal(await ann.browser.send(method, path))
      await tokenFromRefusal(await ann.browser.send(method, path, undefined, withProof(token)))
    }
    expect((await ann.browser.delete('/api/v1/two-factor', withProof(token))).status).toBe(204)
  })
})

describe('invalid input is refused', () => {
  const BODIES = [
    {},
    { password: 'x'.repeat(201) },
    { code: '' },
    { code: 1 },
    { passkey: {} },
    { passkey: { id: 'x', rawId: 'x', type: 'password' } },
    { password: PASSWORD, code: '123456' },
    { password: PASSWORD, customerId: 'x' },
    { proof: 'yes' },
    [],
    null,
  ]
  test.each(BODIES.map((body) => [JSON.stringify(body)]))('%s', async (text) => {
    const { ann, payment } = await people(liveServer)
    const token = await requestStepUp(ann.browser, payment)
    const answer = await ann.browser.send('POST', `/api/v1/step-ups/${token}`, text)
    expect(answer.status).toBe(400)
    expect((await answer.json()).error.code).toBe('request_invalid')
    await tokenFromRefusal(await ann.browser.post(SEND, payment, withProof(token)))
  })

  test.each(['x', 'A'.repeat(43), 'A'.repeat(101), '..%2f..', '%00'])('the token %s', async (token) => {
    const { ann } = await people(liveServer)
    const code = token.length > 100 ? 'request_invalid' : 'step_ended'
    const field = token.length > 100 ? 'token' : undefined
    await expectRefusal(await ann.browser.get(`/api/v1/step-ups/${token}`), code, field)
    await expectRefusal(await prove(ann.browser, token, { password: PASSWORD }), code, field)
  })
})

test('the API document shows which routes need the header and how to get it', async () => {
  const document = await (await liveServer.browser().get('/api/openapi.json')).json()
  const names = (operation: { parameters: { name: string; in: string }[] }) =>
    operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
  expect(names(document.paths['/api/v1/transfers'].post)).toEqual(['Idempotency-Key', STEP_UP_HEADER])
  expect(names(document.paths['/api/v1/two-factor'].delete)).toEqual([STEP_UP_HEADER])
  expect(document.paths['/api/v1/transfers'].post.responses['403'].headers).toHaveProperty(STEP_UP_HEADER)
})
