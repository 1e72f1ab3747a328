import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { addDays } from '#server/calendar/days.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { inTransaction, runIn, runOn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { StandingOrderKind } from '#server/standing-orders/kind.ts'
import {
  addOrder,
  columnsAfterDate,
  changeOrder,
  endOrders,
  lockStandingOrder,
} from '#server/standing-orders/orders.ts'
import { overdueOrdersOf, runDue, sweepOrdersJob } from '#server/standing-orders/running.ts'
import { standingOrders } from '#server/standing-orders/slice.ts'
import { upcomingOrders } from '#server/standing-orders/upcoming.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

const START = new Date('2026-08-28T09:41:00Z')
const clock = { ...testClock(START), realNow: () => START }

/** The dates carried out, in order: 'rent 2026-08-31'. */
const executedDates: string[] = []
/** The refused dates, and whether each refusal is final. */
const refusedDates: string[] = []
/** The fault that replaces the payment of the order with that name. */
const faults = new Map<string, () => 'waits'>()

const terms = z.object({ name: z.string() })
/** A fake kind that pays nobody. It uses the name of a kind that the database accepts. */
const fake: StandingOrderKind<z.infer<typeof terms>> = {
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
      const { amount_minor: amountMinor, next_on: nextOn } = order
      const detail = { debitName: order.terms.name, category: 'bills' } as const
      await deps.ledger.postWithin(runIn(trx), [
        {
          ...derivedIdentity('schedules', order.id, `fake:${nextOn}:${order.try_at.toISOString()}`),
          kind: 'payment.direct_debit',
          fingerprint: fingerprintOf('fake', order.id, nextOn),
          bookedAt: deps.clock.businessNow(),
          legs: [{ kind: 'transfer', debit, credit: bankAccount('ach_clearing'), amountMinor, detail }],
        },
      ])
    })
    executedDates.push(`${order.terms.name} ${order.next_on}`)
  },
  refused: async (_deps, _trx, order, { isLastTry }) => {
    refusedDates.push(`${order.terms.name} ${order.next_on} ${isLastTry ? 'skipped' : 'delayed'}`)
  },
  upcoming: { kind: 'scheduled', names: async (_deps, _customer, orders) => orders.map((order) => order.terms.name) },
}

let server: PeopleServer
let deps: Deps
let ann: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
  deps = { ...server.deps, slices: [standingOrders, { name: 'fake', standingOrders: fake }] }
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  clock.set(START)
  for (const list of [executedDates, refusedDates]) list.length = 0
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
  inTransaction(deps.db, async (trx) =>
    changeOrder(trx, await lockStandingOrder(trx, fake, ann.customer.id, id), changes),
  )
const refusing = (code: ErrorCode) => () => {
  throw new Refusal(code)
}
const sweep = () => sweepOrdersJob.run(deps, {})

test('missed dates are executed in order, also of several orders, each once for any number of workers', async () => {
  await ann.fund(1_000_00)
  await add('rent')
  await add('gym', { startsOn: '2026-09-03' })
  clock.set(new Date('2026-09-15T10:00:00Z'))
  await Promise.all(Array.from({ length: 6 }, () => sweep()))
  await sweep()
  expect(new Set(executedDates)).toEqual(
    new Set(['rent 2026-08-31', 'gym 2026-09-03', 'rent 2026-09-07', 'gym 2026-09-10', 'rent 2026-09-14']),
  )
  expect(executedDates).toEqual(executedDates.toSorted((a, b) => (a.slice(-10) < b.slice(-10) ? -1 : 1)))
  expect(await ann.balanceMinor()).toBe(950_00)
})

