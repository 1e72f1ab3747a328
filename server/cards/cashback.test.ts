import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import fc from 'fast-check'
import { beginCashback, cashbackJob, cashbackOf } from '#server/cards/cashback.ts'
import { issueMainCard } from '#server/cards/issue.ts'
import { issueCard } from '#server/cards/service.ts'
import { setAccountStatus } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { runOn } from '#server/platform/db/run.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { auditTestBooks, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { testClock } from '#server/test/bank.ts'

const START = new Date('2026-08-28T09:41:00Z')
const clock = { ...testClock(START), realNow: () => START }

let server: PeopleServer
let ann: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(() => server.close())
beforeEach(async () => {
  clock.set(START)
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  await ann.fund(10_000_00)
  await issueCard(server.deps, {
    customerId: ann.customer.id,
    accountId: ann.customer.currentAccountId,
    type: 'debit',
    kind: 'main',
    name: 'Main Card',
    expiresOn: '2028-12-31',
  })
})
afterEach(() => auditTestBooks(server))

/** Books a card payment at a shop or, if the amount is below zero, a refund. */
async function payByCard(amountMinor: number, bookedAt = clock.businessNow()): Promise<void> {
  const [current, scheme] = [ann.customer.currentAccountId, bankAccount('card_scheme')]
  const sides = amountMinor > 0 ? { debit: current, credit: scheme } : { debit: scheme, credit: current }
  await server.deps.ledger.post({
    id: randomUUID(),
    kind: 'card.charge',
    fingerprint: 'shop',
    bookedAt,
    legs: [{ kind: 'transfer', ...sides, amountMinor: Math.abs(amountMinor), detail: { category: 'shopping' } }],
  })
}

const soFar = async () => (await (await ann.browser.get('/api/v1/cards')).json()).cashback.thisMonthMinor
const readPayouts = async () =>
  (await ann.transactions()).filter(({ name }) => name.code === 'card_cashback').map((line) => line.amountMinor)

test('a month’s payments earn one percent, rounded down to the cent, paid after the end of the month', async () => {
  await payByCard(99_99)
  await payByCard(12_50)
  await payByCard(-2_50)
  expect(await soFar()).toBe(1_09)
  await cashbackJob.work(server.deps)
  expect(await readPayouts()).toEqual([])
  clock.set(new Date('2026-09-01T00:59:00Z'))
  await cashbackJob.work(server.deps)
  expect(await readPayouts()).toEqual([])
  clock.set(new Date('2026-09-01T01:00:00Z'))
  await cashbackJob.work(server.deps)
  expect(await readPayouts()).toEqual([1_09])
  expect(await soFar()).toBe(0)
  const notices = await server.deps.db
    .selectFrom('bank.notification')
    .select(['kind', 'params'])
    .where('customer_id', '=', ann.customer.id)
    .execute()
  expect(notices).toEqual([{ kind: 'cashback_paid', params: { amountMinor: 1_09, asset: 'USD' } }])
})

test('cashback is paid once in any number of job runs, late or simultaneous', async () => {
  await payByCard(100_00)
  clock.set(new Date('2026-09-15T12:00:00Z'))
  await payByCard(300_00)
  clock.set(new Date('2026-12-10T12:00:00Z'))
  await payByCard(500_00)
  await Promise.all(Array.from({ length: 4 }, () => cashbackJob.work(server.deps)))
  await cashbackJob.work(server.deps)
  expect((await readPayouts()).toSorted((a, b) => a - b)).toEqual([1_00, 3_00])
  expect(await soFar()).toBe(5_00)
})

test('a month before the first card payment earns nothing', async () => {
  await payByCard(100_00, new Date('2026-07-15T12:00:00Z'))
  clock.set(new Date('2026-09-02T12:00:00Z'))
  await cashbackJob.work(server.deps)
  expect(await readPayouts()).toEqual([])
})

test('a payment in one month and its refund in the next earn nothing', async () => {
  await payByCard(1_000_00)
  clock.set(new Date('2026-09-02T12:00:00Z'))
  await cashbackJob.work(server.deps)
  await payByCard(-1_000_00)
  await payByCard(600_00)
  expect(await soFar()).toBe(0)
  clock.set(new Date('2026-10-02T12:00:00Z'))
  await cashbackJob.work(server.deps)
  await payByCard(700_00)
  // Of September's refund, 400.00 are not offset by payments yet.
  expect(await soFar()).toBe(3_00)
  clock.set(new Date('2026-11-02T12:00:00Z'))
  await cashbackJob.work(server.deps)
  expect((await readPayouts()).toSorted((a, b) => a - b)).toEqual([3_00, 10_00])
})

test('a customer who cannot be paid does not block the others', async () => {
  const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
  const [first, second] = [ann, bob].toSorted((a, b) => (a.customer.id < b.customer.id ? -1 : 1)) as [
    TestPerson,
    TestPerson,
  ]
  await beginCashback(server.deps, [bob.customer.id])
  await payByCard(100_00)
  ann = bob
  await bob.fund(100_00)
  await payByCard(100_00)
  await setAccountStatus(runOn(server.deps.pool), first.customer.currentAccountId, 'closed')
  clock.set(new Date('2026-09-02T12:00:00Z'))
  await cashbackJob.work(server.deps)
  ann = second
  expect(await readPayouts()).toEqual([1_00])
})

test('a customer who has closed before their card request is processed gets no card', async () => {
  const { id, currentAccountId } = ann.customer
  const holder = { customer: { id, currentAccountId }, caller: { ip: null, device: 'Test' } as unknown as Caller }
  await server.deps.pool.query(`UPDATE bank.card SET status = 'removed', removed_at = now() WHERE customer_id = $1`, [
    id,
  ])
  await server.deps.pool.query(`UPDATE bank.customer SET closed_at = now() WHERE id = $1`, [id])
  const key = { operationId: randomUUID(), fingerprint: 'card', customerId: id } as RequestKey
  await expect(issueMainCard(server.deps, holder, key)).rejects.toMatchObject({ code: 'sign_in_required' })
})

test('money sent to people earns no cashback', async () => {
  const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
  await ann.browser.post('/api/v1/transfers', { recipient: bob.customer.email, amountMinor: 500_00, asset: 'USD' })
  expect(await soFar()).toBe(0)
})

test('over any months, the cashback is one percent of the highest total of payments minus refunds', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { maxLength: 24 }), (months) => {
      let [refundsLeftMinor, earnedMinor, totalMinor, mostTotalMinor] = [0, 0, 0, 0]
      for (const paidMinor of months) {
        const month = cashbackOf(paidMinor, refundsLeftMinor)
        refundsLeftMinor = month.refundsLeftMinor
        earnedMinor += month.earnedMinor
        totalMinor += paidMinor
        mostTotalMinor = Math.max(mostTotalMinor, totalMinor)
        expect(refundsLeftMinor).toBe(mostTotalMinor - totalMinor)
      }
      expect(earnedMinor * 100).toBeLessThanOrEqual(mostTotalMinor)
      // Rounding down costs less than a cent in each month.
      expect(earnedMinor * 100).toBeGreaterThan(mostTotalMinor - 100 * Math.max(1, months.length))
    }),
  )
})
