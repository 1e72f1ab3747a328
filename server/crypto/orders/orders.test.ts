import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CryptoOverview, Order, Trade } from '#contract/crypto.ts'
import { lateParts } from '#server/platform/lateness.ts'
import { ordersJob } from '#server/crypto/orders/filling.ts'
import { setAccountStatus } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { collectDebtsJob } from '#server/owed/collect-debts.ts'
import { owedOf } from '#server/owed/debts.ts'
import { takeOrOwe } from '#server/owed/take-or-owe.ts'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import { testClock } from '#server/test/bank.ts'
import { askQuote, type FakeMarket, fakeMarket, makeTrade } from '#server/test/fake-market.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { runIfDue } from '#server/test/run-if-due.ts'

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
  market.at('BTC', 100_000)
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  await ann.fund(10_000_00)
})

const buyAt = (dollars: number, changes: object = {}) => ({
  side: 'buy',
  asset: 'BTC',
  amountMinor: 1_000_00,
  amountAsset: 'USD',
  limitMicros: dollars * 1e6,
  expiresInDays: null,
  ...changes,
})
const sellAt = (dollars: number, amountMinor: number) =>
  buyAt(dollars, { side: 'sell', amountMinor, amountAsset: 'BTC' })

const place = (body: object, key?: string) =>
  ann.browser.post('/api/v1/crypto/orders', body, key === undefined ? {} : { key })
const cancel = (id: string) => ann.browser.post(`/api/v1/crypto/orders/${id}/cancel`)

async function placeOrder(body: object): Promise<Order> {
  const answer = await place(body)
  expect([answer.status, answer.status === 200 || (await answer.clone().text())]).toEqual([200, true])
  return ((await answer.json()) as { order: Order }).order
}

const fill = () => runIfDue(ordersJob, server.deps)
const overview = async () => (await (await ann.browser.get('/api/v1/crypto')).json()) as CryptoOverview
const bitcoin = async () => (await overview()).holdings[0]
const trades = async () =>
  ((await (await ann.browser.get('/api/v1/crypto/trades')).json()) as { trades: Trade[] }).trades
const availableMinor = async () => (await ann.dashboard()).account.availableMinor

async function notices(): Promise<unknown[]> {
  const { rows } = await runOn(server.deps.pool)(
    `SELECT kind FROM bank.notification WHERE customer_id = $1 AND kind LIKE 'crypto%' ORDER BY id`,
    [ann.customer.id],
  )
  return rows.map(({ kind }) => kind)
}

const statusOf = async (id: string) =>
  (await runOn(server.deps.pool)('SELECT status FROM bank.crypto_order WHERE id = $1', [id])).rows[0]?.['status']

/** A shop captures this amount from Ann, more than she has. */
async function shopTakes(amountMinor: number): Promise<void> {
  const { customer } = ann
  const about = { kind: 'test', fingerprint: 'test', bookedAt: START }
  const taking = {
    operation: { id: randomUUID(), ...about },
    debt: { customerId: customer.id, cause: 'card_payment', causeId: null, name: 'Bella Trattoria', amountMinor },
    credit: bankAccount('card_scheme'),
    loss: bankAccount('card_losses'),
    detail: { debitName: 'Bella Trattoria', category: 'food' },
  } as const
  await inTransaction(server.deps.db, (trx) => takeOrOwe(server.deps, trx, taking))
}
const owes = async () => (await owedOf(server.deps.db, [ann.customer.id])).get(ann.customer.id) ?? 0

describe('while the customer owes the bank', () => {
  test('an order to buy from before is filled from its reserved money', async () => {
    const order = await placeOrder(buyAt(95_000, { amountMinor: 10_000_00 }))
    await shopTakes(100_00)
    expect(await owes()).toBe(100_00)
    market.at('BTC', 90_000)
    await fill()
    expect(await statusOf(order.id)).toBe('filled')
    expect(await trades()).toMatchObject([{ kind: 'order', dollarsMinor: 10_000_00, feeMinor: 100_00 }])
    expect(await owes()).toBe(100_00)
  })

  test('coins can be sold, by an order and at once, and the dollars are collected', async () => {
    const purchase = await makeTrade(ann, { side: 'buy', asset: 'BTC', amountMinor: 100_00, amountAsset: 'USD' })
    const halfMinor = Math.floor(purchase.amountMinor / 2)
    const order = await placeOrder(sellAt(110_000, halfMinor))
    await shopTakes(10_100_00)
    expect(await owes()).toBe(200_00)
    const sale = await makeTrade(ann, { side: 'sell', asset: 'BTC', amountMinor: null, amountAsset: 'BTC' })
    market.at('BTC', 120_000)
    await fill()
    expect(await statusOf(order.id)).toBe('filled')
    const [first] = await trades()
    await collectDebtsJob.work(server.deps)
    expect(await owes()).toBe(200_00 - sale.dollarsMinor - (first?.dollarsMinor ?? 0))
    expect(await ann.balanceMinor()).toBe(0)
  })

  test('coins cannot be bought', async () => {
    await shopTakes(10_100_00)
    await ann.fund(50_00)
    const buying = { side: 'buy', asset: 'BTC', amountMinor: 20_00, amountAsset: 'USD' } as const
    await expect(makeTrade(ann, buying)).rejects.toThrow(/insufficient_funds/)
    expect(await owes()).toBe(100_00)
  })
})

