import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setBankZone } from '#server/platform/time-zone.ts'
import { interestOfDay } from '#server/savings/interest.ts'
import { interestJob } from '#server/savings/interest-payments.ts'
import { createGoals, moveToGoal } from '#server/savings/service.ts'
import { testClock } from '#server/test/bank.ts'
import { databaseWithDaysOf, type TestDatabase } from '#server/test/database.ts'
import { auditTestBooks, expectRefusal, peopleServer, type PeopleServer, type TestPerson } from '#server/test/people.ts'
import { runIfDue } from '#server/test/run-if-due.ts'

/**
 * The bank has New York's days. One day of the year has 23 hours and one has 25, and each begins hours after the day in UTC.
 */

const LONG_DAY = { day: '2026-11-01', first: '2026-11-01T04:00:00Z', last: '2026-11-02T04:59:59Z' }
const SHORT_DAY = { day: '2027-03-14', first: '2027-03-14T05:00:00Z', last: '2027-03-15T03:59:59Z' }
const DAYS = [
  ['of 25 hours', LONG_DAY],
  ['of 23 hours', SHORT_DAY],
] as const
const later = (instant: string, seconds = 1) => new Date(Date.parse(instant) + seconds * 1000)

const START = new Date('2026-10-31T12:00:00Z')
const clock = { ...testClock(START), realNow: () => START }
let database: TestDatabase
let server: PeopleServer
let ann: TestPerson
let bob: TestPerson

beforeAll(async () => {
  database = await databaseWithDaysOf('America/New_York')
  server = await peopleServer({ clock, beside: { database } })
  server.deps.policy.limits = { ...server.deps.policy.limits, out: { operationMinor: 300_00, dayMinor: 300_00 } }
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
  await database.drop()
  setBankZone('UTC')
})
/** Opens two customers at a time and gives Ann money. */
async function openAt(time: Date): Promise<void> {
  clock.set(time)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann.${randomUUID()}@example.com` })
  bob = await server.person({ fullName: 'Bob May', email: `bob.${randomUUID()}@example.com` })
  await ann.fund(5_000_00)
}

async function sendAt(time: Date | string, amountMinor: number) {
  clock.set(new Date(time))
  const request = { recipient: bob.customer.email, amountMinor, asset: 'USD' }
  return ann.browser.post('/api/v1/transfers', request, { key: randomUUID() })
}

const fileOf = async (from: string, to: string, format: string) =>
  (await ann.browser.get(`/api/v1/statements/current/file?from=${from}&to=${to}&format=${format}`)).text()
const listedIn = async (from: string, to: string) => (await fileOf(from, to, 'csv')).split('\r\n')

describe.each(DAYS)('on the day %s', (_, { day, first, last }) => {
  beforeEach(() => openAt(later(first, -3600)))

  test('outgoing money counts toward the day from its first second to its last', async () => {
    expect((await sendAt(first, 200_00)).status).toBe(200)
    await expectRefusal(await sendAt(last, 100_01), 'day_limit_reached', 'amountMinor')
    expect((await sendAt(last, 100_00)).status).toBe(200)
    expect((await sendAt(later(last), 300_00)).status).toBe(200)
  })

  test('a statement of it has the bookings from its first second to its last', async () => {
    for (const [time, amountMinor] of [
      [later(first, -1), 1_11],
      [first, 2_22],
      [last, 3_33],
      [later(last), 4_44],
    ] as const)
      expect((await sendAt(time, amountMinor)).status).toBe(200)
    const rows = (await listedIn(day, day)).filter((row) => row.includes(bob.customer.email))
    expect(rows.map((row) => row.split(',')[1]?.slice(0, day.length))).toEqual([day, day])
    expect(rows.join()).toMatch(/2\.22.*3\.33/)
  })

  test('a goal earns one day’s interest on the balance at its last second', async () => {
    const [goal] = await createGoals(server.deps, ann.customer.id, [{ name: 'Sea', icon: 'plane', targetMinor: 1_00 }])
    if (!goal) throw new Error('There is no goal')
    const move = (amountMinor: number) =>
      moveToGoal(server.deps, ann.customer, { id: randomUUID(), fingerprint: 'test', goalId: goal.id, amountMinor })
    clock.set(new Date(first))
    await move(1_000_00)
    clock.set(new Date(last))
    await move(2_000_00)
    clock.set(later(last, 2 * 3600))
    await runIfDue(interestJob, server.deps)
    const { rows } = await server.deps.pool.query('SELECT accrued_millionths FROM bank.goal WHERE id = $1', [goal.id])
    expect(rows).toEqual([{ accrued_millionths: interestOfDay(3_000_00, server.deps.policy.savingsRateBps) }])
  })
})

test('a payment at half past seven in the evening of December 31 belongs to that year, in statements and summaries', async () => {
  await openAt(new Date('2026-12-31T12:00:00Z'))
  expect((await sendAt('2027-01-01T00:30:00Z', 12_34)).status).toBe(200)
  clock.set(new Date('2027-01-01T12:00:00Z'))
  const rows = await listedIn('2026-12-31', '2026-12-31')
  expect(rows.some((row) => row.includes(',2026-12-31,19:30:00,') && row.includes('12.34'))).toBe(true)
  // A program that reads only the date of a time gets the same days.
  const times = (await fileOf('2026-12-31', '2026-12-31', 'camt')).match(/(?<=DtTm>)\d[^<]+/g)
  expect(new Set(times)).toEqual(
    new Set([
      '2027-01-01T07:00:00-05:00',
      '2026-12-31T00:00:00-05:00',
      '2026-12-31T23:59:59-05:00',
      '2026-12-31T07:00:00-05:00',
      '2026-12-31T19:30:00-05:00',
    ]),
  )
  expect((await listedIn('2027-01-01', '2027-01-01')).join()).not.toContain('12.34')
  const year = await (await ann.browser.get('/api/v1/transactions/count?from=2026-12-31&to=2026-12-31&q=Bob')).json()
  expect(year).toMatchObject({ count: 1 })
})

test('a receipt shows the local time of the bank, and names its time zone', async () => {
  clock.set(new Date('2026-08-28T13:41:00Z'))
  expect(server.deps.translations.in('en').moment('2026-08-28T13:41:00Z')).toBe('August 28, 2026 at 9:41 AM EDT')
  expect(server.deps.translations.in('en').day('2026-08-28T03:59:59Z')).toBe('August 27, 2026')
  expect(server.deps.translations.in('en').day('2026-08-28')).toBe('August 28, 2026')
})

test('only the function `ledger.day_of` converts an instant to a day in the database', async () => {
  const { rows } = await server.deps.pool.query(
    `WITH written AS (
       SELECT oid::regprocedure::text AS name, prosrc AS text FROM pg_proc
        WHERE pronamespace IN ('ledger'::regnamespace, 'bank'::regnamespace)
       UNION ALL
       SELECT oid::regclass::text, pg_get_viewdef(oid) FROM pg_class
        WHERE relkind IN ('v', 'm') AND relnamespace IN ('ledger'::regnamespace, 'bank'::regnamespace)
       UNION ALL
       SELECT adrelid::regclass::text, pg_get_expr(adbin, adrelid) FROM pg_attrdef)
     SELECT name FROM written WHERE text ~* 'time zone|date_trunc|current_date|_at::date|\\)::date'`,
  )
  expect(rows).toEqual([{ name: 'ledger.day_of(timestamp with time zone)' }])
})
