import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { openApp } from '#server/test/authenticator-app.ts'
import { expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'

const PASSWORD = 'correct horse battery'
let server: PeopleServer
let ann: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ config: { mode: 'live' } })
})
afterAll(() => server.close())
beforeEach(async () => {
  round += 1
  const passwordHash = await hashPassword(PASSWORD)
  const phone = `+4477009${String(10_000 + round)}`
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com`, phone, passwordHash })
})

async function stateOf() {
  const { rows } = await server.deps.pool.query(
    `SELECT to_jsonb(c) AS customer, (SELECT count(*) FROM bank.security_event e WHERE e.customer_id = c.id) AS events,
            (SELECT count(*) FROM bank.mail m WHERE m.customer_id = c.id) AS mails
       FROM bank.customer c WHERE id = $1`,
    [ann.customer.id],
  )
  return rows[0]
}

const ACTS = [
  ['a new email', 'PATCH', '/api/v1/profile', { email: 'other@example.com' }, 200],
  ['a new phone number', 'PATCH', '/api/v1/profile', { phone: '+447700900999' }, 200],
  ['the download', 'GET', '/api/v1/profile/export', undefined, 200],
  ['closing the account', 'POST', '/api/v1/profile/closure', {}, 204],
] as const

test.each(ACTS)(
  '%s requires a fresh proof, and accepts the one given for it',
  async (_, method, path, body, status) => {
    const send = (token?: string) =>
      ann.browser.send(method, path, body && JSON.stringify(body), {
        headers: token === undefined ? {} : { [STEP_UP_HEADER]: token },
      })
    const before = await stateOf()
    const refused = await send()
    expect([refused.status, (await refused.json()).error.code]).toEqual([403, 'step_up_required'])
    expect(await stateOf()).toEqual(before)
    const token = refused.headers.get(STEP_UP_HEADER) ?? ''
    const proved = await ann.browser.post(`/api/v1/step-ups/${token}`, { password: PASSWORD })
    expect(proved.status).toBeLessThan(300)
    const response = await send(token)
    expect(response.status).toBe(status)
    await response.text()
  },
)

test('a name, a date of birth and an address require no proof', async () => {
  const body = { fullName: 'Ann May', dateOfBirth: '1990-02-03', phone: ann.customer.phone, email: ann.customer.email }
  const answer = await ann.browser.send('PATCH', '/api/v1/profile', JSON.stringify(body))
  expect(answer.status).toBe(200)
})

/** Sends a request, gives the required proof, and returns the token that carries the proof. */
async function provedFor(method: string, path: string, body?: object): Promise<string> {
  const refused = await ann.browser.send(method, path, body && JSON.stringify(body))
  const token = refused.headers.get(STEP_UP_HEADER) ?? ''
  await expectRefusal(refused, 'step_up_required')
  expect((await ann.browser.post(`/api/v1/step-ups/${token}`, { password: PASSWORD })).status).toBe(204)
  return token
}

/** All requests that require a proof, except the payment itself. */
const OTHERS = [
  ...ACTS.map(([, method, path, body]) => [method, path, body] as const),
  ['POST', '/api/v1/two-factor/setup', undefined],
  ['POST', '/api/v1/passkeys/options', undefined],
] as const

test('a proof for a payment of five cents is valid for nothing else, used or not', async () => {
  const payment = { recipient: 'bob@example.com', amountMinor: 5, asset: 'USD' }
  await ann.fund(1_00)
  const token = await provedFor('POST', '/api/v1/transfers', payment)
  const paid = () => ann.browser.post('/api/v1/transfers', payment, { headers: { [STEP_UP_HEADER]: token } })
  for (const headers of [{ [STEP_UP_HEADER]: token }, {}]) {
    for (const [method, path, body] of OTHERS) {
      const answer = await ann.browser.send(method, path, body && JSON.stringify(body), { headers })
      await expectRefusal(answer, 'step_up_required')
    }
  }
  expect((await paid()).status).toBe(200)
  for (const [method, path, body] of OTHERS)
    await expectRefusal(await ann.browser.send(method, path, body && JSON.stringify(body)), 'step_up_required')
})

test('a recent sign-in does not replace a proof', async () => {
  const browser = server.browser()
  expect((await browser.post('/api/v1/session', { email: ann.customer.email, password: PASSWORD })).status).toBe(200)
  for (const [method, path, body] of OTHERS)
    await expectRefusal(await browser.send(method, path, body && JSON.stringify(body)), 'step_up_required')
})

test('the steps of setting up two-factor authentication need one proof', async () => {
  const token = await provedFor('POST', '/api/v1/two-factor/setup')
  const setup = await ann.browser.post('/api/v1/two-factor/setup', undefined, { headers: { [STEP_UP_HEADER]: token } })
  const { oneTimeToken, uri } = (await setup.json()) as { oneTimeToken: string; uri: string }
  const code = openApp(uri, server.clock).code()
  expect((await ann.browser.post('/api/v1/two-factor', { oneTimeToken, code })).status).toBe(200)
})
