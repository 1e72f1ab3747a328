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
import { createGoals, type KeptGoal, moveFromGoal, moveToGoal } from '#server/savings/service.ts'
import { testClock } from '#server/test/bank.ts'
import { books, peopleServer, type PeopleServer, type Person } from '#server/test/people.ts'

const DAY_MS = 86_400_000
const RATE_BPS = 4_00

const clock = testClock()
let server: PeopleServer

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await books(server)
  await server.close()
})

const goOn = (days: number) => clock.advance(days * DAY_MS)
const run = () => interestJob.run(server.deps, {})

async function saver(fundedMinor: number): Promise<{ person: Person; goal: KeptGoal }> {
  const person = await server.person({ fullName: 'Ann Lee', email: `ann.${randomUUID()}@example.com` })
  await person.fund(fundedMinor)
  const [goal] = await createGoals(server.deps, person.customer.id, [{ name: 'Sea', icon: 'plane', targetMinor: 1_00 }])
  return { person, goal: goal as KeptGoal }
}

async function move({ person, goal }: { person: Person; goal: KeptGoal }, minor: number): Promise<void> {
  const request = { id: randomUUID(), fingerprint: 'test', goalId: goal.id, amountMinor: Math.abs(minor) }
  await (minor > 0 ? moveToGoal : moveFromGoal)(server.deps, person.customer, request)
}

/** What the ledger paid a goal, by the day it was booked; and what is carried on. */
async function interestOf(goal: KeptGoal) {
  const ask = runOn(server.deps.pool)
  const paid = await ask(
    `SELECT booked_at, amount_minor FROM ledger.entry WHERE account_id = $1 AND counter_account = $2 ORDER BY version`,
    [goal.accountId, bankAccount('interest_expense')],
  )
  const { rows } = await ask(`SELECT accrued_millionths FROM bank.goal WHERE id = $1`, [goal.id])
  const payments = paid.rows.map((row) => row['amount_minor'] as number)
  return {
    payments,
    paidMinor: payments.reduce((sum, minor) => sum + minor, 0),
    carried: rows[0]?.['accrued_millionths'] as number,
  }
}

/** What interest should come to, told day by day: what was moved on which day, up to and without `end`. */
function expected(moved: ReadonlyMap<string, number>, start: string, end: string) {
  let [balance, carried, sum] = [0, 0, 0]
  const payments: number[] = []
  for (let day = start; day < end; day = dayAfter(day)) {
    balance += moved.get(day) ?? 0
    const earned = interestOfDay(balance, RATE_BPS)
    sum += earned
    carried += earned
    if (!dayAfter(day).endsWith('-01')) continue
    const paid = Math.floor(carried / MILLIONTHS)
    if (paid > 0) payments.push(paid)
    carried -= paid * MILLIONTHS
    balance += paid
  }
  return { payments, carried, sum }
}

test('a day earns a 365th of the rate, in millionths of a cent, rounded down', () => {
  expect(interestOfDay(365_00, 4_00)).toBe(4 * MILLIONTHS)
  expect(interestOfDay(1, 4_00)).toBe(109)
  expect(interestOfDay(0, 4_00)).toBe(0)
  // Exact where the product is past what a number holds.
  expect(interestOfDay(10_000_000_00, 4_00)).toBe(109_589_041_095)
})

test('paid and carried on are all that was accrued, whatever days the job runs on', async () => {
  const step = fc.oneof(
    fc.record({ minor: fc.integer({ min: 1, max: 90_000_00 }) }),
    fc.record({ withdrawn: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ days: fc.integer({ min: 1, max: 45 }) }),
    fc.record({ runs: fc.integer({ min: 1, max: 3 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const one = await saver(2_000_000_00)
      const start = dayOf(clock.businessNow())
      const moved = new Map<string, number>()
      let own = 0
      const change = async (minor: number) => {
        if (minor === 0) return
        await move(one, minor)
        const today = dayOf(clock.businessNow())
        moved.set(today, (moved.get(today) ?? 0) + minor)
        own += minor
      }
      for (const now of steps) {
        if ('minor' in now) await change(now.minor)
        else if ('withdrawn' in now) await change(-Math.floor(own * now.withdrawn))
        else if ('days' in now) await goOn(now.days)
        else await Promise.all(Array.from({ length: now.runs }, run))
      }
      await goOn(1)
      await Promise.all([run(), run()])
      const { payments, carried, sum } = expected(moved, start, dayOf(clock.businessNow()))
      const got = await interestOf(one.goal)
      expect(got).toMatchObject({ payments, carried })
      expect(got.paidMinor * MILLIONTHS + got.carried).toBe(sum)
    }),
    { numRuns: 12 },
  )
})

test('interest is paid on the first of the month, in one operation, and the bank pays it', async () => {
  clock.set(new Date('2031-05-31T23:59:00Z'))
  await run()
  const one = await saver(10_000_00)
  await move(one, 10_000_00)
  clock.set(new Date('2031-06-01T00:04:00Z'))
  await run()
  // What was on its way when the day ended may not be booked yet.
  expect(await interestOf(one.goal)).toMatchObject({ payments: [], carried: 0 })
  clock.set(new Date('2031-06-01T00:05:00Z'))
  expect(await overdueInterest.overdueSince(server.deps)).toEqual(new Date('2031-06-01T01:00:00Z'))
  await run()
  expect(await interestOf(one.goal)).toMatchObject({ payments: [1_09], carried: 589_041 })
  expect(await overdueInterest.overdueSince(server.deps)).toBe(null)
  clock.set(new Date('2031-07-01T09:00:00Z'))
  await run()
  expect(await interestOf(one.goal)).toMatchObject({ payments: [1_09, 32_88] })
})

test('a goal that cannot be paid keeps no other from it, and is paid for all days once it can be', async () => {
  const [stuck, other] = [await saver(1_000_00), await saver(1_000_00)]
  await move(stuck, 1_000_00)
  await move(other, 1_000_00)
  await setAccountStatus(runOn(server.deps.pool), stuck.goal.accountId, 'closed')
  clock.set(new Date('2031-08-02T09:00:00Z'))
  await run()
  const paid = await interestOf(other.goal)
  expect(paid.payments).toHaveLength(1)
  expect(await interestOf(stuck.goal)).toMatchObject({ payments: [], carried: 0 })
  await setAccountStatus(runOn(server.deps.pool), stuck.goal.accountId, 'open')
  await run()
  expect(await interestOf(stuck.goal)).toEqual(paid)
})
