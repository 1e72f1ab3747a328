import { DAY_MS } from '#server/platform/durations.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Mandate } from '#contract/direct-debits.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { collectDue, notifyDebit } from '#server/direct-debits/announcements.ts'
import { requestMandate } from '#server/direct-debits/mandates.ts'
import { reportDebit, reportMandate } from '#server/direct-debits/reports.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import { closeCustomer } from '#server/profile/closure.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { doJobs } from '#server/test/post-office.ts'
import { sendWithProof } from '#server/test/step-up.ts'
import { openRail, type TestRail } from '#server/test/rail.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
/** This date is a Friday. */
const DUE_ON = '2026-09-04'
const DUE_AT = new Date('2026-09-04T06:00:00.000Z')
const PASSWORD = 'correct horse battery'
const BILLER = 'Brightwater Energy'
const clock = { ...testClock(START), realNow: () => START }

let rail: TestRail
let server: PeopleServer
let ann: TestPerson
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
  await auditTestBooks(server)
  await server.close()
  await rail.close()
})
beforeEach(async () => {
  round += 1
  clock.set(START)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com`, passwordHash })
})
afterEach(() => {
  rail.requests.length = 0
  rail.behave((outgoing) => void outgoing.writeHead(202).end())
})

const hook = () => `${server.url}/hooks/rails`
const sendEvent = (type: string, event: object) => rail.tell(hook(), { eventId: randomUUID(), type, ...event })
const announceMandate = (id: string, change: object = {}) =>
  sendEvent('mandate.requested', {
    id,
    customer: `ann${round}@example.com`,
    billerName: BILLER,
    reference: `BWE-${id.slice(0, 8)}`,
    limitMinor: 100_00,
    asset: 'USD',
    ...change,
  })
const announces = (mandateId: string, change: object = {}) =>
  sendEvent('debit.announced', {
    id: randomUUID(),
    mandateId,
    amountMinor: 45_00,
    asset: 'USD',
    dueOn: DUE_ON,
    ...change,
  })
const mandates = async () => {
  const answer = (await (await ann.browser.get('/api/v1/mandates')).json()) as { mandates: Mandate[] }
  return answer.mandates
}
const post = (path: string, body: object = {}) =>
  sendWithProof(ann.browser, ['POST', `/api/v1${path}`], { password: PASSWORD }, { body, key: randomUUID() })
const decide = (id: string, decision: string) => post(`/mandates/${id}/decision`, { decision })

async function active(): Promise<string> {
  const id = randomUUID()
  expect((await announceMandate(id)).status).toBe(200)
  expect((await decide(id, 'approve')).status).toBe(200)
  return id
}

/** Runs the report jobs and returns the new reports to the provider about one id, oldest first. */
async function reported(id: string) {
  for (const { name } of [reportMandate, reportDebit]) await doJobs(server, name)
  const requests = rail.requests.filter((request) => request.id === id)
  rail.requests.length = 0
  expect(requests.every(({ signed }) => signed)).toBe(true)
  return requests.map(({ path, key, status, amountMinor, reason }) => ({ path, key, status, amountMinor, reason }))
}
const report = (id: string, resource: 'mandates' | 'debits', status: string, more: object = {}) => [
  { path: `/${resource}`, key: `${id}:${status}`, status, amountMinor: undefined, reason: undefined, ...more },
]

describe('a biller of the provider', () => {
  test('requests, announces and collects, and gets each outcome', async () => {
    await ann.fund(100_00)
    const id = await active()
    expect(await reported(id)).toEqual(report(id, 'mandates', 'active'))
    expect(await mandates()).toMatchObject([{ id, billerName: BILLER, limitMinor: 100_00, status: 'active' }])
    const debitId = randomUUID()
    expect((await announces(id, { id: debitId })).status).toBe(200)
    const { upcoming } = await ann.dashboard()
    expect(upcoming).toEqual({
      next: [{ kind: 'direct_debit', id, name: BILLER, amountMinor: 45_00, asset: 'USD', dueOn: DUE_ON }],
      // The direct debit is due next month.
      dueThisMonthMinor: 0,
      asset: 'USD',
      leftMinor: 100_00,
    })
    clock.set(new Date(DUE_AT.getTime() - 3 * DAY_MS))
    await doJobs(server, notifyDebit.name)
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

  test('gets the reason for an unpaid debit', async () => {
    const id = await active()
    const debitId = randomUUID()
    await announces(id, { id: debitId })
    clock.set(DUE_AT)
    await doJobs(server, notifyDebit.name)
    await doJobs(server, collectDue.name)
    expect(await reported(debitId)).toEqual(
      report(debitId, 'debits', 'unpaid', { amountMinor: 45_00, reason: 'insufficient_funds' }),
    )
    expect(await ann.balanceMinor()).toBe(0)
  })

  test('is notified when a customer declines, cancels or closes', async () => {
    const declinedId = randomUUID()
    await announceMandate(declinedId)
    await decide(declinedId, 'decline')
    expect(await reported(declinedId)).toEqual(report(declinedId, 'mandates', 'declined'))
    const canceled = await active()
    await announces(canceled)
    await ann.browser.post(`/api/v1/mandates/${canceled}/cancel`, {}, { key: null })
    expect((await reported(canceled)).at(-1)).toMatchObject({ status: 'cancelled' })
    await expectRefusal(await announces(canceled, { dueOn: '2026-09-11' }), 'mandate_not_active')
    const mandateId = await active()
    await reported(mandateId)
    const caller = { device: { browser: 'Test browser', system: null }, networkZone: 'internet' } as const
    await closeCustomer(server.deps, ann.customer, caller)
    expect(await reported(mandateId)).toEqual(report(mandateId, 'mandates', 'cancelled'))
    await expectRefusal(await announceMandate(randomUUID()), 'not_found', 'customer')
  })

  test('withdraws its announcement and its mandate', async () => {
    await ann.fund(100_00)
    const id = await active()
    const debitId = randomUUID()
    await announces(id, { id: debitId })
    await announces(id, { dueOn: '2026-09-11' })
    expect((await sendEvent('debit.withdrawn', { id: debitId })).status).toBe(200)
    expect((await ann.dashboard()).upcoming?.next).toMatchObject([{ dueOn: '2026-09-11' }])
    expect((await sendEvent('mandate.withdrawn', { id })).status).toBe(200)
    expect((await ann.dashboard()).upcoming).toBeNull()
    expect(await mandates()).toMatchObject([{ id, status: 'cancelled' }])
    clock.set(new Date('2026-09-20T00:00:00.000Z'))
    await doJobs(server, notifyDebit.name)
    await doJobs(server, collectDue.name)
    expect(await ann.balanceMinor()).toBe(100_00)
    await expectRefusal(await sendEvent('debit.withdrawn', { id: randomUUID() }), 'not_found')
    await expectRefusal(await sendEvent('mandate.withdrawn', { id: randomUUID() }), 'not_found')
  })

  test('repeats an event twenty times at once, and it is processed once', async () => {
    const id = randomUUID()
    const request = { eventId: randomUUID() }
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => announceMandate(id, at % 2 ? request : {})))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await mandates()).toHaveLength(1)
    expect((await ann.dashboard()).unreadNotifications).toBe(1)
    await decide(id, 'approve')
    await expectRefusal(await announceMandate(id, { ...request, limitMinor: 1_00 }), 'collection_mismatch', 'eventId')
    const announcement = { id: randomUUID(), eventId: randomUUID() }
    const responses = await Promise.all(Array.from({ length: 10 }, () => announces(id, announcement)))
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    const otherResponse = await announces(id, { ...announcement, amountMinor: 1_00 })
    await expectRefusal(otherResponse, 'collection_mismatch', 'eventId')
    expect((await mandates())[0]?.upcoming).toMatchObject([{ id: announcement.id, dueOn: DUE_ON }])
  })
})

describe('a provider’s invalid event changes nothing', () => {
  const REFUSED: [string, (id: string) => Promise<Response>, string, string?][] = [
    [
      'an address without a customer',
      () => announceMandate(randomUUID(), { customer: 'no@example.com' }),
      'not_found',
      'customer',
    ],
    ['an invalid address', () => announceMandate(randomUUID(), { customer: 'x' }), 'not_found', 'customer'],
    ['an empty name', () => announceMandate(randomUUID(), { billerName: ' ' }), 'request_invalid', 'billerName'],
    [
      'an invisible name',
      () => announceMandate(randomUUID(), { billerName: '\u200b' }),
      'request_invalid',
      'billerName',
    ],
    [
      'a name with U+0000',
      () => announceMandate(randomUUID(), { billerName: 'A\0B' }),
      'request_invalid',
      'billerName',
    ],
    [
      'an unknown field',
      () => announceMandate(randomUUID(), { bill: { amountMinor: 1, day: 1 } }),
      'request_invalid',
      'bill',
    ],
    ['an unknown event', () => sendEvent('mandate.approved', { id: randomUUID() }), 'request_invalid'],
    [
      'a mandate with other terms',
      (id) => announceMandate(id, { limitMinor: 1_00 }),
      'collection_mismatch',
      'limitMinor',
    ],
    [
      'a mandate with another category',
      (id) => announceMandate(id, { category: 'shopping' }),
      'collection_mismatch',
      'category',
    ],
    [
      'the id of an existing mandate',
      (id) => announceMandate(id, { reference: 'other' }),
      'collection_mismatch',
      'reference',
    ],
    [
      'a used reference',
      (id) => announceMandate(randomUUID(), { reference: `BWE-${id.slice(0, 8)}` }),
      'collection_mismatch',
      'reference',
    ],
    ['a mandate without approval', () => announces(randomUUID()), 'not_found'],
    [
      'more than the mandate allows',
      (id) => announces(id, { amountMinor: 100_01 }),
      'mandate_limit_exceeded',
      'amountMinor',
    ],
    ['nothing', (id) => announces(id, { amountMinor: 0 }), 'amount_invalid', 'amountMinor'],
    ['another currency', (id) => announces(id, { asset: 'EUR' }), 'request_invalid', 'asset'],
    ['February 31', (id) => announces(id, { dueOn: '2027-02-31' }), 'request_invalid', 'dueOn'],
    ['a date too near for the notice', (id) => announces(id, { dueOn: '2026-08-30' }), 'debit_date_invalid', 'dueOn'],
    ['a past date', (id) => announces(id, { dueOn: '2026-08-01' }), 'debit_date_invalid', 'dueOn'],
    ['a date in two years', (id) => announces(id, { dueOn: '2028-08-28' }), 'debit_date_invalid', 'dueOn'],
  ]
  test.each(REFUSED)('for %s', async (_what, telling, code, field) => {
    const id = await active()
    const before = { books: await auditTestBooks(server), mandates: await mandates() }
    await expectRefusal(await telling(id), code as 'not_found', field)
    expect({ books: await auditTestBooks(server), mandates: await mandates() }).toEqual(before)
  })

  test('for a second debit for the same date, or under the same id', async () => {
    const id = await active()
    const debitId = randomUUID()
    await announces(id, { id: debitId })
    await expectRefusal(await announces(id), 'debit_repeated')
    await expectRefusal(await announces(id, { id: debitId, dueOn: '2026-09-11' }), 'debit_repeated')
    expect((await mandates())[0]?.upcoming).toHaveLength(1)
  })

  test('for a mandate that was not approved yet, or belongs to the bank', async () => {
    const id = randomUUID()
    await announceMandate(id)
    await expectRefusal(await announces(id), 'mandate_not_active')
    await decide(id, 'approve')
    const mandate = await inTransaction(server.deps.db, (trx) =>
      requestMandate(server.deps, trx, ann.customer, { billerName: BILLER, reference: 'own', category: 'bills' }),
    )
    await expectRefusal(await announces(mandate), 'not_found')
    await expectRefusal(await sendEvent('mandate.withdrawn', { id: mandate }), 'not_found')
  })

  test('for a flood of requests to one customer', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => announceMandate(randomUUID())))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    for (const answer of answers.filter(({ status }) => status !== 200)) await expectRefusal(answer, 'mandates_full')
    const accounts = await accountsOf(runOn(server.deps.pool), ann.customer.id)
    expect(accounts.every(({ balanceMinor }) => balanceMinor === 0)).toBe(true)
  })
})

test('a notice without a response from the provider is retried, and a notice about an unknown debit is not', async () => {
  // Sends the reports that earlier tests left.
  await reported(randomUUID())
  const id = await active()
  rail.behave((outgoing) => void outgoing.writeHead(503).end())
  await expect(doJobs(server, reportMandate.name)).rejects.toThrow('503')
  rail.behave((outgoing) => void outgoing.writeHead(422).end())
  expect((await reported(id)).map(({ status }) => status)).toEqual(['active', 'active'])
  expect(await reported(id)).toEqual([])
})
