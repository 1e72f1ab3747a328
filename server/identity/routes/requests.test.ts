import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal, type Person, type PeopleServer, peopleServer } from '#server/test/people.ts'

let server: PeopleServer
let ann: Person

beforeAll(async () => {
  server = await peopleServer()
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await ann.fund(100_00)
})
afterAll(() => server.close())

const isCarriedOut = async (key: string): Promise<unknown> =>
  (await (await ann.browser.get(`/api/v1/requests/${key}`)).json()).carriedOut

const send = (amountMinor: number, key: string) =>
  ann.browser.post('/api/v1/transfers', { recipient: 'cleo@example.com', amountMinor, asset: 'USD' }, { key })

test('a payment was carried out once it was booked, and not where it was refused or never came', async () => {
  const [paid, refused] = [randomUUID(), randomUUID()]
  expect((await send(25_00, paid)).status).toBe(200)
  await expectRefusal(await send(500_00, refused), 'insufficient_funds')
  expect(await isCarriedOut(paid)).toBe(true)
  expect(await isCarriedOut(refused)).toBe(false)
  expect(await isCarriedOut(randomUUID())).toBe(false)
})

test('what creates something without moving money is known too', async () => {
  const key = randomUUID()
  const newcomer = { fullName: 'Bob Brown', email: 'bob@example.com', phone: '+12125550123', password: 'copper kettle' }
  expect((await server.browser().post('/api/v1/customers', newcomer, { key })).ok).toBe(true)
  expect(await isCarriedOut(key)).toBe(true)
})

test('what is no key is refused', async () => {
  await expectRefusal(await ann.browser.get('/api/v1/requests/none'), 'idempotency_key_invalid')
})
