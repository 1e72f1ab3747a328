import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runOn } from '#server/platform/db/run.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import type { PointsCause } from '#server/rewards/causes.ts'
import { pointsAfterRefund } from '#server/rewards/causes.ts'
import { earnPoints, enqueueEarnPoints } from '#server/rewards/earning.ts'
import { runAll } from '#server/platform/db/run.ts'
import { enqueuePointsTakeBack, takePointsBack } from '#server/rewards/refunds.ts'
import { sweepSendsJob } from '#server/rewards/sweep.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { doJobs } from '#server/test/post-office.ts'
import { runIfDue } from '#server/test/run-if-due.ts'

const START = new Date('2026-08-28T09:41:00Z')
const DAY_MS = 86_400_000
const clock = testClock(START)

let server: PeopleServer
let people = 0

beforeAll(async () => {
  server = await peopleServer({ clock: { ...clock, realNow: () => START } })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(() => clock.set(START))

async function somebody(): Promise<TestPerson> {
  people += 1
  const person = await server.person({ fullName: `Person ${people}`, email: `person.${people}@example.com` })
  await person.fund(1_000_00)
  return person
}

async function pointsOf({ customer }: TestPerson): Promise<number> {
  await server.deps.paymentPoints.flush()
  const accounts = await accountsOf(runOn(server.deps.pool), customer.id)
  return accounts.find(({ code }) => code === 'points')?.balanceMinor ?? 0
}

async function pay(
  from: TestPerson,
  to: TestPerson,
  amountMinor = 20_00,
  key: string = randomUUID(),
): Promise<Response> {
  const body = { recipient: to.customer.email, amountMinor, asset: 'USD' }
  return from.browser.post('/api/v1/transfers', body, { key })
}

type CardCause = Extract<PointsCause, { kind: 'card' }>

const cardPayment = ({ customer }: TestPerson, changes: Partial<CardCause> = {}): CardCause => ({
  kind: 'card',
  causeId: randomUUID(),
  customerId: customer.id,
  at: clock.businessNow(),
  amountMinor: 40_00,
  name: 'Fern & Loaf',
  abroad: false,
  ...changes,
})

const refund = (cause: CardCause, amountMinor: number) => ({
  refundId: randomUUID(),
  causeId: cause.causeId,
  customerId: cause.customerId,
  amountMinor,
  at: clock.businessNow(),
})

test('a payment to another customer earns five points, for the payer, once', async () => {
  const [ann, bob] = [await somebody(), await somebody()]
  const key = randomUUID()
  expect((await pay(ann, bob, 20_00, key)).status).toBe(200)
  expect((await pay(ann, bob, 20_00, key)).status).toBe(200)
  expect([await pointsOf(ann), await pointsOf(bob)]).toEqual([5, 0])
})

test('less than a dollar earns no points', async () => {
  const [ann, bob] = [await somebody(), await somebody()]
  await pay(ann, bob, 99)
  expect(await pointsOf(ann)).toBe(0)
  await pay(ann, bob, 1_00)
  expect(await pointsOf(ann)).toBe(5)
})

test('two customers who pay each other earn points once a day for the pair, also at the same moment', async () => {
  const [ann, bob] = [await somebody(), await somebody()]
  await Promise.all(Array.from({ length: 6 }, (_, index) => (index % 2 ? pay(ann, bob) : pay(bob, ann))))
  expect((await pointsOf(ann)) + (await pointsOf(bob))).toBe(5)
  clock.set(new Date(START.getTime() + DAY_MS))
  await Promise.all([pay(ann, bob), pay(bob, ann)])
  expect((await pointsOf(ann)) + (await pointsOf(bob))).toBe(10)
})

test('in a circle of three each of the three pairs earns once a day, for any number of rounds', async () => {
  const circle = [await somebody(), await somebody(), await somebody()]
  for (let round = 0; round < 3; round += 1) {
    for (const [index, person] of circle.entries()) await pay(person, circle[(index + 1) % 3] ?? person)
  }
  expect(await Promise.all(circle.map(pointsOf))).toEqual([5, 5, 5])
})

test('at most three sends a day earn, and at most ten payments in all', async () => {
  const ann = await somebody()
  const recipients = await Promise.all(Array.from({ length: 5 }, somebody))
  await Promise.all(recipients.map((recipient) => pay(ann, recipient)))
  expect(await pointsOf(ann)).toBe(15)
  const payments = Array.from({ length: 12 }, () => cardPayment(ann))
  await Promise.all(payments.map((cause) => earnPoints(server.deps, [cause])))
  expect(await pointsOf(ann)).toBe(50)
  await Promise.all(payments.map((cause) => earnPoints(server.deps, [cause, cause])))
  expect(await pointsOf(ann)).toBe(50)
})

test('a card payment abroad earns twenty more points', async () => {
  const ann = await somebody()
  await earnPoints(server.deps, [cardPayment(ann, { abroad: true })])
  expect(await pointsOf(ann)).toBe(25)
})

test('a direct debit earns once per biller, and at most three times a month', async () => {
  const ann = await somebody()
  const setUp = (biller: string): PointsCause => {
    const { id: customerId } = ann.customer
    const at = clock.businessNow()
    return { kind: 'direct_debit', causeId: randomUUID(), customerId, at, biller, name: biller }
  }
  await earnPoints(server.deps, [setUp('a'), setUp('a')])
  await earnPoints(server.deps, [setUp('a')])
  expect(await pointsOf(ann)).toBe(100)
  await earnPoints(server.deps, ['b', 'c', 'd'].map(setUp))
  expect(await pointsOf(ann)).toBe(300)
  clock.set(new Date('2026-09-01T00:00:00Z'))
  await earnPoints(server.deps, ['a', 'd'].map(setUp))
  expect(await pointsOf(ann)).toBe(400)
})

test('a refund takes back the earned points, in proportion and never rounded in the customer’s favor', async () => {
  const ann = await somebody()
  const paid = cardPayment(ann, { abroad: true })
  await earnPoints(server.deps, [paid])
  const part = refund(paid, 10_01)
  await Promise.all([takePointsBack(server.deps, part), takePointsBack(server.deps, part)])
  expect(await pointsOf(ann)).toBe(18)
  await takePointsBack(server.deps, refund(paid, 29_00))
  expect(await pointsOf(ann)).toBe(0)
  await takePointsBack(server.deps, refund(paid, 99))
  await takePointsBack(server.deps, refund(paid, 40_00))
  expect(await pointsOf(ann)).toBe(0)
})

test('the result does not depend on whether the payment or its refund is processed first', async () => {
  const ann = await somebody()
  const paid = cardPayment(ann)
  await takePointsBack(server.deps, refund(paid, 20_00))
  await earnPoints(server.deps, [paid])
  expect(await pointsOf(ann)).toBe(2)
  const both = cardPayment(ann)
  const back = refund(both, 40_00)
  await Promise.all([earnPoints(server.deps, [both]), takePointsBack(server.deps, back)])
  expect(await pointsOf(ann)).toBe(2)
})

test('no order of partial refunds leaves more points than one full refund', () => {
  for (let refunded = 1; refunded <= 7_50; refunded += 7) {
    const points = pointsAfterRefund(25, 7_50, refunded)
    expect(points).toBeLessThanOrEqual((25 * (7_50 - refunded)) / 7_50)
    expect(points).toBeGreaterThanOrEqual(0)
  }
  expect(pointsAfterRefund(5, 7_50, 0)).toBe(5)
  expect(pointsAfterRefund(5, 1_50, 51)).toBe(0)
})

test('spent points are deducted from the next ones', async () => {
  const ann = await somebody()
  const paid = cardPayment(ann, { abroad: true })
  await earnPoints(server.deps, [paid])
  await spend(ann, 20)
  await takePointsBack(server.deps, refund(paid, 40_00))
  expect(await pointsOf(ann)).toBe(0)
  await earnPoints(server.deps, [cardPayment(ann)])
  expect(await pointsOf(ann)).toBe(0)
  await earnPoints(server.deps, [cardPayment(ann, { abroad: true })])
  expect(await pointsOf(ann)).toBe(10)
})

async function spend({ customer }: TestPerson, points: number): Promise<void> {
  const { pool, ledger } = server.deps
  const account = (await accountsOf(runOn(pool), customer.id)).find(({ code }) => code === 'points')
  const legs = [{ kind: 'transfer' as const, debit: account?.id ?? 0, credit: 108, amountMinor: points }]
  await ledger.post({ id: randomUUID(), kind: 'rewards.test', fingerprint: 'test', bookedAt: START, legs })
}

test('a payment and its refund change points in their own SQL transactions', async () => {
  const ann = await somebody()
  const { db } = server.deps
  const [capturedPayment, undone] = [cardPayment(ann), cardPayment(ann)]
  await db.transaction().execute((trx) => enqueueEarnPoints(trx, capturedPayment))
  const rolledBack = db.transaction().execute(async (trx) => {
    await enqueueEarnPoints(trx, undone)
    throw new Error('undone')
  })
  await expect(rolledBack).rejects.toThrow('undone')
  await doJobs(server, 'rewards.earn')
  expect(await pointsOf(ann)).toBe(5)
  await db.transaction().execute((trx) => runAll(trx, [enqueuePointsTakeBack(refund(capturedPayment, 40_00))]))
  await doJobs(server, 'rewards.take_back')
  expect(await pointsOf(ann)).toBe(0)
})

test('the sweep awards the points that a dead server left open, once', async () => {
  const [ann, bob] = [await somebody(), await somebody()]
  const { paymentPoints } = server.deps
  const lost = { ...server.deps.paymentPoints, add: () => undefined }
  Object.assign(server.deps, { paymentPoints: lost })
  await pay(ann, bob)
  Object.assign(server.deps, { paymentPoints })
  expect(await pointsOf(ann)).toBe(0)
  clock.set(new Date(START.getTime() + 1))
  await Promise.all([runIfDue(sweepSendsJob, server.deps), runIfDue(sweepSendsJob, server.deps)])
  await runIfDue(sweepSendsJob, server.deps)
  expect(await pointsOf(ann)).toBe(5)
})

test('a closed customer earns no more, and the sweep continues past their payments', async () => {
  clock.set(new Date(START.getTime() + DAY_MS))
  await runIfDue(sweepSendsJob, server.deps)
  const [ann, bob] = [await somebody(), await somebody()]
  await pay(ann, bob, 1_000_00)
  expect(await pointsOf(ann)).toBe(5)
  const closed = await ann.browser.post('/api/v1/profile/closure', {})
  expect(closed.status).toBeLessThan(300)
  await earnPoints(server.deps, [cardPayment(ann)])
  expect(await pointsOf(ann)).toBe(5)
  const later = START.getTime() + DAY_MS + 120_000
  clock.set(new Date(later))
  await runIfDue(sweepSendsJob, server.deps)
  const { rows } = await server.deps.pool.query('SELECT swept_until FROM bank.points_sweep')
  expect(rows).toEqual([{ swept_until: new Date(later - 60_000) }])
})
