import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { STEP_UP_HEADER } from '#contract/identity.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { type Person, type PeopleServer, peopleServer } from '#server/test/people.ts'

const PASSWORD = 'correct horse battery'
let server: PeopleServer
let ann: Person
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

/** Long ago is when she last showed who she is. */
const forget = () =>
  server.deps.pool.query('UPDATE bank.session SET proved_at = NULL WHERE customer_id = $1', [ann.customer.id])

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

test.each(ACTS)('%s asks for a fresh proof, and takes the one given to it', async (_, method, path, body, status) => {
  const send = (token?: string) =>
    ann.browser.send(method, path, body && JSON.stringify(body), {
      headers: token === undefined ? {} : { [STEP_UP_HEADER]: token },
    })
  await forget()
  const before = await stateOf()
  const refused = await send()
  expect([refused.status, (await refused.json()).error.code]).toEqual([403, 'step_up_required'])
  expect(await stateOf()).toEqual(before)
  const token = refused.headers.get(STEP_UP_HEADER) ?? ''
  const proved = await ann.browser.post(`/api/v1/step-ups/${token}`, { password: PASSWORD })
  expect(proved.status).toBeLessThan(300)
  const done = await send(token)
  expect(done.status).toBe(status)
  await done.text()
})

test('a name, a birthday and an address do not', async () => {
  await forget()
  const body = { fullName: 'Ann May', dateOfBirth: '1990-02-03', phone: ann.customer.phone, email: ann.customer.email }
  const answer = await ann.browser.send('PATCH', '/api/v1/profile', JSON.stringify(body))
  expect(answer.status).toBe(200)
})

test('a sign-in of a moment ago is proof enough', async () => {
  expect((await ann.browser.get('/api/v1/profile/export')).status).toBe(200)
})
