import { DAY_MS } from '#server/platform/durations.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Mandate } from '#contract/direct-debits.ts'
import { lineNamed } from '#contract/wording.ts'
import { collectDue, tellDebit } from '#server/direct-debits/announcements.ts'
import { requestMandate } from '#server/direct-debits/mandates.ts'
import { reportDebit, reportMandate } from '#server/direct-debits/reports.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import { closeCustomer } from '#server/profile/closure.ts'
import { testClock } from '#server/test/bank.ts'
import { books, expectRefusal, type PeopleServer, peopleServer, type Person } from '#server/test/people.ts'
import { doJobs } from '#server/test/post.ts'
import { sendWithProof } from '#server/test/step-up.ts'
import { openRail, type TestRail } from '#server/test/rail.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
/** A Friday. */
const DUE_ON = '2026-09-04'
const DUE_AT = new Date('2026-09-04T06:00:00.000Z')
const PASSWORD = 'correct horse battery'
const BILLER = 'Brightwater Energy'
const clock = { ...testClock(START), realNow: () => START }

let rail: TestRail
let server: PeopleServer
let ann: Person
let passwordHash: string
let round = 0

beforeAll(async () => {
  rail = await openRail(() => START)
  const config = {
    mode: 'live' as const,
    rail: { url: rail.url, secret: rail.secret, methods: ['bank' as const], timeoutMs: 200 },
  }
  passwordHash = await hashPassword(PASSWORD)
  server = await peopleServer({ clock, config })
})
afterAll(async () => {
  await books(server)
  await server.close()
  await rail.close()
})
beforeEach(async () => {
  round += 1
  clock.set(START)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com`, passwordHash })
})
afterEach(() => {
  rail.asked.length = 0
  rail.behave((outgoing) => void outgoing.writeHead(202).end())
})

const hook = () => `${server.url}/hooks/rails`
const tell = (type: string, event: object) => rail.tell(hook(), { eventId: randomUUID(), type, ...event })
const asks = (id: string, change: object = {}) =>
  tell('mandate.requested', {
    id,
    customer: `ann${round}@example.com`,
    billerName: BILLER,
    reference: `BWE-${id.slice(0, 8)}`,
    limitMinor: 100_00,
    asset: 'USD',
    ...change,
  })
const announces = (mandateId: string, change: object = {}) =>
  tell('debit.announced', { id: randomUUID(), mandateId, amountMinor: 45_00, asset: 'USD', dueOn: DUE_ON, ...change })
const mandates = async () => {
  const answer = (await (await ann.browser.get('/api/v1/mandates')).json()) as { mandates: Mandate[] }
  return answer.mandates
}
const post = (path: string, body: object = {}) =>
  sendWithProof(ann.browser, ['POST', `/api/v1${path}`], { password: PASSWORD }, { body, key: randomUUID() })
const decide = (id: string, decision: string) => post(`/mandates/${id}/decision`, { decision })

async function active(): Promise<string> {
  const id = randomUUID()
  expect((await asks(id)).status).toBe(200)
  expect((await decide(id, 'approve')).status).toBe(200)
  return id
}

/** What the provider was told of something since the last time, oldest first. */
async function reported(id: string) {
  for (const { name } of [reportMandate, reportDebit]) await doJobs(server, name)
  const told = rail.asked.filter((asked) => asked.id === id)
  rail.asked.length = 0
  expect(told.every(({ signed }) => signed)).toBe(true)
  return told.map(({ path, key, status, amountMinor, reason }) => ({ path, key, status, amountMinor, reason }))
}
const report = (id: string, what: 'mandates' | 'debits', status: string, more: object = {}) => [
  { path: `/${what}`, key: `${id}:${status}`, status, amountMinor: undefined, reason: undefined, ...more },
]

describe('a biller of the provider', () => {
  test('asks, announces and collects, and is told of each outcome', async () => {
    await ann.fund(100_00)
    const id = await active()
    expect(await reported(id)).toEqual(report(id, 'mandates', 'active'))
    expect(await mandates()).toMatchObject([{ id, billerName: BILLER, limitMinor: 100_00, status: 'active' }])
    const debitId = randomUUID()
    expect((await announces(id, { id: debitId })).status).toBe(200)
    const { upcoming } = await ann.dashboard()
    expect(upcoming).toEqual({
      next: [{ kind: 'direct_debit', id, name: BILLER, amountMinor: 45_00, asset: 'USD', dueOn: DUE_ON }],
      // It is due next month.
      dueThisMonthMinor: 0,
      asset: 'USD',
      leftMinor: 100_00,
    })
    clock.set(new Date(DUE_AT.getTime() - 3 * DAY_MS))
    await doJobs(server, tellDebit.name)
    expect((await ann.dashboard()).upcoming).toMatchObject({ dueThisMonthMinor: 45_00, leftMinor: 55_00 })
    clock.set(DUE_AT)
    await doJobs(server, collectDue.name)
    expect(await ann.balanceMinor()).toBe(55_00)
    expect((await ann.dashboard()).upcoming).toBeNull()
    const [newest] = await ann.transactions()
    expect(newest).toMatchObject({ name: lineNamed(BILLER), amountMinor: -45_00, category: 'bills' })
    expect(await reported(debitId)).toEqual(report(debitId, 'debits', 'collected', { amountMinor: 45_00 }))

    expect((await post(`/direct-debits/${debitId}/claim-back`)).status).toBe(200)
    expect(await ann.balanceMinor()).toBe(100_00)
    expect(await reported(debitId)).toEqual(report(debitId, 'debits', 'claimed_back', { amountMinor: 45_00 }))
  })

  test('is told why it was not paid', async () => {
    const id = await active()
    const debitId = randomUUID()
    await announces(id, { id: debitId })
    clock.set(DUE_AT)
    await doJobs(server, tellDebit.name)
    await doJobs(server, collectDue.name)
    expect(await reported(debitId)).toEqual(
      report(debitId, 'debits', 'unpaid', { amountMinor: 45_00, reason: 'insufficient_funds' }),
    )
    expect(await ann.balanceMinor()).toBe(0)
  })

  test('is told of a customer who declines, cancels or closes', async () => {
    const declined = randomUUID()
    await asks(declined)
    await decide(declined, 'decline')
    expect(await reported(declined)).toEqual(report(declined, 'mandates', 'declined'))
    const cancelled = await active()
    await announces(cancelled)
    await ann.browser.post(`/api/v1/mandates/${cancelled}/cancel`, {}, { key: null })
    expect((await reported(cancelled)).at(-1)).toMatchObject({ status: 'cancelled' })
    await expectRefusal(await announces(cancelled, { dueOn: '2026-09-11' }), 'mandate_not_active')
    const left = await active()
    await reported(left)
    const caller = { device: { browser: 'Test browser', system: null }, networkZone: 'internet' } as const
    await closeCustomer(server.deps, ann.customer, caller)
    expect(await reported(left)).toEqual(report(left, 'mandates', 'cancelled'))
    await expectRefusal(await asks(randomUUID()), 'not_found', 'customer')
  })

  test('takes back what it announced, and its mandate', async () => {
    await ann.fund(100_00)
    const id = await active()
    const debitId = randomUUID()
    await announces(id, { id: debitId })
    await announces(id, { dueOn: '2026-09-11' })
    expect((await tell('debit.withdrawn', { id: debitId })).status).toBe(200)
    expect((await ann.dashboard()).upcoming?.next).toMatchObject([{ dueOn: '2026-09-11' }])
    expect((await tell('mandate.withdrawn', { id })).status).toBe(200)
    expect((await ann.dashboard()).upcoming).toBeNull()
    expect(await mandates()).toMatchObject([{ id, status: 'cancelled' }])
    clock.set(new Date('2026-09-20T00:00:00.000Z'))
    await doJobs(server, tellDebit.name)
    await doJobs(server, collectDue.name)
    expect(await ann.balanceMinor()).toBe(100_00)
    await expectRefusal(await tell('debit.withdrawn', { id: randomUUID() }), 'not_found')
    await expectRefusal(await tell('mandate.withdrawn', { id: randomUUID() }), 'not_found')
  })

  test('says the same again, twenty times at once, and it is done once', async () => {
    const id = randomUUID()
    const request = { eventId: randomUUID() }
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => asks(id, at % 2 ? request : {})))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await mandates()).toHaveLength(1)
    expect((await ann.dashboard()).unreadNotifications).toBe(1)
    await decide(id, 'approve')
    await expectRefusal(await asks(id, { ...request, limitMinor: 1_00 }), 'collection_mismatch', 'eventId')
    const announcement = { id: randomUUID(), eventId: randomUUID() }
    const told = await Promise.all(Array.from({ length: 10 }, () => announces(id, announcement)))
    expect(told.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    const other = await announces(id, { ...announcement, amountMinor: 1_00 })
    await expectRefusal(other, 'collection_mismatch', 'eventId')
    expect((await mandates())[0]?.upcoming).toMatchObject([{ id: announcement.id, dueOn: DUE_ON }])
  })
})

describe('what a provider gets wrong changes nothing', () => {
  const REFUSED: [string, (id: string) => Promise<Response>, string, string?][] = [
    ['somebody who is no customer', () => asks(randomUUID(), { customer: 'no@example.com' }), 'not_found', 'customer'],
    ['an address that is none', () => asks(randomUUID(), { customer: 'x' }), 'not_found', 'customer'],
    ['no name', () => asks(randomUUID(), { billerName: ' ' }), 'request_invalid', 'billerName'],
    ['a name that nobody can see', () => asks(randomUUID(), { billerName: '\u200b' }), 'request_invalid', 'billerName'],
    ['a name with U+0000', () => asks(randomUUID(), { billerName: 'A\0B' }), 'request_invalid', 'billerName'],
    [
      'a field that is not known',
      () => asks(randomUUID(), { bill: { amountMinor: 1, day: 1 } }),
      'request_invalid',
      'bill',
    ],
    ['an event that is not known', () => tell('mandate.approved', { id: randomUUID() }), 'request_invalid'],
    ['other terms for a mandate', (id) => asks(id, { limitMinor: 1_00 }), 'collection_mismatch', 'limitMinor'],
    ['another category for it', (id) => asks(id, { category: 'shopping' }), 'collection_mismatch', 'category'],
    ['an id that is a mandate’s already', (id) => asks(id, { reference: 'other' }), 'collection_mismatch', 'reference'],
    [
      'a reference that is taken',
      (id) => asks(randomUUID(), { reference: `BWE-${id.slice(0, 8)}` }),
      'collection_mismatch',
      'reference',
    ],
    ['a mandate that nobody gave', () => announces(randomUUID()), 'not_found'],
    [
      'more than the mandate allows',
      (id) => announces(id, { amountMinor: 100_01 }),
      'mandate_limit_exceeded',
      'amountMinor',
    ],
    ['nothing', (id) => announces(id, { amountMinor: 0 }), 'amount_invalid', 'amountMinor'],
    ['another currency', (id) => announces(id, { asset: 'EUR' }), 'request_invalid', 'asset'],
    ['31 February', (id) => announces(id, { dueOn: '2027-02-31' }), 'request_invalid', 'dueOn'],
    ['a date too near for the notice', (id) => announces(id, { dueOn: '2026-08-30' }), 'debit_date_invalid', 'dueOn'],
    ['a date that is over', (id) => announces(id, { dueOn: '2026-08-01' }), 'debit_date_invalid', 'dueOn'],
    ['a date in two years', (id) => announces(id, { dueOn: '2028-08-28' }), 'debit_date_invalid', 'dueOn'],
  ]
  test.each(REFUSED)('%s', async (_what, telling, code, field) => {
    const id = await active()
    const before = { books: await books(server), mandates: await mandates() }
    await expectRefusal(await telling(id), code as 'not_found', field)
    expect({ books: await books(server), mandates: await mandates() }).toEqual(before)
  })

  test('a second debit for the same date, or under the same id', async () => {
    const id = await active()
    const debitId = randomUUID()
    await announces(id, { id: debitId })
    await expectRefusal(await announces(id), 'debit_repeated')
    await expectRefusal(await announces(id, { id: debitId, dueOn: '2026-09-11' }), 'debit_repeated')
    expect((await mandates())[0]?.upcoming).toHaveLength(1)
  })

  test('a mandate that was not given yet, or is of the bank’s own', async () => {
    const id = randomUUID()
    await asks(id)
    await expectRefusal(await announces(id), 'mandate_not_active')
    await decide(id, 'approve')
    const own = await inTransaction(server.deps.db, (trx) =>
      requestMandate(server.deps, trx, ann.customer, { billerName: BILLER, reference: 'own', category: 'bills' }),
    )
    await expectRefusal(await announces(own), 'not_found')
    await expectRefusal(await tell('mandate.withdrawn', { id: own }), 'not_found')
  })

  test('a flood of requests to one customer', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => asks(randomUUID())))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    for (const answer of answers.filter(({ status }) => status !== 200)) await expectRefusal(answer, 'mandates_full')
    const accounts = await accountsOf(runOn(server.deps.pool), ann.customer.id)
    expect(accounts.every(({ balanceMinor }) => balanceMinor === 0)).toBe(true)
  })
})

test('a provider that does not answer is told again; one that does not know it is not', async () => {
  // What tests before this one left.
  await reported(randomUUID())
  const id = await active()
  rail.behave((outgoing) => void outgoing.writeHead(503).end())
  await expect(doJobs(server, reportMandate.name)).rejects.toThrow('503')
  rail.behave((outgoing) => void outgoing.writeHead(422).end())
  expect((await reported(id)).map(({ status }) => status)).toEqual(['active', 'active'])
  expect(await reported(id)).toEqual([])
})
