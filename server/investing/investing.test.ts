import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InvestmentPreview } from '#contract/investing.ts'
import { dueCustomers, overdueFundOrders, runJob, sweepJob } from '#server/investing/runs.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { runOn } from '#server/platform/db/run.ts'
import { testClock } from '#server/test/bank.ts'
import { controlPrices, type Investor, investorOf, type TestFeed } from '#server/test/investor.ts'
import { bookAsBefore } from '#server/test/ledger.ts'
import type { WithRows } from '#server/ledger/types.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { doJobs } from '#server/test/post-office.ts'

/** A Friday morning. The next prices are published in the afternoon. */
const START = new Date('2026-08-28T09:41:00.000Z')
const AFTERNOON = '2026-08-28T16:00:00.000Z'
const FUND = 'FUND_BALANCED' as const

const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let feed: TestFeed
let ann: TestPerson
let investor: Investor
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
  feed = controlPrices(server.deps, clock)
})
afterAll(async () => {
  await expectPendingCounted()
  await auditTestBooks(server)
  await server.close()
})

beforeEach(async () => {
  clock.set(START)
  feed.clear()
  for (const fund of ['FUND_CONSERVATIVE', 'FUND_BALANCED', 'FUND_AGGRESSIVE'] as const)
    feed.publish(fund, '2026-08-27T16:00:00Z', 20)
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  investor = investorOf(ann)
})

/** Checks that the stored total of pending purchases equals their sum. */
async function expectPendingCounted(): Promise<void> {
  const { rows } = await runOn(server.deps.pool)(`
    SELECT p.fund FROM bank.fund_pending p
     WHERE p.amount_minor <> (SELECT coalesce(sum(o.amount_minor), 0) FROM bank.fund_order o
                               WHERE o.fund = p.fund AND o.status = 'pending' AND o.side = 'buy')`)
  expect(rows).toEqual([])
}

/** Publishes the afternoon's price and fills the orders that wait for it. */
async function fillAt(dollars: number, pricedAt = AFTERNOON): Promise<void> {
  feed.publish(FUND, pricedAt, dollars)
  clock.set(new Date(Date.parse(pricedAt) + 60_000))
  await sweepJob.work(server.deps)
}

async function unitsOf(person: TestPerson): Promise<number> {
  const accounts = await accountsOf(runOn(server.deps.pool), person.customer.id)
  return accounts.find(({ asset }) => asset === FUND)?.balanceMinor ?? 0
}

async function availableMinor(): Promise<number> {
  const accounts = await accountsOf(runOn(server.deps.pool), ann.customer.id)
  return accounts.find(({ code }) => code === 'current')?.availableMinor ?? 0
}

async function prepareInvestor(dollars = 1_000): Promise<void> {
  await ann.fund(dollars * 100)
  await investor.prepare()
}

