import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { addDays } from '#server/calendar/days.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { inTransaction, runIn, runOn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { OrderKind } from '#server/standing-orders/kind.ts'
import { addOrder, afterDate, changeOrder, endOrders, lockOrder } from '#server/standing-orders/orders.ts'
import { overdueOf, runDue, sweepOrdersJob } from '#server/standing-orders/running.ts'
import { standingOrders } from '#server/standing-orders/slice.ts'
import { upcomingOrders } from '#server/standing-orders/upcoming.ts'
import { testClock } from '#server/test/bank.ts'
import { books, type PeopleServer, peopleServer, type Person } from '#server/test/people.ts'

const START = new Date('2026-08-28T09:41:00Z')
const clock = { ...testClock(START), realNow: () => START }

/** What was done, in order: 'rent 2026-08-31'. */
const done: string[] = []
/** What was refused, and whether for good. */
const told: string[] = []
/** What happens to an order of that name instead of its payment. */
const faults = new Map<string, () => 'waits'>()

const terms = z.object({ name: z.string() })
/** A payment to nobody in particular, under the name of a kind that the database knows. */
const fake: OrderKind<z.infer<typeof terms>> = {
  name: 'payment',
  terms,
  hour: 6,
  onBusinessDays: true,
  retries: true,
  room: { most: 5, full: 'schedules_full' },
  overdue: { name: 'fakes', afterHours: 0 },
  isRefused: (code) => code === 'insufficient_funds',
  perform: async (deps, order, { book }) => {
    const fault = faults.get(order.terms.name)
    if (fault) return fault()
    await book(async (trx, { currentAccountId: debit }) => {
      const { amount_minor: amountMinor, next_on: on } = order
      const detail = { debitName: order.terms.name, category: 'bills' } as const
      await deps.ledger.postWithin(runIn(trx), [
        {
          ...derived('schedules', order.id, `fake:${on}:${order.try_at.toISOString()}`),
          kind: 'payment.direct_debit',
          fingerprint: fingerprintOf('fake', order.id, on),
          bookedAt: deps.clock.businessNow(),
          legs: [{ kind: 'transfer', debit, credit: bankAccount('ach_clearing'), amountMinor, detail }],
        },
      ])
    })
    done.push(`${order.terms.name} ${order.next_on}`)
  },
  refused: async (_deps, _trx, order, { isLastTry }) => {
    told.push(`${order.terms.name} ${order.next_on} ${isLastTry ? 'skipped' : 'delayed'}`)
  },
  upcoming: { kind: 'scheduled', names: async (_deps, _customer, orders) => orders.map((order) => order.terms.name) },
}

let server: PeopleServer
let deps: Deps
let ann: Person
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
  deps = { ...server.deps, slices: [standingOrders, { name: 'fake', standingOrders: fake }] }
})
afterAll(async () => {
  await books(server)
  await server.close()
})
beforeEach(async () => {
  clock.set(START)
  for (const list of [done, told]) list.length = 0
  faults.clear()
  await runOn(server.deps.pool)(`UPDATE bank.standing_order SET status = 'cancelled'`)
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
})

const add = (name: string, changes: object = {}) =>
  inTransaction(deps.db, (trx) =>
    addOrder(deps, trx, fake, {
      customerId: ann.customer.id,
      amountMinor: 10_00,
      terms: { name },
      every: 'week',
      startsOn: '2026-08-31',
      ...changes,
    }),
  )
const change = (id: string, changes: Parameters<typeof changeOrder>[2]) =>
  inTransaction(deps.db, async (trx) => changeOrder(trx, await lockOrder(trx, fake, ann.customer.id, id), changes))
const refusing = (code: ErrorCode) => () => {
  throw new Refusal(code)
}
const sweep = () => sweepOrdersJob.run(deps, {})

test('dates that were missed are carried out in order, those of several orders too, each once however many are at it', async () => {
  await ann.fund(1_000_00)
  await add('rent')
  await add('gym', { startsOn: '2026-09-03' })
  clock.set(new Date('2026-09-15T10:00:00Z'))
  await Promise.all(Array.from({ length: 6 }, () => sweep()))
  await sweep()
  expect(new Set(done)).toEqual(
    new Set(['rent 2026-08-31', 'gym 2026-09-03', 'rent 2026-09-07', 'gym 2026-09-10', 'rent 2026-09-14']),
  )
  expect(done).toEqual(done.toSorted((a, b) => (a.slice(-10) < b.slice(-10) ? -1 : 1)))
  expect(await ann.balanceMinor()).toBe(950_00)
})

test('one whose run dies between the money and the commit is carried out once by the next', async () => {
  await ann.fund(100_00)
  await add('rent')
  clock.set(new Date('2026-08-31T10:00:00Z'))
  const { ledger } = deps
  const postWithin = async (...of: Parameters<typeof ledger.postWithin>) => {
    await ledger.postWithin(...of)
    throw new Error('killed')
  }
  const dying = { ...deps, ledger: { ...ledger, postWithin } as typeof ledger }
  await expect(runDue(dying, fake, ann.customer.id)).rejects.toThrow('killed')
  expect(await ann.balanceMinor()).toBe(100_00)
  await sweep()
  await sweep()
  expect(await ann.balanceMinor()).toBe(90_00)
})