test('an order whose run dies between the payment and the commit is executed once by the next run', async () => {
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

test('a refused order is retried on two more business days, with a notice at the first and the last, and stops no other', async () => {
  await ann.fund(10_00)
  await add('dear', { amountMinor: 11_00 })
  await add('cheap')
  for (const day of ['2026-08-31', '2026-09-01', '2026-09-02', '2026-09-03']) {
    clock.set(new Date(`${day}T10:00:00Z`))
    await sweep()
  }
  expect(executedDates).toEqual(['cheap 2026-08-31'])
  expect(refusedDates).toEqual(['dear 2026-08-31 delayed', 'dear 2026-08-31 delayed', 'dear 2026-08-31 skipped'])
})

test('an order without enough money is executed when there is enough', async () => {
  await add('rent')
  clock.set(new Date('2026-08-31T10:00:00Z'))
  await sweep()
  await ann.fund(10_00)
  await sweep()
  expect(executedDates).toEqual([])
  clock.set(new Date('2026-09-01T06:00:00Z'))
  await sweep()
  expect(executedDates).toEqual(['rent 2026-08-31'])
})

test('a customer’s failing order does not delay other customers, and is late until it is executed', async () => {
  await ann.fund(100_00)
  await add('broken')
  faults.set('broken', refusing('unavailable'))
  ann = await server.person({ fullName: 'Bob Ray', email: `bob${round}@example.com` })
  await ann.fund(100_00)
  await add('rent')
  clock.set(new Date('2026-08-31T10:00:00Z'))
  await sweep()
  expect(executedDates).toEqual(['rent 2026-08-31'])
  expect(await overdueOrdersOf(fake).overdueSince(deps)).toEqual(new Date('2026-08-31T06:00:00Z'))
  faults.clear()
  await sweep()
  expect(executedDates).toEqual(['rent 2026-08-31', 'broken 2026-08-31'])
  expect(await overdueOrdersOf(fake).overdueSince(deps)).toBeNull()
})

test('a waiting order lets the others continue, and is retried by the sweep', async () => {
  await ann.fund(100_00)
  await add('later')
  await add('rent')
  faults.set('later', () => 'waits')
  clock.set(new Date('2026-08-31T10:00:00Z'))
  await sweep()
  expect(executedDates).toEqual(['rent 2026-08-31'])
  faults.clear()
  await sweep()
  expect(executedDates).toEqual(['rent 2026-08-31', 'later 2026-08-31'])
})

test('of stopping an order and its date at the same moment, one happens, and the order ends', async () => {
  await ann.fund(1_000_00)
  for (let turn = 0; turn < 5; turn += 1) {
    clock.set(START)
    const id = await add(`order ${turn}`)
    clock.set(new Date('2026-08-31T10:00:00Z'))
    await Promise.all([change(id, { status: 'cancelled' }), sweep()])
    clock.set(new Date('2026-10-01T10:00:00Z'))
    await sweep()
    expect(executedDates.filter((one) => one.startsWith(`order ${turn}`)).length).toBeLessThanOrEqual(1)
  }
  expect(await ann.balanceMinor()).toBe(1_000_00 - executedDates.length * 10_00)
})

test('no order of a closed customer is executed', async () => {
  await ann.fund(100_00)
  await add('rent')
  await inTransaction(deps.db, (trx) => endOrders(trx, ann.customer.id))
  clock.set(new Date('2026-09-15T10:00:00Z'))
  await sweep()
  expect(executedDates).toEqual([])
})

test('a customer has a maximum of orders, also in simultaneous requests, none in the past and none too far ahead', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 7 }, (_, index) => add(`order ${index}`)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  await expect(add('late', { startsOn: '2026-08-27' })).rejects.toMatchObject({ code: 'schedule_date_invalid' })
})

test('each date up to a day is upcoming, on its business day', async () => {
  await add('rent', { startsOn: '2026-08-31' })
  const about = { customerId: ann.customer.id, until: '2026-09-14' }
  const { rows } = await deps.db.selectNoFrom(upcomingOrders.rows(deps.db, about).as('rows')).executeTakeFirstOrThrow()
  const dates = (await upcomingOrders.payments(deps, about, rows)).map(({ dueOn }) => dueOn)
  // 7 September is Labor Day.
  expect(dates).toEqual(['2026-08-31', '2026-09-08', '2026-09-14'])
})

test('an order ends after its last date, or after a number of payments', () => {
  const dates = { every: 'week' as const, anchor_on: '2026-08-31', passed: 0, remaining: null, ends_on: null }
  expect(columnsAfterDate(fake, { ...dates, remaining: 1 })).toMatchObject({ status: 'finished', remaining: 0 })
  expect(columnsAfterDate(fake, { ...dates, ends_on: addDays('2026-08-31', 6) })).toMatchObject({ status: 'finished' })
  expect(columnsAfterDate(fake, { ...dates, ends_on: addDays('2026-08-31', 7) })).toMatchObject({
    next_on: '2026-09-07',
  })
  expect(columnsAfterDate(fake, { ...dates, every: 'once' })).toMatchObject({ status: 'finished' })
})
