import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { securityEventsOf } from '#server/identity/sessions/security-events.ts'
import { expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { sendWithProof } from '#server/test/step-up.ts'

const PASSWORD = 'correct horse battery'
let server: PeopleServer
let ann: TestPerson
let id: string

beforeAll(async () => {
  server = await peopleServer({ config: { mode: 'live' } })
  const passwordHash = await hashPassword(PASSWORD)
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com', passwordHash })
  id = (await (await ann.browser.post('/api/v1/cards/main')).json()).id
})
afterAll(() => server.close())

const path = (subpath = '') => `/api/v1/cards/${id}${subpath}`
const card = async () => (await (await ann.browser.get('/api/v1/cards')).json()).cards[0]
const change = (body: object) => ann.browser.send('PATCH', path(), JSON.stringify(body))

test('details are shown only after a proof for them', async () => {
  await expectRefusal(await ann.browser.post(path('/details')), 'step_up_required')
  const events = await securityEventsOf(server.deps, ann.customer.id, { before: null, limit: 50 })
  expect(events.map(({ kind }) => kind)).not.toContain('card_details_shown')
  const response = await sendWithProof(ann.browser, ['POST', path('/details')], { password: PASSWORD })
  expect((await response.json()).cvv).toMatch(/^\d{3}$/)
  // A proof is valid for one request.
  await expectRefusal(await ann.browser.post(path('/details')), 'step_up_required')
})

test('the session alone can freeze a card at once, and needs a proof to unfreeze it', async () => {
  expect((await ann.browser.post(path('/freeze'))).status).toBe(204)
  await expectRefusal(await ann.browser.post(path('/unfreeze')), 'step_up_required')
  expect((await card()).status).toBe('frozen')
  expect((await sendWithProof(ann.browser, ['POST', path('/unfreeze')], { password: PASSWORD })).status).toBe(204)
  expect((await card()).status).toBe('active')
})

test('a lower limit applies at once, and a higher one needs a proof', async () => {
  expect((await change({ monthLimitMinor: 100_00, abroad: false })).status).toBe(204)
  for (const more of [{ monthLimitMinor: 100_01 }, { abroad: true }, { monthLimitMinor: 50_00, abroad: true }])
    await expectRefusal(await change(more), 'step_up_required')
  expect(await card()).toMatchObject({ monthLimitMinor: 100_00, abroad: false })
  const body = { monthLimitMinor: 500_00, abroad: true }
  expect((await sendWithProof(ann.browser, ['PATCH', path()], { password: PASSWORD }, { body })).status).toBe(204)
  expect(await card()).toMatchObject(body)
})