describe('a limit order', () => {
  test('to buy reserves its dollars, waits, and is filled once at the market’s price', async () => {
    const order = await placeOrder(buyAt(95_000))
    expect(await ann.balanceMinor()).toBe(10_000_00)
    expect(await availableMinor()).toBe(9_000_00)
    await fill()
    // With the spread added, 95,000 is above the limit.
    market.at('BTC', 95_000)
    await fill()
    expect((await overview()).orders).toEqual([order])
    market.at('BTC', 90_000)
    await Promise.all([fill(), fill(), fill()])
    await fill()
    // 990.00 dollars buy coins at 90,450.
    expect(await trades()).toMatchObject([
      { kind: 'order', amountMinor: 1_094_527, dollarsMinor: 1_000_00, feeMinor: 10_00 },
    ])
    expect(await ann.balanceMinor()).toBe(9_000_00)
    expect(await availableMinor()).toBe(9_000_00)
    expect(await bitcoin()).toMatchObject({ amountMinor: 1_094_527, costMinor: 1_000_00 })
    expect((await overview()).orders).toEqual([])
    expect(await notices()).toEqual(['crypto_order_filled'])
    expect(await statusOf(order.id)).toBe('filled')
  })

  test('to sell reserves its coins, and is filled at the limit or better', async () => {
    const { amountMinor } = await makeTrade(ann, {
      side: 'buy',
      asset: 'BTC',
      amountMinor: 1_000_00,
      amountAsset: 'USD',
    })
    const order = await placeOrder(sellAt(110_000, amountMinor))
    expect(await bitcoin()).toMatchObject({ amountMinor, heldMinor: amountMinor })
    // Coins that are set aside cannot be sold again.
    const sellAll = { side: 'sell', asset: 'BTC', amountMinor: null, amountAsset: 'BTC' } as const
    await expectRefusal(await askQuote(ann, sellAll), 'coins_short', 'amountMinor')
    market.at('BTC', 110_000)
    await fill()
    expect(await statusOf(order.id)).toBe('open')
    market.at('BTC', 120_000)
    await fill()
    // 0.00985074 BTC at 119,400 is 1,176.178; the fee is 11.77.
    expect((await trades())[0]).toMatchObject({ kind: 'order', side: 'sell', dollarsMinor: 1_164_40, feeMinor: 11_77 })
    expect(await ann.balanceMinor()).toBe(9_000_00 + 1_164_40)
    expect(await bitcoin()).toMatchObject({ amountMinor: 0, heldMinor: 0, realisedMinor: 164_40 })
  })

  test('releases its reserve once when it is canceled', async () => {
    const order = await placeOrder(buyAt(50_000))
    expect((await cancel(order.id)).status).toBe(204)
    expect((await cancel(order.id)).status).toBe(204)
    expect(await availableMinor()).toBe(10_000_00)
    market.at('BTC', 40_000)
    await fill()
    expect(await trades()).toEqual([])
  })

  test('is either canceled or filled, if both happen at the same moment', async () => {
    market.at('BTC', 40_000)
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const order = await placeOrder(buyAt(50_000, { amountMinor: 100_00 }))
      const before = (await trades()).length
      const [answer] = await Promise.all([cancel(order.id), fill(), fill(), cancel(order.id)])
      const filled = (await trades()).length - before
      expect(await statusOf(order.id)).toBe(filled === 1 ? 'filled' : 'cancelled')
      if (filled === 1 && answer.status !== 204) await expectRefusal(answer, 'order_over')
    }
    expect(await ann.balanceMinor()).toBe(await availableMinor())
    await auditTestBooks(server)
  })

  test('expires after its days, even if the market has reached it and the job is late', async () => {
    const order = await placeOrder(buyAt(50_000, { expiresInDays: 7 }))
    expect(order.expiresAt).toBe('2026-09-04T09:41:00.000Z')
    clock.set(new Date('2026-09-04T10:41:00.000Z'))
    market.at('BTC', 40_000)
    expect(await lateParts(server.deps)).toContain('limit orders that have expired and still set money or coins aside')
    await Promise.all([fill(), fill()])
    expect(await statusOf(order.id)).toBe('expired')
    expect(await availableMinor()).toBe(10_000_00)
    expect(await notices()).toEqual(['crypto_order_expired'])
    await expectRefusal(await cancel(order.id), 'order_over')
  })

  test('waits while the market is paused or the account is frozen', async () => {
    const order = await placeOrder(buyAt(95_000))
    market.at('BTC', 90_000)
    for (const status of ['halted', 'stale'] as const) {
      market.become('BTC', status)
      await fill()
      expect(await statusOf(order.id)).toBe('open')
    }
    market.become('BTC', 'open')
    const run = runOn(server.deps.pool)
    await setAccountStatus(run, ann.customer.currentAccountId, 'frozen')
    await fill()
    expect(await statusOf(order.id)).toBe('open')
    await setAccountStatus(run, ann.customer.currentAccountId, 'open')
    await fill()
    expect(await statusOf(order.id)).toBe('filled')
  })

  test.each([
    ['halts', (): void => market.become('BTC', 'halted')],
    ['leaves the limit', (): void => market.at('BTC', 110_000)],
  ] as const)('is not filled if the market %s after another was filled', async (_what, change) => {
    await placeOrder(buyAt(95_000))
    await placeOrder(buyAt(95_000))
    market.at('BTC', 90_000)
    const { market: ask } = server.deps.prices
    server.deps.prices.market = async (asset) => {
      if ((await trades()).length === 1) change()
      return ask(asset)
    }
    await fill()
    expect(await trades()).toHaveLength(1)
    expect((await overview()).orders).toHaveLength(1)
  })

  test('is placed once per key, for any number of requests', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 8 }, () => place(buyAt(50_000), key)))
    const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { order: Order }).order.id))
    expect(new Set(ids)).toEqual(new Set([key]))
    expect(await availableMinor()).toBe(9_000_00)
  })

  test('keeps its customer from closing the account', async () => {
    await placeOrder(buyAt(50_000))
    await expectRefusal(await ann.browser.post('/api/v1/profile/closure', {}), 'balance_not_zero')
  })
})

