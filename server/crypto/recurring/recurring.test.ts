import { recurringDate } from '#server/calendar/due-dates.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CryptoOverview, RecurringBuy, Trade } from '#contract/crypto.ts'
import type { ClockRequest } from '#contract/sample.ts'
import { runOrdersJob, sweepOrdersJob } from '#server/standing-orders/running.ts'
import { runOn } from '#server/platform/db/run.ts'
import { startJobs } from '#server/platform/jobs/worker.ts'
import { lateParts } from '#server/platform/lateness.ts'
import { testClock } from '#server/test/bank.ts'
import { type FakeMarket, fakeMarket } from '#server/test/fake-market.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { moveSampleDate } from '#server/test/move-date.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let market: FakeMarket
let ann: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  clock.set(START)
  market = fakeMarket(server.deps)
  market.at('LTC', 100)
  round += 1
  await runOn(server.deps.pool)(`UPDATE bank.standing_order SET status = 'cancelled'`)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
})

const body = (changes: object = {}) => ({
  asset: 'LTC',
  amountMinor: 50_00,
  amountAsset: 'USD',
  every: 'month',
  startsOn: '2026-08-31',
  ...changes,
})
const ask = (changes: object = {}, key: string = randomUUID()) =>
  ann.browser.post('/api/v1/crypto/recurring', body(changes), { key })
async function arranged(changes: object = {}): Promise<RecurringBuy> {
  const answer = await ask(changes)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { recurring: RecurringBuy }).recurring
}

/** Moves the clock to a moment with a price, and does all due work. */
async function workAt(moment: string, dollars: number): Promise<void> {
  clock.set(new Date(moment))
  market.at('LTC', dollars)
  await sweepOrdersJob.run(server.deps, {})
}
const overview = async () => (await (await ann.browser.get('/api/v1/crypto')).json()) as CryptoOverview
const nextOn = async () => (await overview()).recurring[0]?.nextOn
const trades = async () =>
  ((await (await ann.browser.get('/api/v1/crypto/trades')).json()) as { trades: Trade[] }).trades.toReversed()
const prices = async () => (await trades()).map(({ priceMicros }) => priceMicros / 1e6)

async function notices(): Promise<unknown[]> {
  const { rows } = await runOn(server.deps.pool)(
    `SELECT kind, params ->> 'reason' AS reason FROM bank.notification
      WHERE customer_id = $1 AND kind LIKE 'crypto%' ORDER BY id`,
    [ann.customer.id],
  )
  return rows.map(({ kind, reason }) => (reason === null ? kind : `${kind as string}: ${reason as string}`))
}

test('a recurring buy is made on its date from six o’clock on, once, and on the last day of a short month', async () => {
  await ann.fund(1_000_00)
  const buy = await arranged()
  expect(buy).toMatchObject({ asset: 'LTC', amountMinor: 50_00, every: 'month', nextOn: '2026-08-31' })
  await workAt('2026-08-31T05:59:00Z', 100)
  expect(await trades()).toEqual([])
  await workAt('2026-08-31T06:00:00Z', 100)
  await Promise.all([sweepOrdersJob.run(server.deps, {}), sweepOrdersJob.run(server.deps, {})])
  // 49.50 dollars buy coins at 100.50.
  expect(await trades()).toMatchObject([
    { kind: 'recurring', amountMinor: 49_253_731, dollarsMinor: 50_00, feeMinor: 50 },
  ])
  expect(await nextOn()).toBe('2026-09-30')
  await workAt('2026-09-30T06:00:00Z', 100)
  expect(await nextOn()).toBe('2026-10-31')
  expect(await ann.balanceMinor()).toBe(900_00)
  expect(await notices()).toEqual(['crypto_bought', 'crypto_bought'])
})

