import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Contact } from '#contract/payments.ts'
import { testClock } from '#server/test/bank.ts'
import { expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

const START = new Date('2026-08-28T09:41:00.000Z')

// Real time stands still, so that sessions do not expire while business time moves.
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let alice: TestPerson
let bob: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(() => server.close())

async function contacts(path = ''): Promise<Contact[]> {
  return ((await (await alice.browser.get(`/api/v1/contacts${path}`)).json()) as { contacts: Contact[] }).contacts
}
const emails = async (path = '') => (await contacts(path)).map(({ email }) => email)

beforeEach(async () => {
  clock.set(START)
  round += 1
  alice = await server.person({ fullName: 'Alice Adams', email: `alice${round}@example.com` })
  bob = await server.person({ fullName: 'Bob Brown', email: `bob${round}@example.com` })
  await alice.fund(100_00)
  for (const name of ['zoe', 'mia', 'ann']) {
    const sent = { recipient: `${name}_${round}%@example.com`, amountMinor: 1, asset: 'USD' }
    await alice.browser.post('/api/v1/transfers', sent, { key: randomUUID() })
    await contacts()
    clock.set(new Date(clock.businessNow().getTime() + 120_000))
  }
})

const [ann, mia, zoe] = ['ann', 'mia', 'zoe'].map((name) => () => `${name}_${round}%@example.com`)
if (!ann || !mia || !zoe) throw new Error('Three people')

test('favorites come first, and one can be unmarked and removed', async () => {
  expect(await emails()).toEqual([ann(), mia(), zoe()])
  const mark = (favourite: boolean) => alice.browser.post('/api/v1/contacts/mark', { email: zoe(), favourite })
  expect((await mark(true)).status).toBe(204)
  expect((await mark(true)).status).toBe(204)
  expect(await emails()).toEqual([zoe(), ann(), mia()])
  expect((await contacts()).map(({ favourite }) => favourite)).toEqual([true, false, false])
  // A second payment does not remove the favorite mark.
  await alice.browser.post(
    '/api/v1/transfers',
    { recipient: zoe(), amountMinor: 1, asset: 'USD' },
    { key: randomUUID() },
  )
  expect((await contacts())[0]).toMatchObject({ email: zoe(), favourite: true })
  expect((await mark(false)).status).toBe(204)
  expect((await alice.browser.post('/api/v1/contacts/remove', { email: mia() })).status).toBe(204)
  expect(await emails()).toEqual([zoe(), ann()])
})

test('a search finds text in names and addresses, as it is entered', async () => {
  expect(await emails('/search')).toEqual([ann(), mia(), zoe()])
  expect(await emails('/search?q=MI')).toEqual([mia()])
  // Searches without accents and in any Unicode composition.
  await server.deps.pool.query('UPDATE bank.contact SET name = $1 WHERE display_address = $2', ['Zoë Żak', zoe()])
  for (const q of ['zoe z', 'Zoe\u0308', 'ZOË', 'zak', 'zoe  zak'])
    expect(await emails(`/search?q=${encodeURIComponent(q)}`)).toEqual([zoe()])
  expect(await emails(`/search?q=${encodeURIComponent('_')}`)).toHaveLength(3)
  expect(await emails(`/search?q=${encodeURIComponent('%@')}`)).toHaveLength(3)
  expect(await emails(`/search?q=${encodeURIComponent('a%e')}`)).toEqual([])
  expect(await emails(`/search?q=${encodeURIComponent('\\')}`)).toEqual([])
})

test('people in a split bill are contacts without a payment', async () => {
  const eve = `eve${round}@example.com`
  const split = () =>
    alice.browser.post(
      '/api/v1/bills',
      { totalMinor: 2_00, asset: 'USD', division: 'equal', people: [{ name: 'Eve', address: eve }] },
      { key: randomUUID() },
    )
  const paid = async () => (await contacts()).find(({ email }) => email === eve)?.paid
  expect((await split()).status).toBe(200)
  expect(await paid()).toBe(false)
  const transfer = { recipient: eve, amountMinor: 1, asset: 'USD' }
  await alice.browser.post('/api/v1/transfers', transfer, { key: randomUUID() })
  expect(await paid()).toBe(true)
  await split()
  expect(await paid()).toBe(true)
})

test('a text that the database cannot store is not an address', async () => {
  for (const [path, more] of [
    ['mark', { favourite: true }],
    ['remove', {}],
  ] as const)
    await expectRefusal(
      await bob.browser.post(`/api/v1/contacts/${path}`, { email: 'a\0b', ...more }),
      'email_invalid',
      'email',
    )
})

test('another customer’s contacts are not found', async () => {
  await expectRefusal(await bob.browser.post('/api/v1/contacts/mark', { email: zoe(), favourite: true }), 'not_found')
  await expectRefusal(await bob.browser.post('/api/v1/contacts/remove', { email: zoe() }), 'not_found')
  expect((await contacts()).every(({ favourite }) => !favourite)).toBe(true)
})
