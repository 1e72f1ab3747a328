import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runOn } from '#server/platform/db/run.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import type { PointsCause } from '#server/rewards/causes.ts'
import { pointsKept } from '#server/rewards/causes.ts'
import { earnPoints, earnPointsSoon } from '#server/rewards/earning.ts'
import { runAll } from '#server/platform/db/run.ts'
import { pointsTakenBack, takePointsBack } from '#server/rewards/refunds.ts'
import { sweepSendsJob } from '#server/rewards/sweep.ts'
import { testClock } from '#server/test/bank.ts'
import { books, type Person, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { doJobs } from '#server/test/post.ts'
import { takeTurn } from '#server/test/in-turn.ts'

const START = new Date('2026-08-28T09:41:00Z')
const DAY_MS = 86_400_000
const clock = testClock(START)

let server: PeopleServer
let people = 0

beforeAll(async () => {
  server = await peopleServer({ clock: { ...clock, realNow: () => START } })
})
afterAll(async () => {
  await books(server)
  await server.close()
})
beforeEach(() => clock.set(START))

async function somebody(): Promise<Person> {
  people += 1
  const person = await server.person({ fullName: `Person ${people}`, email: `person.${people}@example.com` })
  await person.fund(1_000_00)
  return person
}

async function pointsOf({ customer }: Person): Promise<number> {
  await server.deps.paymentPoints.flush()
  const accounts = await accountsOf(runOn(server.deps.pool), customer.id)
  return accounts.find(({ code }) => code === 'points')?.balanceMinor ?? 0
}

async function pay(from: Person, to: Person, amountMinor = 20_00, key: string = randomUUID()): Promise<Response> {
  const body = { recipient: to.customer.email, amountMinor, asset: 'USD' }
  return from.browser.post('/api/v1/transfers', body, { key })
}

type CardCause = Extract<PointsCause, { kind: 'card' }>

const cardPayment = ({ customer }: Person, changes: Partial<CardCause> = {}): CardCause => ({
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

test('a payment to another customer earns five points, for whoever paid, once', async () => {
  const [ann, bob] = [await somebody(), await somebody()]
  const key = randomUUID()
  expect((await pay(ann, bob, 20_00, key)).status).toBe(200)
  expect((await pay(ann, bob, 20_00, key)).status).toBe(200)
  expect([await pointsOf(ann), await pointsOf(bob)]).toEqual([5, 0])
})

test('less than a dollar earns nothing', async () => {
  const [ann, bob] = [await somebody(), await somebody()]
  await pay(ann, bob, 99)
  expect(await pointsOf(ann)).toBe(0)
  await pay(ann, bob, 1_00)
  expect(await pointsOf(ann)).toBe(5)
})

test('two who pay each other earn once a day between them, also at the same moment', async () => {
  const [ann, bob] = [await somebody(), await somebody()]
  await Promise.all(Array.from({ length: 6 }, (_, index) => (index % 2 ? pay(ann, bob) : pay(bob, ann))))
  expect((await pointsOf(ann)) + (await pointsOf(bob))).toBe(5)
  clock.set(new Date(START.getTime() + DAY_MS))
  await Promise.all([pay(ann, bob), pay(bob, ann)])
  expect((await pointsOf(ann)) + (await pointsOf(bob))).toBe(10)
})

test('in a circle of three each of the three pairs earns once a day, however often the money goes round', async () => {
  const circle = [await somebody(), await somebody(), await somebody()]
  for (let round = 0; round < 3; round += 1) {
    for (const [index, person] of circle.entries()) await pay(person, circle[(index + 1) % 3] ?? person)
  }
  expect(await Promise.all(circle.map(pointsOf))).toEqual([5, 5, 5])
})

test('three sends of a day earn, and ten payments in all', async () => {
  const ann = await somebody()
  const others = await Promise.all(Array.from({ length: 5 }, somebody))
  await Promise.all(others.map((other) => pay(ann, other)))
  expect(await pointsOf(ann)).toBe(15)
  const payments = Array.from({ length: 12 }, () => cardPayment(ann))
  await Promise.all(payments.map((cause) => earnPoints(server.deps, [cause])))
  expect(await pointsOf(ann)).toBe(50)
  await Promise.all(payments.map((cause) => earnPoints(server.deps, [cause, cause])))
  expect(await pointsOf(ann)).toBe(50)
})

test('a card abroad earns twenty more', async () => {
  const ann = await somebody()
  await earnPoints(server.deps, [cardPayment(ann, { abroad: true })])
  expect(await pointsOf(ann)).toBe(25)
})

test('a direct debit earns once for a biller, and three in a month', async () => {
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

test('a refund takes back what was earned, a part of it in proportion and never to the customer’s favour', async () => {
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

test('it is the same whichever is told of first, the payment or its refund', async () => {
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

test('no order of refunds leaves more than the one of them all together', () => {
  for (let refunded = 1; refunded <= 7_50; refunded += 7) {
    const kept = pointsKept(25, 7_50, refunded)
    expect(kept).toBeLessThanOrEqual((25 * (7_50 - refunded)) / 7_50)
    expect(kept).toBeGreaterThanOrEqual(0)
  }
  expect(pointsKept(5, 7_50, 0)).toBe(5)
  expect(pointsKept(5, 1_50, 51)).toBe(0)
})

test('points that were spent by then are paid back with the next ones', async () => {
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

async function spend({ customer }: Person, points: number): Promise<void> {
  const { pool, ledger } = server.deps
  const account = (await accountsOf(runOn(pool), customer.id)).find(({ code }) => code === 'points')
  const legs = [{ kind: 'transfer' as const, debit: account?.id ?? 0, credit: 108, amountMinor: points }]
  await ledger.post({ id: randomUUID(), kind: 'rewards.test', fingerprint: 'test', bookedAt: START, legs })
}

test('a payment and its refund tell of points in their own SQL transactions', async () => {
  const ann = await somebody()
  const { db } = server.deps
  const [kept, undone] = [cardPayment(ann), cardPayment(ann)]
  await db.transaction().execute((trx) => earnPointsSoon(trx, kept))
  const rolledBack = db.transaction().execute(async (trx) => {
    await earnPointsSoon(trx, undone)
    throw new Error('undone')
  })
  await expect(rolledBack).rejects.toThrow('undone')
  await doJobs(server, 'rewards.earn')
  expect(await pointsOf(ann)).toBe(5)
  await db.transaction().execute((trx) => runAll(trx, [pointsTakenBack(refund(kept, 40_00))]))
  await doJobs(server, 'rewards.take_back')
  expect(await pointsOf(ann)).toBe(0)
})

test('the sweep gives what a server left that died, once', async () => {
  const [ann, bob] = [await somebody(), await somebody()]
  const { paymentPoints } = server.deps
  const lost = { ...server.deps.paymentPoints, add: () => undefined }
  Object.assign(server.deps, { paymentPoints: lost })
  await pay(ann, bob)
  Object.assign(server.deps, { paymentPoints })
  expect(await pointsOf(ann)).toBe(0)
  clock.set(new Date(START.getTime() + 1))
  await Promise.all([takeTurn(sweepSendsJob, server.deps), takeTurn(sweepSendsJob, server.deps)])
  await takeTurn(sweepSendsJob, server.deps)
  expect(await pointsOf(ann)).toBe(5)
})

test('whoever has closed earns nothing more, and the sweep goes on past what they sent', async () => {
  clock.set(new Date(START.getTime() + DAY_MS))
  await takeTurn(sweepSendsJob, server.deps)
  const [ann, bob] = [await somebody(), await somebody()]
  await pay(ann, bob, 1_000_00)
  expect(await pointsOf(ann)).toBe(5)
  const closed = await ann.browser.post('/api/v1/profile/closure', {})
  expect(closed.status).toBeLessThan(300)
  await earnPoints(server.deps, [cardPayment(ann)])
  expect(await pointsOf(ann)).toBe(5)
  const later = START.getTime() + DAY_MS + 120_000
  clock.set(new Date(later))
  await takeTurn(sweepSendsJob, server.deps)
  const { rows } = await server.deps.pool.query('SELECT swept_until FROM bank.points_sweep')
  expect(rows).toEqual([{ swept_until: new Date(later - 60_000) }])
})