describe('an order is refused', () => {
  test.each([
    ['more money than available', buyAt(1, { amountMinor: 10_000_01 }), 'insufficient_funds', undefined],
    ['more coins than available', sellAt(90_000, 1_000_000), 'coins_short', 'amountMinor'],
    ['less than a dollar', buyAt(1, { amountMinor: 99 }), 'amount_too_small', 'amountMinor'],
    ['zero', buyAt(1, { amountMinor: 0 }), 'amount_invalid', 'amountMinor'],
    ['dust', sellAt(1, 1), 'amount_too_small', 'amountMinor'],
    ['more than the maximum amount', sellAt(1_000_000_000, Number.MAX_SAFE_INTEGER), 'amount_too_large', undefined],
    [
      'more dollars than the trading limit',
      buyAt(90_000, { amountMinor: 1_000_000_01 }),
      'amount_too_large',
      'amountMinor',
    ],
    ['coins worth more than the trading limit', sellAt(2_000_000, 100_000_000), 'amount_too_large', 'amountMinor'],
    ['a purchase in coins', buyAt(1, { amountAsset: 'BTC' }), 'asset_mismatch', 'amountAsset'],
    ['a sale in dollars', buyAt(1, { side: 'sell' }), 'asset_mismatch', 'amountAsset'],
  ] as const)('for %s', async (_what, body, code, field) => {
    const before = await auditTestBooks(server)
    await expectRefusal(await place(body), code, field)
    expect(await auditTestBooks(server)).toEqual(before)
    expect((await overview()).orders).toEqual([])
  })

  test.each([
    { limitMicros: 0 },
    { limitMicros: -1 },
    { limitMicros: 1.5 },
    { expiresInDays: 2 },
    { asset: 'DOGE' },
    { x: 1 },
  ])('for the invalid input %j', async (changes) => expect((await place(buyAt(1, changes))).status).toBe(400))

  test('for the 21st open order', async () => {
    const orders = await Promise.all(Array.from({ length: 21 }, () => place(buyAt(1, { amountMinor: 1_00 }))))
    const refusals = orders.filter(({ status }) => status !== 200)
    expect(refusals).toHaveLength(1)
    for (const answer of refusals) await expectRefusal(answer, 'orders_full')
  })

  test('for coins that are already reserved', async () => {
    const { amountMinor } = await makeTrade(ann, {
      side: 'buy',
      asset: 'BTC',
      amountMinor: 1_000_00,
      amountAsset: 'USD',
    })
    const answers = await Promise.all(Array.from({ length: 8 }, () => place(sellAt(200_000, amountMinor))))
    const refusals = answers.filter(({ status }) => status !== 200)
    expect(refusals).toHaveLength(7)
    for (const answer of refusals) await expectRefusal(answer, 'coins_short', 'amountMinor')
  })
})
