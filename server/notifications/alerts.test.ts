import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { noticeWords } from '#contract/parse-notice.ts'
import { issueCards } from '#server/cards/service.ts'
import { type NewNotice, notify, notifyAll } from '#server/notifications/service.ts'
import { testDeps } from '#server/test/bank.ts'
import { type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { nameInWords } from '#server/test/line-texts.ts'

let server: PeopleServer
let ann: TestPerson
let bob: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
  await ann.fund(100_00)
})

type NotificationRow = { kind: string; params: { amountMinor: number; name: string }; created_at: Date }

async function readNotices(person: TestPerson, { deps } = server): Promise<NotificationRow[]> {
  const { rows } = await deps.pool.query<NotificationRow>(
    'SELECT kind, params, created_at FROM bank.notification WHERE customer_id = $1',
    [person.customer.id],
  )
  return rows
}

const kinds = async (person: TestPerson) => (await readNotices(person)).map(({ kind }) => kind)

const send = (from: TestPerson, to: TestPerson, amountMinor: number, key: string = randomUUID()) =>
  from.browser.post('/api/v1/transfers', { recipient: to.customer.email, amountMinor, asset: 'USD' }, { key })

const prefer = (person: TestPerson, preferences: object) =>
  person.browser.send('PATCH', '/api/v1/preferences', JSON.stringify(preferences))

test('a recipient gets one notice for any number of requests to send the payment', async () => {
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(ann, bob, 25_50, key)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  await send(ann, bob, 1_00)
  await expect.poll(() => readNotices(bob)).toHaveLength(2)
  expect((await send(ann, bob, 25_50, key)).status).toBe(200)
  await send(ann, bob, 2_00)
  await expect.poll(() => readNotices(bob)).toHaveLength(3)
  expect(await readNotices(bob)).toContainEqual({
    kind: 'payment_received',
    params: { amountMinor: 25_50, asset: 'USD', name: 'Ann Lee', transactionId: key },
    created_at: server.clock.businessNow(),
  })
  expect((await readNotices(bob)).filter(({ params }) => params.amountMinor === 25_50)).toHaveLength(1)
  expect(await readNotices(ann)).toEqual([])
  expect((await bob.dashboard()).unreadNotifications).toBe(3)
})

test('a refused payment causes no notice', async () => {
  expect((await send(ann, bob, 100_01)).status).toBe(422)
  await send(ann, bob, 1_00)
  await expect.poll(() => readNotices(bob)).toHaveLength(1)
  expect((await readNotices(bob))[0]?.params.amountMinor).toBe(1_00)
})

test('a card payment and a salary cause notices, with the texts of the sample history', async () => {
  const { id: customerId, currentAccountId: accountId } = ann.customer
  const card = { customerId, accountId, type: 'debit', kind: 'main' } as const
  await issueCards(server.deps, [{ ...card, name: 'Main Card', lastFour: '4821', expiresOn: '2028-12-31' }])
  const charge = { category: 'food', amountMinor: 5_60 }
  const charged = await ann.browser.post('/api/v1/sample/charges', charge)
  const { transaction } = await charged.json()
  await ann.browser.post('/api/v1/sample/salary')
  await expect.poll(() => kinds(ann)).toHaveLength(2)
  // The test clock stands still, so the notices have the same time and no fixed order.
  const words = (await readNotices(ann))
    .map((notice) => noticeWords(notice, server.deps.translations.in('en')))
    .map((notice) => `${notice?.title}: ${notice?.message}`)
  expect(words.toSorted()).toEqual([
    `Card payment: You paid $5.60 at ${nameInWords(transaction.name)}.`,
    'Payment received: You received $3,500.00 from Northwind Studio.',
  ])
})

const paid = { params: { amountMinor: 1_00, asset: 'USD', name: 'Cy Roe' } } as const
const decided = { params: { reason: null } } as const
const MONEY = [
  ...(['payment_received', 'card_payment', 'payment_claimed', 'payment_expired'] as const).map((kind) => ({
    kind,
    ...paid,
  })),
  ...(['top_up_settled', 'top_up_failed', 'top_up_returned'] as const).map((kind) => ({
    kind,
    params: { ...paid.params, method: 'card' as const },
  })),
]
const NEWS = { kind: 'new_feature', params: { feature: 'send_to_anyone' } } as const
const SECURITY = (['kyc_approved', 'kyc_rejected', 'kyc_again'] as const).map((kind) => ({ kind, ...decided }))
const ALL = [...MONEY, NEWS, ...SECURITY]
const kindsOf = (notices: readonly { kind: string }[]) => notices.map(({ kind }) => kind)

test.each([
  [{}, kindsOf(ALL)],
  [{ transactionAlerts: false }, kindsOf([NEWS, ...SECURITY])],
  [{ notifications: false }, kindsOf(SECURITY)],
  [{ notifications: false, transactionAlerts: false }, kindsOf(SECURITY)],
])('with %j the customer gets %j', async (preferences, expected) => {
  expect((await prefer(bob, preferences)).status).toBe(200)
  const notices: NewNotice[] = ALL.map((notice) => ({ customerId: bob.customer.id, ...notice }))
  await notifyAll(server.deps, server.deps.db, notices)
  expect((await kinds(bob)).toSorted()).toEqual(expected.toSorted())
  // A customer who switches a topic on again gets its notices again.
  await prefer(bob, { notifications: true, transactionAlerts: true })
  await send(ann, bob, 1_00)
  await expect.poll(() => readNotices(bob)).toHaveLength(expected.length + 1)
})

test('a payment causes no notice for a customer who has switched off transaction alerts, and one for others', async () => {
  await prefer(bob, { transactionAlerts: false })
  const cy = await server.person({ fullName: 'Cy Roe', email: `cy${round}@example.com` })
  await send(ann, bob, 1_00)
  await send(ann, cy, 1_00)
  await expect.poll(() => readNotices(cy)).toHaveLength(1)
  expect(await readNotices(bob)).toEqual([])
})

test('a notice that the customer has switched off causes no live event', async () => {
  await prefer(bob, { notifications: false })
  const heard: string[] = []
  const stop = server.deps.events.subscribe(bob.customer.id, (type) => heard.push(type))
  const customerId = bob.customer.id
  await notify(server.deps, server.deps.db, { customerId, ...NEWS })
  await notify(server.deps, server.deps.db, { customerId, kind: 'kyc_approved', ...decided })
  await expect.poll(() => heard).toEqual(['notification'])
  stop()
})

test('a bank that stops first writes its pending alerts', async () => {
  const closing = await peopleServer({ beside: server })
  expect((await send(ann, bob, 3_00)).status).toBe(200)
  const cy = await closing.person({ fullName: 'Cy Roe', email: `closing${round}@example.com` })
  await cy.fund(10_00)
  expect((await send(cy, bob, 4_00)).status).toBe(200)
  await closing.close()
  const beside = await testDeps({ beside: server })
  expect((await readNotices(bob, { ...server, ...beside })).map(({ params }) => params.name)).toContain('Cy Roe')
  await beside.close()
})
