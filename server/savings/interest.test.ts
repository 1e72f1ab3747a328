import { dayOf } from '#server/calendar/zone.ts'
import { dayAfter } from '#server/calendar/days.ts'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setAccountStatus } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { runOn } from '#server/platform/db/run.ts'
import { interestOfDay, MILLIONTHS } from '#server/savings/interest.ts'
import { interestJob, overdueInterest } from '#server/savings/interest-payments.ts'
import { createGoals, type GoalTerms, moveFromGoal, moveToGoal } from '#server/savings/service.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, peopleServer, type PeopleServer, type TestPerson } from '#server/test/people.ts'

const DAY_MS = 86_400_000
const RATE_BPS = 4_00

const clock = testClock()
let server: PeopleServer

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})

const advanceDays = (days: number) => clock.advance(days * DAY_MS)
const run = () => interestJob.run(server.deps, {})

/** Creates a customer with money and an empty goal. */
async function createSaver(fundedMinor: number): Promise<{ person: TestPerson; goal: GoalTerms }> {
  const person = await server.person({ fullName: 'Ann Lee', email: `ann.${randomUUID()}@example.com` })
  await person.fund(fundedMinor)
  const [goal] = await createGoals(server.deps, person.customer.id, [{ name: 'Sea', icon: 'plane', targetMinor: 1_00 }])
  return { person, goal: goal as GoalTerms }
}

/** Moves a positive amount to the goal, or a negative amount from it. */
async function move({ person, goal }: { person: TestPerson; goal: GoalTerms }, minor: number): Promise<void> {
  const request = { id: randomUUID(), fingerprint: 'test', goalId: goal.id, amountMinor: Math.abs(minor) }
  await (minor > 0 ? moveToGoal : moveFromGoal)(server.deps, person.customer, request)
}

/**
 * Returns the interest payments to a goal, the oldest first, their sum in cents, and the unpaid interest that is carried
 * forward, in millionths of a cent.
 */
async function interestOf(goal: GoalTerms) {
  const query = runOn(server.deps.pool)
  const paid = await query(
    `SELECT booked_at, amount_minor FROM ledger.entry WHERE account_id = $1 AND counter_account = $2 ORDER BY version`,
    [goal.accountId, bankAccount('interest_expense')],
  )
  const { rows } = await query(`SELECT accrued_millionths FROM bank.goal WHERE id = $1`, [goal.id])
  const payments = paid.rows.map((row) => row['amount_minor'] as number)
  return {
    payments,
    paidMinor: payments.reduce((sum, minor) => sum + minor, 0),
    carried: rows[0]?.['accrued_millionths'] as number,
  }
}

/**
 * Computes the expected interest day by day, from `start` to the day before `end`. `moved` contains the net amount that was
 * moved to the goal on each day. `sum` is all accrued interest, in millionths of a cent.
 */
function expectedInterest(moved: ReadonlyMap<string, number>, start: string, end: string) {
  let [balance, carried, sum] = [0, 0, 0]
  const payments: number[] = []
  for (let day = start; day < end; day = dayAfter(day)) {
    balance += moved.get(day) ?? 0
    const earned = interestOfDay(balance, RATE_BPS)
    sum += earned
    carried += earned
    // The rest of the loop pays interest, which happens only after the last day of a month.
    if (!dayAfter(day).endsWith('-01')) continue
    const paid = Math.floor(carried / MILLIONTHS)
    if (paid > 0) payments.push(paid)
    carried -= paid * MILLIONTHS
    balance += paid
  }
  return { payments, carried, sum }
}

test('the interest of a day is a 365th of the yearly rate, in millionths of a cent, rounded down', () => {
  expect(interestOfDay(365_00, 4_00)).toBe(4 * MILLIONTHS)
  expect(interestOfDay(1, 4_00)).toBe(109)
  expect(interestOfDay(0, 4_00)).toBe(0)
  // The result is exact even if the product exceeds Number.MAX_SAFE_INTEGER.
  expect(interestOfDay(10_000_000_00, 4_00)).toBe(109_589_041_095)
})

test('the paid and the carried interest add up to the accrued interest, on any schedule of the job', async () => {
  const anyStep = fc.oneof(
    fc.record({ depositMinor: fc.integer({ min: 1, max: 90_000_00 }) }),
    fc.record({ withdrawnShare: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ days: fc.integer({ min: 1, max: 45 }) }),
    fc.record({ parallelRuns: fc.integer({ min: 1, max: 3 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 16 }), async (steps) => {
      const saver = await createSaver(2_000_000_00)
      const start = dayOf(clock.businessNow())
      const moved = new Map<string, number>()
      let depositedMinor = 0
      const moveToday = async (minor: number) => {
        if (minor === 0) return
        await move(saver, minor)
        const today = dayOf(clock.businessNow())
        moved.set(today, (moved.get(today) ?? 0) + minor)
        depositedMinor += minor
      }
      for (const step of steps) {
        if ('depositMinor' in step) await moveToday(step.depositMinor)
        else if ('withdrawnShare' in step) await moveToday(-Math.floor(depositedMinor * step.withdrawnShare))
        else if ('days' in step) await advanceDays(step.days)
        else await Promise.all(Array.from({ length: step.parallelRuns }, run))
      }
      await advanceDays(1)
      await Promise.all([run(), run()])
      const { payments, carried, sum } = expectedInterest(moved, start, dayOf(clock.businessNow()))
      const actual = await interestOf(saver.goal)
      expect(actual).toMatchObject({ payments, carried })
      expect(actual.paidMinor * MILLIONTHS + actual.carried).toBe(sum)
    }),
    { numRuns: 12 },
  )
})

test('the bank pays interest on the first of the month, in a single payment', async () => {
  clock.set(new Date('2031-05-31T23:59:00Z'))
  await run()
  const saver = await createSaver(10_000_00)
  await move(saver, 10_000_00)
  clock.set(new Date('2031-06-01T00:04:00Z'))
  await run()
  // Until 00:05, operations of the day before may still be booked, so the job does not count that day yet.
  expect(await interestOf(saver.goal)).toMatchObject({ payments: [], carried: 0 })
  clock.set(new Date('2031-06-01T00:05:00Z'))
  expect(await overdueInterest.overdueSince(server.deps)).toEqual(new Date('2031-06-01T01:00:00Z'))
  await run()
  expect(await interestOf(saver.goal)).toMatchObject({ payments: [1_09], carried: 589_041 })
  expect(await overdueInterest.overdueSince(server.deps)).toBe(null)
  clock.set(new Date('2031-07-01T09:00:00Z'))
  await run()
  expect(await interestOf(saver.goal)).toMatchObject({ payments: [1_09, 32_88] })
})

test('a closed account does not stop the interest of other goals, and gets all its interest after it reopens', async () => {
  const [closed, other] = [await createSaver(1_000_00), await createSaver(1_000_00)]
  await move(closed, 1_000_00)
  await move(other, 1_000_00)
  await setAccountStatus(runOn(server.deps.pool), closed.goal.accountId, 'closed')
  clock.set(new Date('2031-08-02T09:00:00Z'))
  await run()
  const paid = await interestOf(other.goal)
  expect(paid.payments).toHaveLength(1)
  expect(await interestOf(closed.goal)).toMatchObject({ payments: [], carried: 0 })
  await setAccountStatus(runOn(server.deps.pool), closed.goal.accountId, 'open')
  await run()
  expect(await interestOf(closed.goal)).toEqual(paid)
})