describe('buying', () => {
  test('the money is reserved at once, and units are bought at the next price, minus the fee', async () => {
    await prepareInvestor()
    const order = await investor.buy(FUND, 100_00)
    expect(order).toMatchObject({
      side: 'buy',
      status: 'pending',
      amountMinor: 100_00,
      unitsMinor: null,
      pricedAt: AFTERNOON,
    })
    expect([await ann.balanceMinor(), await availableMinor(), await unitsOf(ann)]).toEqual([1_000_00, 900_00, 0])
    const [pendingTransaction] = await ann.transactions()
    expect(pendingTransaction).toMatchObject({ status: 'pending', amountMinor: -100_00, category: 'investing' })
    await sweepJob.work(server.deps)
    expect((await investor.portfolio()).orders).toHaveLength(1)
    await fillAt(25)
    // The fee is 25 cents. The other 99.75 dollars buy 3.99 units at 25 dollars.
    expect([await ann.balanceMinor(), await availableMinor(), await unitsOf(ann)]).toEqual([900_00, 900_00, 3_990_000])
    const { orders } = await investor.history()
    expect(orders).toMatchObject([
      {
        id: order.id,
        status: 'filled',
        unitsMinor: 3_990_000,
        feeMinor: 25,
        priceMicros: 25_000_000,
        pricedAt: AFTERNOON,
      },
    ])
    const [completedTransaction] = await ann.transactions()
    expect(completedTransaction).toMatchObject({ status: 'completed', amountMinor: -100_00 })
    expect(completedTransaction?.name).toEqual({ code: 'fund.balanced', params: {} })
    const { notices } = await (await ann.browser.get('/api/v1/notifications')).json()
    expect(notices[0]).toMatchObject({
      kind: 'investment_filled',
      params: { side: 'buy', fund: FUND, amountMinor: 100_00 },
    })
  })

  test('a preview shows the expected units and the date', async () => {
    const preview = await investor.read<InvestmentPreview>(`/preview?side=buy&fund=${FUND}&amountMinor=10001`)
    // A quarter of a percent of 100.01 dollars is 25.0025 cents, rounded up.
    expect(preview).toMatchObject({ feeMinor: 26, unitsMinor: 4_987_500, amountMinor: 100_01, fillsAt: AFTERNOON })
    await expectRefusal(
      await ann.browser.get(`/api/v1/investing/preview?side=buy&fund=${FUND}`),
      'request_invalid',
      'amountMinor',
    )
  })

  test('a late job fills at the price of a punctual one', async () => {
    await prepareInvestor()
    await investor.buy(FUND, 100_00)
    feed.publish(FUND, AFTERNOON, 25)
    feed.publish(FUND, '2026-08-31T16:00:00Z', 50)
    clock.set(new Date('2026-09-03T10:00:00Z'))
    expect(await overdueFundOrders.overdueSince(server.deps)).toEqual(new Date(AFTERNOON))
    await sweepJob.work(server.deps)
    expect(await overdueFundOrders.overdueSince(server.deps)).toBeNull()
    expect(await unitsOf(ann)).toBe(3_990_000)
  })

  test('orders of a fund without a price do not delay other funds', async () => {
    await prepareInvestor()
    await investor.buy(FUND, 100_00)
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    await bob.fund(1_000_00)
    const bobInvestor = investorOf(bob)
    await bobInvestor.prepare()
    clock.set(new Date(START.getTime() + 60_000))
    await bobInvestor.buy('FUND_AGGRESSIVE', 100_00)
    feed.publish('FUND_AGGRESSIVE', AFTERNOON, 25)
    clock.set(new Date(AFTERNOON))
    expect(await dueCustomers(server.deps, null)).toEqual([{ id: bob.customer.id }])
    expect(await overdueFundOrders.overdueSince(server.deps)).toEqual(new Date(AFTERNOON))
    await sweepJob.work(server.deps)
    expect((await bobInvestor.history()).orders).toMatchObject([{ status: 'filled' }])
    expect(await dueCustomers(server.deps, null)).toEqual([])
    await fillAt(25)
    expect(await unitsOf(ann)).toBe(3_990_000)
  })

  test('the order’s own job fills it, and repeated or simultaneous jobs do nothing more', async () => {
    await prepareInvestor()
    await investor.buy(FUND, 100_00)
    feed.publish(FUND, AFTERNOON, 25)
    clock.set(new Date(AFTERNOON))
    const customerId = ann.customer.id
    await Promise.all(Array.from({ length: 6 }, () => runJob.work(server.deps, { customerId })))
    await doJobs(server, 'investing.run')
    expect([await unitsOf(ann), await ann.balanceMinor()]).toEqual([3_990_000, 900_00])
    await auditTestBooks(server)
  })

  test('a server that is killed before its commit has booked nothing', async () => {
    await prepareInvestor()
    await investor.buy(FUND, 100_00)
    feed.publish(FUND, AFTERNOON, 25)
    clock.set(new Date(AFTERNOON))
    const before = await auditTestBooks(server)
    const { ledger } = server.deps
    const dying = {
      ...ledger,
      postWithRows: (work: WithRows) =>
        ledger.postWithRows({
          ...work,
          also: async (...of) => {
            await work.also?.(...of)
            throw new Error('killed')
          },
        }),
    }
    const customerId = ann.customer.id
    await expect(runJob.work({ ...server.deps, ledger: dying }, { customerId })).rejects.toThrow('killed')
    expect(await auditTestBooks(server)).toEqual(before)
    await runJob.work(server.deps, { customerId })
    expect([await unitsOf(ann), await ann.balanceMinor()]).toEqual([3_990_000, 900_00])
  })

  test('one key in eight simultaneous requests is one order, and a much later repetition gets the same response', async () => {
    await prepareInvestor()
    const key = randomUUID()
    const send = () => investor.send('/orders', investor.buying(FUND, 100_00), key)
    const answers = await Promise.all(Array.from({ length: 8 }, send))
    const orders = await Promise.all(answers.map((answer) => investor.orderIn(answer)))
    expect(new Set(orders.map(({ id }) => id))).toEqual(new Set([key]))
    expect(await availableMinor()).toBe(900_00)
    await fillAt(25)
    feed.set('halted')
    expect(await investor.orderIn(await send())).toMatchObject({ id: key, status: 'filled' })
    expect(await ann.balanceMinor()).toBe(900_00)
    await expectRefusal(await investor.send('/orders', investor.buying(FUND, 99_00), key), 'idempotency_key_reused')
  })

  test('a price too high for a single unit returns the money', async () => {
    await prepareInvestor()
    await investor.buy(FUND, 10_00)
    await fillAt(2_000_000_000)
    expect([await ann.balanceMinor(), await availableMinor()]).toEqual([1_000_00, 1_000_00])
    expect((await investor.history()).orders).toMatchObject([{ status: 'cancelled', cancelledBy: 'bank' }])
    const { notices } = await (await ann.browser.get('/api/v1/notifications')).json()
    expect(notices[0]).toMatchObject({ kind: 'investment_cancelled', params: { side: 'buy', fund: FUND } })
  })

  test('an order whose key a dispute had, in an older version, can be canceled', async () => {
    await prepareInvestor()
    const { id } = await investor.buy(FUND, 10_00)
    const leg = { kind: 'transfer', debit: ann.customer.currentAccountId, credit: bankAccount('fees') } as const
    await bookAsBefore(server.deps.pool, {
      ...derivedIdentity('disputes', id, 'take_back'),
      kind: 'dispute.take_back',
      fingerprint: 'of a dispute',
      bookedAt: START,
      legs: [{ ...leg, amountMinor: 1_00 }],
    })
    await fillAt(2_000_000_000)
    expect((await investor.history()).orders).toMatchObject([{ id, status: 'cancelled', cancelledBy: 'bank' }])
    expect([await ann.balanceMinor(), await availableMinor()]).toEqual([999_00, 999_00])
  })
})