test('each missed date is made once, at its own price', async () => {
  await ann.fund(1_000_00)
  await arranged({ every: 'week', startsOn: '2026-08-31' })
  for (const [day, dollars] of [
    ['30', 105],
    ['31', 110],
  ] as const) {
    clock.set(new Date(`2026-08-${day}T05:00:00Z`))
    market.at('LTC', dollars)
  }
  clock.set(new Date('2026-09-07T05:00:00Z'))
  market.at('LTC', 120)
  clock.set(new Date('2026-09-07T07:00:00Z'))
  market.at('LTC', 125)
  // There was no price on the 14th or in the days before, so the buy uses the price at the bank's return.
  await Promise.all([workAt('2026-09-21T12:00:00Z', 150), workAt('2026-09-21T12:00:00Z', 150)])
  expect(await prices()).toEqual([110.55, 120.6, 150.75, 150.75])
  expect(await nextOn()).toBe('2026-09-28')
})

test('a buy set up after a date’s moment uses the current price, not the past one', async () => {
  await ann.fund(1_000_00)
  clock.set(new Date('2026-08-31T05:59:00Z'))
  market.at('LTC', 100)
  clock.set(new Date('2026-08-31T23:59:00Z'))
  market.at('LTC', 200)
  await arranged({ every: 'week', startsOn: '2026-08-31' })
  await workAt('2026-09-01T00:01:00Z', 210)
  expect(await prices()).toEqual([211.05])
})

test('a late live bank buys at the current price, so that customers cannot choose between two prices', async () => {
  await ann.fund(1_000_00)
  await arranged({ every: 'week', startsOn: '2026-08-31' })
  clock.set(new Date('2026-08-31T06:00:00Z'))
  market.at('LTC', 150)
  const { policy } = server.deps
  server.deps.policy = { ...policy, prices: 'configured' }
  try {
    await workAt('2026-09-07T12:00:00Z', 120)
  } finally {
    server.deps.policy = policy
  }
  expect(await prices()).toEqual([120.6, 120.6])
})

test('a buy is skipped with a notice if there is too little money', async () => {
  await ann.fund(49_99)
  await arranged({ startsOn: '2026-08-28' })
  await workAt('2026-08-28T09:45:00Z', 100)
  expect(await trades()).toEqual([])
  expect(await notices()).toEqual(['crypto_buy_skipped: funds'])
  expect(await nextOn()).toBe('2026-09-28')
  await ann.fund(1)
  await workAt('2026-08-28T09:50:00Z', 100)
  expect(await trades()).toEqual([])
})

test('a buy waits during a market pause until the end of the day, and is then skipped', async () => {
  await ann.fund(1_000_00)
  await arranged({ startsOn: '2026-08-28' })
  market.become('LTC', 'halted')
  await workAt('2026-08-28T23:00:00Z', 100)
  expect([await nextOn(), await notices()]).toEqual(['2026-08-28', []])
  expect(await lateParts(server.deps)).not.toContain('recurring buys of coins that were neither made nor skipped')
  await workAt('2026-08-29T00:05:00Z', 100)
  expect([await nextOn(), await notices()]).toEqual(['2026-09-28', ['crypto_buy_skipped: paused']])
  expect(await trades()).toEqual([])
  market.become('LTC', 'open')
  await workAt('2026-09-28T06:05:00Z', 90)
  expect(await prices()).toEqual([90.45])
})

test('a buy counts as late if no job makes it', async () => {
  await arranged({ startsOn: '2026-08-28' })
  clock.set(new Date('2026-08-29T01:00:00Z'))
  expect(await lateParts(server.deps)).toContain('recurring buys of coins that were neither made nor skipped')
})

test('a stop takes effect after the due dates, at their own prices, so that a late job gives customers no choice', async () => {
  await ann.fund(1_000_00)
  const { id } = await arranged({ every: 'week' })
  await arranged({ startsOn: '2026-09-07', amountMinor: 20_00 })
  for (const [moment, dollars] of [
    ['2026-08-31T05:00:00Z', 300],
    ['2026-09-07T05:00:00Z', 200],
    ['2026-09-08T12:00:00Z', 100],
  ] as const) {
    clock.set(new Date(moment))
    market.at('LTC', dollars)
  }
  const run = () => runOrdersJob.run(server.deps, { kind: 'coin_buy', customerId: ann.customer.id })
  const stop = () => ann.browser.delete(`/api/v1/crypto/recurring/${id}`)
  const [, ...answers] = await Promise.all([run(), stop(), stop(), stop(), stop()])
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
  const tradePrices = (await trades()).map(({ dollarsMinor, priceMicros }) => [dollarsMinor, priceMicros / 1e6])
  expect(tradePrices).toHaveLength(3)
  expect(tradePrices).toEqual(
    expect.arrayContaining([
      [50_00, 301.5],
      [50_00, 201],
      [20_00, 201],
    ]),
  )
  await run()
  await workAt('2026-09-30T12:00:00Z', 100)
  expect(await trades()).toHaveLength(3)
  expect(await ann.balanceMinor()).toBe(880_00)
  expect(await nextOn()).toBe('2026-10-07')
})

