import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTransaction, runAll, runOn } from '#server/platform/db/run.ts'
import { setRoundUps } from '#server/savings/change-goal.ts'
import { enqueueRoundUp, roundUpJob, roundUpOf, roundUpsOf } from '#server/savings/round-ups.ts'
import { createGoals, goalsOf, type GoalTerms } from '#server/savings/service.ts'
import { auditTestBooks, peopleServer, type PeopleServer, type TestPerson } from '#server/test/people.ts'

let server: PeopleServer
let ann: TestPerson
let goal: GoalTerms

beforeAll(async () => {
  server = await peopleServer()
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  ann = await server.person({ fullName: 'Ann Lee', email: `ann.${randomUUID()}@example.com` })
  const [newGoal] = await createGoals(server.deps, ann.customer.id, [
    { name: 'Sea', icon: 'plane', targetMinor: 500_00 },
  ])
  goal = newGoal as GoalTerms
})

/** Books a card payment as the card scheme does, and returns the payloads of the jobs that it enqueues. */
async function cardPayment(amountMinor: number, operationId: string = randomUUID()): Promise<unknown[]> {
  await inTransaction(server.deps.db, async (trx) => {
    const collects = (await roundUpsOf(trx, [ann.customer.id])).get(ann.customer.id)
    if (collects) await runAll(trx, enqueueRoundUp(collects, { operationId, amountMinor, asset: 'USD' }))
  })
  const { rows } = await runOn(server.deps.pool)(
    `SELECT payload FROM graphile_worker._private_jobs WHERE key = 'savings.round_up:' || $1`,
    [operationId],
  )
  return rows.map(({ payload }) => payload)
}

const saved = async () => (await goalsOf(server.deps, ann.customer.id))[0]?.savedMinor

test('a payment is rounded up to the next whole dollar', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_00 }), (amountMinor) => {
      const up = roundUpOf(amountMinor, 1)
      expect((amountMinor + up) % 100).toBe(0)
      expect(up).toBeGreaterThanOrEqual(0)
      expect(up).toBeLessThan(100)
      expect(roundUpOf(amountMinor, 5)).toBe(5 * up)
    }),
  )
})

test('without a goal for round-ups, a card payment causes none', async () => {
  expect(await cardPayment(3_49)).toEqual([])
})

test('the chosen goal collects round-ups once per payment, for any number of job runs', async () => {
  await ann.fund(100_00)
  await setRoundUps(server.deps, ann.customer.id, goal.id, 2)
  expect(await cardPayment(4_00)).toEqual([])
  const operationId = randomUUID()
  await cardPayment(3_49, operationId)
  const [payload] = await cardPayment(3_49, operationId)
  expect(payload).toEqual({ operationId, goalId: goal.id, amountMinor: 1_02 })
  await Promise.all([1, 2, 3].map(() => roundUpJob.run(server.deps, payload)))
  await roundUpJob.run(server.deps, payload)
  expect(await saved()).toBe(1_02)
  expect(await ann.dashboard()).toMatchObject({ account: { availableMinor: 98_98, monthChangeMinor: 0 } })
})

test('no round-up is made without enough money, then or later', async () => {
  await ann.fund(40)
  await setRoundUps(server.deps, ann.customer.id, goal.id, 1)
  const [payload] = await cardPayment(3_49)
  await roundUpJob.run(server.deps, payload)
  await ann.fund(100_00)
  await roundUpJob.run(server.deps, payload)
  expect(await saved()).toBe(0)
})

test('only the last chosen goal collects round-ups', async () => {
  const otherGoals = await createGoals(
    server.deps,
    ann.customer.id,
    ['A', 'B', 'C'].map((name) => ({ name, icon: 'gift' as const, targetMinor: 1 })),
  )
  await Promise.all([goal, ...otherGoals].map(({ id }) => setRoundUps(server.deps, ann.customer.id, id, 5)))
  const collecting = () =>
    goalsOf(server.deps, ann.customer.id).then((all) => all.filter(({ roundUpTimes }) => roundUpTimes !== null))
  expect(await collecting()).toHaveLength(1)
  await setRoundUps(server.deps, ann.customer.id, null, 1)
  expect(await collecting()).toEqual([])
})
