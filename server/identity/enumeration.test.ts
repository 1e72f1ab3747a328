import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { recordedStatements } from '#server/test/recorded-statements.ts'

/**
 * Every request with the email or phone of another person runs the same SQL statements in the same order, whether or not that
 * person is a customer (docs/decisions/0271). A difference in the statements would show in the response time.
 */

type ContactKind = 'customer' | 'nobody'
const WHO = ['customer', 'nobody'] as const

let server: PeopleServer
let ann: TestPerson
/** Each email and phone is used once, because a repeated request gets a different answer. */
let place = 0
const registeredContacts: { email: string; phone: string }[] = []

const usd = (amountMinor: number) => ({ amountMinor, asset: 'USD' })
const CUSTOMER_COUNT = 30

beforeAll(async () => {
  server = await peopleServer()
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await ann.fund(10_00)
  for (let index = 0; index < CUSTOMER_COUNT; index += 1) {
    const [email, phone] = [`known.${100 + index}@example.com`, `+447911000${100 + index}`]
    await server.person({ fullName: 'Known Customer', email, phone })
    registeredContacts.push({ email, phone })
  }
})
afterAll(() => server.close())

function somebody(contactKind: ContactKind): { email: string; phone: string } {
  place += 1
  const customer = registeredContacts[place % CUSTOMER_COUNT]
  if (!customer) throw new Error('Nobody is known')
  return contactKind === 'customer'
    ? customer
    : { email: `fresh.${100 + place}@example.com`, phone: `+447911111${100 + place}` }
}

/** The bank writes its request counters every few seconds, independently of the requests. */
const COUNTS_REQUESTS = /^WITH clock AS/

/** Returns the statements that run during `act`, without the request counters. */
async function statementsDuring(act: () => Promise<unknown>): Promise<string[]> {
  const texts = (await recordedStatements(act)).map(({ text }) => text.replaceAll(/\s+/g, ' '))
  return texts.filter((text) => !COUNTS_REQUESTS.test(text))
}

/** Returns the statements that the bank runs until it responds. */
async function statementsOf(ask: () => Promise<Response>): Promise<{ status: number; statements: string[] }> {
  // Earlier requests may have deferred writes, which must end first.
  while ((await statementsDuring(() => sleep(400))).length > 0);
  let status = 0
  const statements = await statementsDuring(async () => {
    const answer = await ask()
    await answer.text()
    status = answer.status
  })
  return { status, statements }
}

const post = (path: string, body?: object) => ann.browser.post(`/api/v1${path}`, body, { key: randomUUID() })
const people = (address: string) => [{ name: 'Bob', address }]

/** Every request that contains another person's address, with its expected status. Each is made by email and by phone. */
const QUESTIONS: [name: string, status: number, ask: (address: string) => Promise<Response>][] = [
  ['a payment that is too large', 422, (recipient) => post('/transfers', { recipient, ...usd(2_000_000_00) })],
  ['a payment without enough money', 422, (recipient) => post('/transfers', { recipient, ...usd(900_000_00) })],
  ['a request for money', 200, (recipient) => post('/money-requests', { recipient, ...usd(1) })],
  [
    'a split bill',
    200,
    (address) => post('/bills', { totalMinor: 10_00, asset: 'USD', division: 'equal', people: people(address) }),
  ],
  ['a group', 200, (address) => post('/bill-groups', { name: 'Trip', people: people(address) })],
  [
    'a scheduled payment',
    200,
    (recipient) =>
      post('/schedules', { recipient, ...usd(1), every: 'once', startsOn: '2026-09-01', end: { kind: 'never' } }),
  ],
]

describe.each(['email', 'phone'] as const)('existing customers are not revealed by %s', (kind) => {
  test.each(QUESTIONS)('%s', async (_name, status, ask) => {
    const answers: Record<ContactKind, string[]> = { customer: [], nobody: [] }
    // A first round warms up the caches, so that one-off statements do not count.
    for (const contactKind of [...WHO, ...WHO]) {
      const recording = await statementsOf(() => ask(somebody(contactKind)[kind]))
      expect([contactKind, recording.status]).toEqual([contactKind, status])
      answers[contactKind] = recording.statements
    }
    expect(answers.customer.length).toBeGreaterThan(1)
    expect(answers.customer).toEqual(answers.nobody)
  })

  test('a reminder', async () => {
    const answers: Record<ContactKind, string[]> = { customer: [], nobody: [] }
    for (const contactKind of [...WHO, ...WHO]) {
      const response = await post('/money-requests', { recipient: somebody(contactKind)[kind], ...usd(1) })
      const { request } = await response.json()
      const recording = await statementsOf(() => post(`/money-requests/${request.id}/reminders`))
      expect([contactKind, recording.status]).toEqual([contactKind, 200])
      answers[contactKind] = recording.statements
    }
    expect(answers.customer).toEqual(answers.nobody)
  })

  test('more members of a group', async () => {
    const { group } = await (await post('/bill-groups', { name: 'Trip', people: people('first@example.com') })).json()
    const answers: Record<ContactKind, string[]> = { customer: [], nobody: [] }
    for (const contactKind of [...WHO, ...WHO]) {
      const body = { people: people(somebody(contactKind)[kind]) }
      const recording = await statementsOf(() => post(`/bill-groups/${group.id}/members`, body))
      expect([contactKind, recording.status]).toEqual([contactKind, 200])
      answers[contactKind] = recording.statements
    }
    expect(answers.customer).toEqual(answers.nobody)
  })
})

test('a payment above the daily limit', async () => {
  const rich = await server.person({ fullName: 'Rich Lee', email: 'rich@example.com' })
  await rich.fund(9_000_000_00)
  const send = (recipient: string, amountMinor: number) =>
    rich.browser.post('/api/v1/transfers', { recipient, ...usd(amountMinor) })
  for (let times = 0; times < 5; times += 1) {
    expect((await send('known.100@example.com', 1_000_000_00)).status).toBe(200)
  }
  const answers: Record<ContactKind, string[]> = { customer: [], nobody: [] }
  for (const contactKind of [...WHO, ...WHO]) {
    const recording = await statementsOf(() => send(somebody(contactKind).email, 1))
    expect([contactKind, recording.status]).toEqual([contactKind, 422])
    answers[contactKind] = recording.statements
  }
  expect(answers.customer).toEqual(answers.nobody)
})