test('another customer’s plan cannot be stopped, and buys nothing for others', async () => {
  await ann.fund(1_000_00)
  const { id } = await arranged({ startsOn: '2026-08-28' })
  const bob = await server.person({ fullName: 'Bob Ray', email: `bob${round}@example.com` })
  await expectRefusal(await bob.browser.delete(`/api/v1/crypto/recurring/${id}`), 'not_found')
  expect([await nextOn(), await trades()]).toEqual(['2026-08-28', []])
})

describe('the job of the next date', () => {
  const runsAt = async () => {
    const { rows } = await runOn(server.deps.pool)(
      `SELECT run_at FROM graphile_worker.jobs WHERE key = 'standing_orders.run:coin_buy:' || $1`,
      [ann.customer.id],
    )
    return rows.map(({ run_at }) => (run_at as Date).toISOString())
  }

  test('is moved to the next date, and removed after the last buy', async () => {
    await ann.fund(1_000_00)
    const laterOrder = await arranged({ startsOn: '2026-10-05' })
    expect(await runsAt()).toEqual(['2026-10-05T06:00:00.000Z'])
    const sooner = await arranged({ every: 'week' })
    expect(await runsAt()).toEqual(['2026-08-31T06:00:00.000Z'])
    clock.set(new Date('2026-09-21T06:00:00Z'))
    await runOrdersJob.run(server.deps, { kind: 'coin_buy', customerId: ann.customer.id })
    expect(await trades()).toHaveLength(4)
    expect(await runsAt()).toEqual(['2026-09-28T06:00:00.000Z'])
    await ann.browser.delete(`/api/v1/crypto/recurring/${sooner.id}`)
    expect(await runsAt()).toEqual(['2026-10-05T06:00:00.000Z'])
    await ann.browser.delete(`/api/v1/crypto/recurring/${laterOrder.id}`)
    expect(await runsAt()).toEqual([])
  })

  test('waits for the end of the day while the market is paused', async () => {
    await ann.fund(1_000_00)
    await arranged({ startsOn: '2026-08-28' })
    market.become('LTC', 'halted')
    await runOrdersJob.run(server.deps, { kind: 'coin_buy', customerId: ann.customer.id })
    expect([await nextOn(), await runsAt()]).toEqual(['2026-08-28', ['2026-08-29T00:00:00.000Z']])
    clock.set(new Date('2026-08-29T00:00:00Z'))
    await runOrdersJob.run(server.deps, { kind: 'coin_buy', customerId: ann.customer.id })
    expect([await nextOn(), await runsAt()]).toEqual(['2026-09-28', ['2026-09-28T06:00:00.000Z']])
  })
})