test('one that is refused is tried on two business days more, told at the first and the last, and stops no other', async () => {
  await ann.fund(10_00)
  await add('dear', { amountMinor: 11_00 })
  await add('cheap')
  for (const day of ['2026-08-31', '2026-09-01', '2026-09-02', '2026-09-03']) {
    clock.set(new Date(`${day}T10:00:00Z`))
    await sweep()
  }
  expect(done).toEqual(['cheap 2026-08-31'])
  expect(told).toEqual(['dear 2026-08-31 delayed', 'dear 2026-08-31 delayed', 'dear 2026-08-31 skipped'])
})

test('one that is short is carried out once the money is there', async () => {
  await add('rent')
  clock.set(new Date('2026-08-31T10:00:00Z'))
  await sweep()
  await ann.fund(10_00)
  await sweep()
  expect(done).toEqual([])
  clock.set(new Date('2026-09-01T06:00:00Z'))
  await sweep()
  expect(done).toEqual(['rent 2026-08-31'])
})

test('a customer whose order fails keeps no other customer’s, and it is late until it is done', async () => {
  await ann.fund(100_00)
  await add('broken')
  faults.set('broken', refusing('unavailable'))
  ann = await server.person({ fullName: 'Bob Ray', email: `bob${round}@example.com` })
  await ann.fund(100_00)
  await add('rent')
  clock.set(new Date('2026-08-31T10:00:00Z'))
  await sweep()
  expect(done).toEqual(['rent 2026-08-31'])
  expect(await overdueOf(fake).overdueSince(deps)).toEqual(new Date('2026-08-31T06:00:00Z'))
  faults.clear()
  await sweep()
  expect(done).toEqual(['rent 2026-08-31', 'broken 2026-08-31'])
  expect(await overdueOf(fake).overdueSince(deps)).toBeNull()
})

test('one that waits lets the others go on, and is tried again by the sweep', async () => {
  await ann.fund(100_00)
  await add('later')
  await add('rent')
  faults.set('later', () => 'waits')
  clock.set(new Date('2026-08-31T10:00:00Z'))
  await sweep()
  expect(done).toEqual(['rent 2026-08-31'])
  faults.clear()
  await sweep()
  expect(done).toEqual(['rent 2026-08-31', 'later 2026-08-31'])
})

test('stopping and a date at the same moment: one of the two, and nothing after it', async () => {
  await ann.fund(1_000_00)
  for (let turn = 0; turn < 5; turn += 1) {
    clock.set(START)
    const id = await add(`order ${turn}`)
    clock.set(new Date('2026-08-31T10:00:00Z'))
    await Promise.all([change(id, { status: 'cancelled' }), sweep()])
    clock.set(new Date('2026-10-01T10:00:00Z'))
    await sweep()
    expect(done.filter((one) => one.startsWith(`order ${turn}`)).length).toBeLessThanOrEqual(1)
  }
  expect(await ann.balanceMinor()).toBe(1_000_00 - done.length * 10_00)
})

test('nothing is carried out of a customer who has closed', async () => {
  await ann.fund(100_00)
  await add('rent')
  await inTransaction(deps.db, (trx) => endOrders(trx, ann.customer.id))
  clock.set(new Date('2026-09-15T10:00:00Z'))
  await sweep()
  expect(done).toEqual([])
})

test('a customer has so many, however many are added at once, none in the past and none too far ahead', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 7 }, (_, index) => add(`order ${index}`)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  await expect(add('late', { startsOn: '2026-08-27' })).rejects.toMatchObject({ code: 'schedule_date_invalid' })
})

test('each date up to a day is upcoming, at the business day on which it is carried out', async () => {
  await add('rent', { startsOn: '2026-08-31' })
  const about = { customerId: ann.customer.id, until: '2026-09-14' }
  const { rows } = await deps.db.selectNoFrom(upcomingOrders.rows(deps.db, about).as('rows')).executeTakeFirstOrThrow()
  const dates = (await upcomingOrders.payments(deps, about, rows)).map(({ dueOn }) => dueOn)
  // 7 September is Labor Day.
  expect(dates).toEqual(['2026-08-31', '2026-09-08', '2026-09-14'])
})

test('an order ends after its last date, or so many', () => {
  const dates = { every: 'week' as const, anchor_on: '2026-08-31', passed: 0, remaining: null, ends_on: null }
  expect(afterDate(fake, { ...dates, remaining: 1 })).toMatchObject({ status: 'finished', remaining: 0 })
  expect(afterDate(fake, { ...dates, ends_on: addDays('2026-08-31', 6) })).toMatchObject({ status: 'finished' })
  expect(afterDate(fake, { ...dates, ends_on: addDays('2026-08-31', 7) })).toMatchObject({ next_on: '2026-09-07' })
  expect(afterDate(fake, { ...dates, every: 'once' })).toMatchObject({ status: 'finished' })
})