describe('a refused order changes nothing', () => {
  test.each([
    ['zero', { amountMinor: 0 }, 'amount_invalid', 'amountMinor'],
    ['a negative amount', { amountMinor: -5_00 }, 'amount_invalid', 'amountMinor'],
    ['a part of a cent', { amountMinor: 10.5 }, 'amount_invalid', 'amountMinor'],
    ['less than ten dollars', { amountMinor: 9_99 }, 'investment_too_small', 'amountMinor'],
    ['more than the maximum amount', { amountMinor: 1_000_000_01 }, 'amount_too_large', 'amountMinor'],
    ['more than available', { amountMinor: 1_000_01 }, 'insufficient_funds', undefined],
    ['an unknown fund', { fund: 'FUND_GOLD' }, 'request_invalid', 'fund'],
    ['a coin', { fund: 'BTC' }, 'request_invalid', 'fund'],
    ['another asset', { asset: 'BTC' }, 'request_invalid', 'asset'],
  ] as const)('to buy: %s', async (_what, changes, code, field) => {
    await prepareInvestor()
    const before = await auditTestBooks(server)
    await expectRefusal(await investor.send('/orders', { ...investor.buying(FUND, 10_00), ...changes }), code, field)
    expect(await auditTestBooks(server)).toEqual(before)
    expect((await investor.history()).orders).toEqual([])
  })

  test('without answers, without accepted risks, or with too much risk', async () => {
    await ann.fund(100_00)
    const before = await auditTestBooks(server)
    const buy = (fund: typeof FUND | 'FUND_AGGRESSIVE', more = {}) =>
      investor.send('/orders', investor.buying(fund, 10_00, more))
    await expectRefusal(await buy(FUND), 'suitability_needed')
    const answers = { horizon: 'two_to_five_years', loss: 'buy_more', reserves: 'over_six_months' }
    expect(await (await investor.put('/suitability', answers)).json()).toMatchObject({ result: 'medium', answers })
    await expectRefusal(await buy(FUND), 'risk_not_accepted')
    await expectRefusal(await investor.put('/risk-notice', { version: 2 }), 'risk_not_accepted', 'version')
    expect((await investor.put('/risk-notice', { version: 1 })).status).toBe(204)
    await expectRefusal(await buy('FUND_AGGRESSIVE'), 'unsuitable_fund', 'fund')
    expect((await buy('FUND_AGGRESSIVE', { acceptsMismatch: false })).status).toBe(400)
    expect(await auditTestBooks(server)).toEqual(before)
    expect((await buy('FUND_AGGRESSIVE', { acceptsMismatch: true })).status).toBe(200)
    expect((await buy(FUND)).status).toBe(200)
    await investor.put('/suitability', { ...answers, loss: 'sell' })
    expect((await investor.portfolio()).suitability).toMatchObject({ result: 'low' })
    await expectRefusal(await buy(FUND), 'unsuitable_fund', 'fund')
    await expectRefusal(await investor.put('/suitability', { ...answers, loss: 'panic' }), 'request_invalid', 'loss')
  })

  test('while trading is paused, and pending orders wait', async () => {
    await prepareInvestor()
    await investor.buy(FUND, 100_00)
    for (const status of ['halted', 'stale'] as const) {
      feed.set(status)
      const before = await auditTestBooks(server)
      await expectRefusal(await investor.send('/orders', investor.buying(FUND, 10_00)), 'trading_paused')
      await expectRefusal(
        await investor.send('/orders', { side: 'sell', fund: FUND, unitsMinor: 'all' }),
        'trading_paused',
      )
      await expectRefusal(
        await ann.browser.get(`/api/v1/investing/preview?side=sell&fund=${FUND}&unitsMinor=all`),
        'trading_paused',
      )
      expect((await investor.portfolio()).markets.map(({ open }) => open)).toEqual([false, false, false])
      await fillAt(25)
      expect(await overdueFundOrders.overdueSince(server.deps)).toBeNull()
      expect(await auditTestBooks(server)).toEqual(before)
    }
    feed.set('open')
    await sweepJob.work(server.deps)
    expect(await unitsOf(ann)).toBe(3_990_000)
  })

  test('for more than a customer may hold of one fund', async () => {
    await prepareInvestor(2_000_000)
    // The limit is 50,000 units at 20 dollars. Pending orders count towards it.
    await investor.buy(FUND, 900_000_00)
    const before = await auditTestBooks(server)
    await expectRefusal(
      await investor.send('/orders', investor.buying(FUND, 110_000_00)),
      'balance_limit_reached',
      'amountMinor',
    )
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('for more than all customers may hold of one fund, including pending orders', async () => {
    await prepareInvestor(2_000_000)
    await expectPendingCounted()
    const { policy } = server.deps
    const { rows } = await runOn(server.deps.pool)('SELECT balance_minor FROM ledger.account WHERE id = $1', [
      bankAccount('market_maker', FUND),
    ])
    // The limit leaves room for 1,000 dollars more, at 20 dollars, beside the holdings and the pending orders.
    const { rows: pendingRows } = await runOn(server.deps.pool)(
      'SELECT amount_minor FROM bank.fund_pending WHERE fund = $1',
      [FUND],
    )
    const takenMinor = -Number(rows[0]?.['balance_minor']) + Number(pendingRows[0]?.['amount_minor']) * 500
    const exposureMinor = { ...policy.markets.exposureMinor, [FUND]: takenMinor + 50_000_000 }
    server.deps.policy = { ...policy, markets: { ...policy.markets, exposureMinor } }
    try {
      const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
      await bob.fund(1_000_00)
      const bobInvestor = investorOf(bob)
      await bobInvestor.prepare()
      const { id } = await bobInvestor.buy(FUND, 400_00)
      await expectRefusal(
        await investor.send('/orders', investor.buying(FUND, 600_01)),
        'market_limit_reached',
        'amountMinor',
      )
      await bobInvestor.orderIn(await bobInvestor.send(`/orders/${id}/cancel`))
      await investor.buy(FUND, 600_01)
      await expectPendingCounted()
    } finally {
      server.deps.policy = policy
    }
  })

  test('to sell more than the holding, zero, nothing, or dust', async () => {
    await prepareInvestor()
    const sell = (unitsMinor: unknown) => investor.send('/orders', { side: 'sell', fund: FUND, unitsMinor })
    await expectRefusal(await sell('all'), 'units_short', 'unitsMinor')
    await expectRefusal(await sell(1), 'units_short', 'unitsMinor')
    await investor.buy(FUND, 100_00)
    await expectRefusal(await sell('all'), 'units_short', 'unitsMinor')
    await fillAt(25)
    const before = await auditTestBooks(server)
    await expectRefusal(await sell(3_990_001), 'units_short', 'unitsMinor')
    // At 25 dollars, one cent buys 400 millionths of a unit, and the fee is one cent.
    await expectRefusal(await sell(799), 'units_too_few', 'unitsMinor')
    for (const unitsMinor of [0, -1, 1.5, 'some', null]) expect((await sell(unitsMinor)).status).toBe(400)
    expect(await auditTestBooks(server)).toEqual(before)
    expect((await sell(800)).status).toBe(200)
  })

  test('beyond fifty open orders', async () => {
    await prepareInvestor()
    for (let placed = 0; placed < 50; placed += 1) await investor.buy(FUND, 10_00)
    await expectRefusal(await investor.send('/orders', investor.buying(FUND, 10_00)), 'orders_full')
  })

  test('with an invalid cursor', async () => {
    await expectRefusal(await ann.browser.get('/api/v1/investing/history?cursor=x'), 'cursor_invalid', 'cursor')
  })
})

describe('selling', () => {
  beforeEach(async () => {
    await prepareInvestor()
    await investor.buy(FUND, 100_00)
    await fillAt(25)
  })

  test('units are reserved until the next price, and the money is paid out minus the fee', async () => {
    const order = await investor.sell(FUND, 1_000_000)
    expect(order).toMatchObject({
      status: 'pending',
      unitsMinor: 1_000_000,
      amountMinor: null,
      pricedAt: '2026-08-31T16:00:00.000Z',
    })
    expect((await investor.portfolio()).holdings).toMatchObject([{ unitsMinor: 3_990_000, heldUnitsMinor: 1_000_000 }])
    await fillAt(30, '2026-08-31T16:00:00.000Z')
    // The payout is 30 dollars less 7.5 cents, rounded up.
    expect([await unitsOf(ann), await ann.balanceMinor()]).toEqual([2_990_000, 900_00 + 29_92])
  })

  test('eight simultaneous sales of all units sell them once', async () => {
    const sell = () => investor.send('/orders', { side: 'sell', fund: FUND, unitsMinor: 'all' })
    const statuses = (await Promise.all(Array.from({ length: 8 }, sell))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    await fillAt(30, '2026-08-31T16:00:00.000Z')
    // The payout is 119.70 less a fee of 30 cents (29.925 rounded up).
    expect([await unitsOf(ann), await ann.balanceMinor()]).toEqual([0, 900_00 + 119_40])
    expect((await investor.portfolio()).holdings).toEqual([])
    await auditTestBooks(server)
  })

  test('a whole holding can be sold even for less than a cent', async () => {
    await investor.sell(FUND, 3_989_999)
    await fillAt(30, '2026-08-31T16:00:00.000Z')
    const before = await ann.balanceMinor()
    await investor.sell(FUND, 'all')
    await fillAt(30, '2026-09-01T16:00:00.000Z')
    expect([await unitsOf(ann), await ann.balanceMinor()]).toEqual([0, before])
    expect((await investor.history()).orders[0]).toMatchObject({ status: 'filled', amountMinor: 0, feeMinor: 0 })
  })
})

describe('canceling an order', () => {
  const cancel = (id: string, key?: string) => investor.send(`/orders/${id}/cancel`, undefined, key)

  test('is possible once, until its price is known', async () => {
    await prepareInvestor()
    const { id } = await investor.buy(FUND, 100_00)
    const key = randomUUID()
    expect(await investor.orderIn(await cancel(id, key))).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'customer',
    })
    expect(await availableMinor()).toBe(1_000_00)
    expect(await investor.orderIn(await cancel(id, key))).toMatchObject({ status: 'cancelled' })
    await expectRefusal(await cancel(id), 'order_over')
    await fillAt(25)
    expect(await unitsOf(ann)).toBe(0)
  })

  test('is not affected by a price published before its hour', async () => {
    await prepareInvestor()
    const firstOrder = await investor.buy(FUND, 100_00)
    const { id } = await investor.buy(FUND, 100_00)
    feed.publish(FUND, '2026-08-28T12:00:00Z', 40)
    clock.set(new Date('2026-08-28T12:01:00Z'))
    await sweepJob.work(server.deps)
    expect(await unitsOf(ann)).toBe(0)
    expect(await investor.orderIn(await cancel(id))).toMatchObject({ status: 'cancelled' })
    await fillAt(25)
    const { orders } = await investor.history()
    expect(orders.find((order) => order.id === firstOrder.id)).toMatchObject({
      status: 'filled',
      priceMicros: 25_000_000,
    })
  })

  test('is not possible after seeing the price', async () => {
    await prepareInvestor()
    const { id } = await investor.buy(FUND, 100_00)
    feed.publish(FUND, AFTERNOON, 25)
    clock.set(new Date(AFTERNOON))
    await expectRefusal(await cancel(id), 'order_over')
    await sweepJob.work(server.deps)
    await expectRefusal(await cancel(id), 'order_over')
    expect(await unitsOf(ann)).toBe(3_990_000)
  })

  test('is not possible while its price is late, and possible again after five days', async () => {
    await prepareInvestor()
    const late = await investor.buy(FUND, 100_00)
    const before = await auditTestBooks(server)
    // The feed has not delivered the price, or trading is paused.
    for (const status of ['open', 'halted'] as const)
      for (const moment of [AFTERNOON, '2026-08-28T20:00:00.000Z', '2026-09-02T16:00:00.000Z']) {
        feed.set(status)
        clock.set(new Date(moment))
        await expectRefusal(await cancel(late.id), 'order_over')
      }
    expect(await auditTestBooks(server)).toEqual(before)
    clock.set(new Date('2026-09-02T16:00:01.000Z'))
    expect(await investor.orderIn(await cancel(late.id))).toMatchObject({ status: 'cancelled' })
    expect(await availableMinor()).toBe(1_000_00)
  })

  test('is possible while trading is paused, until its price is published', async () => {
    await prepareInvestor()
    const { id } = await investor.buy(FUND, 100_00)
    feed.set('halted')
    clock.set(new Date(Date.parse(AFTERNOON) - 1))
    expect(await investor.orderIn(await cancel(id))).toMatchObject({ status: 'cancelled' })
  })

  test('at the moment of its filling leaves it either filled or canceled', async () => {
    await prepareInvestor(10_000)
    const purchases = await Promise.all(Array.from({ length: 12 }, () => investor.buy(FUND, 100_00)))
    // The price is published while the requests are running.
    const cancelling = Promise.all(purchases.map(({ id }) => cancel(id)))
    feed.publish(FUND, AFTERNOON, 25)
    clock.set(new Date(AFTERNOON))
    await Promise.all([cancelling, runJob.work(server.deps, { customerId: ann.customer.id })])
    await sweepJob.work(server.deps)
    const { orders } = await investor.history()
    const filled = orders.filter(({ status }) => status === 'filled').length
    expect(orders.filter(({ status }) => status === 'cancelled')).toHaveLength(12 - filled)
    expect([await unitsOf(ann), await availableMinor()]).toEqual([filled * 3_990_000, 10_000_00 - filled * 100_00])
    await expectPendingCounted()
    await auditTestBooks(server)
  })

  test('of another customer is not found', async () => {
    await prepareInvestor()
    const { id } = await investor.buy(FUND, 100_00)
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    const answer = await investorOf(bob).send(`/orders/${id}/cancel`)
    await expectRefusal(answer, 'not_found')
    await expectRefusal(await cancel(randomUUID()), 'not_found')
    await expectRefusal(await cancel('x'), 'not_found')
  })
})

describe('closing an account', () => {
  const close = () => ann.browser.post('/api/v1/profile/closure', {})

  test('is refused with a pending order or with units', async () => {
    await prepareInvestor(100)
    await investor.buy(FUND, 100_00)
    await expectRefusal(await close(), 'orders_pending')
    await fillAt(25)
    await expectRefusal(await close(), 'units_left')
    await investor.sell(FUND, 'all')
    await expectRefusal(await close(), 'orders_pending')
    await fillAt(25, '2026-08-31T16:00:00.000Z')
    await expectRefusal(await close(), 'balance_not_zero')
  })

  test('leaves all orders in the download', async () => {
    await prepareInvestor()
    const { id } = await investor.buy(FUND, 100_00)
    const download = await (await ann.browser.get('/api/v1/profile/export')).json()
    expect(download.investmentOrders).toMatchObject([{ id, amountMinor: 100_00 }])
    expect(download.investingSuitability).toMatchObject({
      answers: [{ result: 'high' }],
      riskNotices: [{ version: 1 }],
    })
  })
})

test('all pages of the history are full and list each completed order once', async () => {
  await prepareInvestor()
  const placedIds = new Set<string>()
  for (let count = 0; count < 7; count += 1) placedIds.add((await investor.buy(FUND, 10_00)).id)
  expect(await investor.history()).toEqual({ orders: [], nextCursor: null })
  await fillAt(25)
  // The pending orders are newer, and only the portfolio contains them.
  for (let count = 0; count < 5; count += 1) await investor.buy(FUND, 10_00)
  expect((await investor.portfolio()).orders).toHaveLength(5)
  expect((await investor.history('?limit=3')).orders).toHaveLength(3)
  const listedIds: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await investor.history(`?limit=3${cursor && `&cursor=${cursor}`}`)
    listedIds.push(...page.orders.map(({ id }) => id))
    cursor = page.nextCursor
  }
  expect([listedIds.length, new Set(listedIds)]).toEqual([7, placedIds])
})

test('customers’ holdings are owed by the market maker, and fees are income', async () => {
  await prepareInvestor()
  await investor.buy(FUND, 100_00)
  const fees = async () => {
    const { rows } = await runOn(server.deps.pool)('SELECT balance_minor FROM ledger.account WHERE id = $1', [
      bankAccount('fees'),
    ])
    return Number(rows[0]?.['balance_minor'])
  }
  const before = await fees()
  feed.publish(FUND, AFTERNOON, 25)
  clock.set(new Date(AFTERNOON))
  await runJob.work(server.deps, { customerId: ann.customer.id })
  expect((await fees()) - before).toBe(25)
  const { rows } = await runOn(server.deps.pool)(
    'SELECT sum(balance_minor) AS sum FROM ledger.account WHERE asset = $1',
    [FUND],
  )
  expect(Number(rows[0]?.['sum'])).toBe(0)
})