test('moving the date forward makes all due buys, each as of its date, without the sweep', async () => {
  const ticking = await peopleServer({ clock: 'database' })
  const jobs = await startJobs(ticking.deps, [runOrdersJob])
  try {
    const eve = await ticking.person({ fullName: 'Eve Fox', email: 'eve@example.com' })
    await eve.fund(100_000_00)
    const arrange = async (changes: object) =>
      expect((await eve.browser.post('/api/v1/crypto/recurring', body(changes))).status).toBe(200)
    const putForward = (by: ClockRequest) => moveSampleDate(ticking, eve.browser, by)
    const readPurchases = async () => {
      const { rows } = await runOn(ticking.deps.pool)(
        'SELECT asset, booked_at FROM bank.crypto_trade WHERE customer_id = $1 ORDER BY number',
        [eve.customer.id],
      )
      return rows.map(({ asset, booked_at }) => `${asset as string} ${(booked_at as Date).toISOString().slice(0, 10)}`)
    }
    /** Returns the buys due up to a day, oldest first. */
    const dueBy = (day: string) =>
      [
        ...Array.from({ length: 120 }, (_, passed) => ({
          asset: 'LTC' as const,
          date: recurringDate('2026-09-02', 'week', passed),
        })),
        ...Array.from({ length: 30 }, (_, passed) => ({
          asset: 'BTC' as const,
          date: recurringDate('2026-09-01', 'month', passed),
        })),
      ]
        .filter(({ date }) => date <= day)
        .map(({ asset, date }) => `${asset} ${date}`)

    await arrange({ every: 'week', startsOn: '2026-09-02' })
    await arrange({ asset: 'BTC', startsOn: '2026-09-01' })
    await putForward({ days: 21 })
    await expect.poll(async () => (await readPurchases()).length).toBe(4)
    expect((await readPurchases()).toSorted()).toEqual(dueBy('2026-09-18').toSorted())
    expect((await readPurchases())[0]).toBe('BTC 2026-09-01')

    // Eight months pass in steps that each end on a Friday. A buy of the current day uses the current price.
    for (let step = 0; step < 8; step += 1) await putForward({ days: 28 })
    const expectedPurchases = dueBy('2027-04-30')
    await expect.poll(async () => (await readPurchases()).length).toBe(expectedPurchases.length)
    await Promise.all(
      Array.from({ length: 3 }, () =>
        runOrdersJob.run(ticking.deps, { kind: 'coin_buy', customerId: eve.customer.id }),
      ),
    )
    expect((await readPurchases()).toSorted()).toEqual(expectedPurchases.toSorted())
    expect(await eve.balanceMinor()).toBe(100_000_00 - expectedPurchases.length * 50_00)
  } finally {
    await jobs.stop()
    await auditTestBooks(ticking)
    await ticking.close()
  }
}, 60_000)

test('upcoming payments have each date, until the plan is stopped', async () => {
  await ann.fund(1_000_00)
  const { id } = await arranged({ every: 'week', startsOn: '2026-08-31' })
  const { upcoming } = await ann.dashboard()
  expect(upcoming?.next).toEqual(
    ['2026-08-31', '2026-09-07', '2026-09-14'].map((dueOn) => ({
      kind: 'recurring_buy',
      id,
      name: 'LTC',
      amountMinor: 50_00,
      asset: 'USD',
      dueOn,
    })),
  )
  expect(upcoming?.dueThisMonthMinor).toBe(50_00)
  expect((await ann.browser.delete(`/api/v1/crypto/recurring/${id}`)).status).toBe(204)
  expect((await ann.dashboard()).upcoming).toBeNull()
})

test('a plan is set up once per key', async () => {
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask({}, key)))
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(8).fill(200))
  expect((await overview()).recurring).toHaveLength(1)
})

test.each([
  ['less than a dollar', { amountMinor: 99 }, 'amount_too_small', 'amountMinor'],
  ['zero', { amountMinor: 0 }, 'amount_invalid', 'amountMinor'],
  ['more than the trading limit', { amountMinor: 1_000_000_01 }, 'amount_too_large', 'amountMinor'],
  ['a past date', { startsOn: '2026-08-27' }, 'schedule_date_invalid', 'startsOn'],
] as const)('a plan is refused: %s', async (_what, changes, code, field) => {
  await expectRefusal(await ask(changes), code, field)
  expect((await overview()).recurring).toEqual([])
})

test.each([{ every: 'once' }, { startsOn: '2026-02-30' }, { amountAsset: 'LTC' }, { asset: 'POINTS' }])(
  'invalid input is refused: %j',
  async (changes) => expect((await ask(changes)).status).toBe(400),
)

test('the 21st simultaneous plan is refused', async () => {
  const answers = await Promise.all(Array.from({ length: 21 }, () => ask()))
  const refusals = answers.filter(({ status }) => status !== 200)
  expect(refusals).toHaveLength(1)
  for (const answer of refusals) await expectRefusal(answer, 'recurring_full')
})
