import { DAY_MS, HOUR_MS } from '#server/platform/durations.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeBpsOf, COINS, FUNDS, PRICE_RANGES, PRICED, type Priced } from '#contract/markets.ts'
import type { PriceHistory } from '#contract/markets-api.ts'
import type { z } from 'zod'
import type { marketList } from '#contract/markets-api.ts'
import { runOn } from '#server/platform/db/run.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { policyFor } from '#server/bank/policy.ts'
import { accountsById, openAccounts } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { type Exposure, limitExposure } from '#server/ledger/exposure.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { marketOf, priceAfter, pricesAt, tradingPrice } from '#server/markets/prices.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

const START = new Date('2026-08-28T09:41:00Z')
const clock = testClock(START)
let server: PeopleServer
let ann: TestPerson

beforeAll(async () => {
  server = await peopleServer({ clock: { ...clock, realNow: () => START } })
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
})
afterAll(() => server.close())

type Markets = z.infer<typeof marketList>['markets']

async function listed(): Promise<Markets> {
  const answer = await ann.browser.get('/api/v1/markets')
  expect(answer.status).toBe(200)
  return (await answer.json()).markets
}

async function history(asset: Priced, range: string): Promise<PriceHistory['prices']> {
  const answer = await ann.browser.get(`/api/v1/markets/${asset}/prices?range=${range}`)
  expect(answer.status).toBe(200)
  return (await answer.json()).prices
}

test('every market is listed with its price and its change', async () => {
  const markets = await listed()
  expect(markets.map(({ asset }) => asset)).toEqual(PRICED)
  expect(markets.every(({ status }) => status === 'open')).toBe(true)
  const coins = markets.filter(({ asset }) => (COINS as readonly string[]).includes(asset))
  expect(coins.map(({ price }) => price?.at)).toEqual(Array.from({ length: 3 }, () => START.toISOString()))
  expect(coins.filter(({ dayChangeBps }) => (dayChangeBps ?? 0) < 0)).toHaveLength(1)
  // It is Friday morning, so the last price is from Thursday.
  const funds = markets.slice(0, FUNDS.length)
  expect(funds.map(({ price }) => price?.at)).toEqual(Array.from({ length: 3 }, () => '2026-08-27T16:00:00.000Z'))
  expect(funds.every(({ monthChangeBps }) => (monthChangeBps ?? 0) > 0)).toBe(true)
})

test.each([
  [100, 110, 1_000],
  [100, 90, -1_000],
  [3, 4, 3_333],
  [3, 2, -3_333],
  [1, Number.MAX_SAFE_INTEGER, 90_071_992_547_409_900_000],
])('from %d to %d is a change of %d hundredths of a percent', (before, after, change) => {
  expect(changeBpsOf(before, after)).toBe(change)
})

test.each(PRICED.flatMap((asset) => PRICE_RANGES.map((range) => [asset, range] as const)))(
  'a chart of %s over %s begins with the oldest and ends with the last price',
  async (asset, range) => {
    const prices = await history(asset, range)
    const times = prices.map(({ at }) => at)
    expect(times).toEqual([...new Set(times)].toSorted())
    expect(prices.at(-1)).toEqual((await listed()).find((market) => market.asset === asset)?.price)
    const isCoin = (COINS as readonly string[]).includes(asset)
    expect(prices.length).toBeLessThanOrEqual(91)
    if (isCoin || range === 'year' || range === 'all') expect(prices.length).toBeGreaterThan(60)
    // A range begins with the price before it. For a fund, a long weekend may be in between.
    const days = { day: 1, week: 7, month: 30, year: 365, all: 3_000 }[range]
    const from = clock.businessNow().getTime() - (days + (isCoin ? 0 : 4)) * DAY_MS
    expect(Date.parse(times[0] ?? '')).toBeGreaterThanOrEqual(from - 5_000)
  },
)

test('an asset without a price is not found, and an unknown range is refused', async () => {
  for (const asset of ['USD', 'POINTS', 'DOGE', '%00', 'x'.repeat(100)]) {
    await expectRefusal(await ann.browser.get(`/api/v1/markets/${asset}/prices`), 'not_found')
  }
  await expectRefusal(await ann.browser.get(`/api/v1/markets/${'x'.repeat(101)}/prices`), 'request_invalid', 'asset')
  await expectRefusal(await ann.browser.get('/api/v1/markets/BTC/prices?range=hour'), 'request_invalid', 'range')
})

test('a fund has one price each business day, at which earlier orders are filled', async () => {
  const after = (text: string) => priceAfter(server.deps, 'FUND_BALANCED', new Date(text))
  clock.set(new Date('2026-09-09T12:00:00Z'))
  try {
    // The Monday is Labor Day.
    expect((await after('2026-09-04T15:59:59Z'))?.at).toEqual(new Date('2026-09-04T16:00:00Z'))
    expect((await after('2026-09-04T16:00:00Z'))?.at).toEqual(new Date('2026-09-08T16:00:00Z'))
    expect((await after('2026-09-06T10:00:00Z'))?.at).toEqual(new Date('2026-09-08T16:00:00Z'))
    expect(await after('2026-09-08T16:00:00Z')).toBeNull()
    expect((await tradingPrice(server.deps, 'FUND_BALANCED')).at).toEqual(new Date('2026-09-08T16:00:00Z'))
    // A price is not available before its time.
    const [ahead] = await pricesAt(server.deps, 'FUND_BALANCED', [new Date('2027-01-01T00:00:00Z')])
    expect(ahead?.at).toEqual(new Date('2026-09-08T16:00:00Z'))
  } finally {
    clock.set(START)
  }
})

test('a coin has a price every five seconds', async () => {
  clock.set(new Date(START.getTime() + 7_000))
  try {
    expect((await tradingPrice(server.deps, 'BTC')).at).toEqual(new Date(START.getTime() + 5_000))
    expect((await priceAfter(server.deps, 'BTC', START))?.at).toEqual(new Date(START.getTime() + 5_000))
    expect(await priceAfter(server.deps, 'BTC', new Date(START.getTime() + 5_000))).toBeNull()
  } finally {
    clock.set(START)
  }
})

test('markets stay open when the date is moved forward, up to the last possible day', async () => {
  try {
    const last = policyFor({ mode: 'sample' }).dateControl?.until.getTime() ?? 0
    for (let at = START.getTime(); at <= last; at += 730 * DAY_MS - 7 * HOUR_MS) {
      clock.set(new Date(at))
      expect((await listed()).map(({ status }) => status)).toEqual(PRICED.map(() => 'open'))
      expect(await history('BTC', 'all')).toHaveLength(91)
    }
  } finally {
    clock.set(START)
  }
})

test('outside the period of generated prices, trading stops without an error', async () => {
  try {
    for (const text of ['2023-12-31T12:00:00Z', '2050-01-01T12:00:00Z']) {
      clock.set(new Date(text))
      expect(await marketOf(server.deps, 'BTC')).toEqual({ asset: 'BTC', status: 'stale', price: null })
      expect(await history('BTC', 'month')).toEqual([])
      await expect(tradingPrice(server.deps, 'FUND_BALANCED')).rejects.toMatchObject({ code: 'trading_paused' })
    }
  } finally {
    clock.set(START)
  }
})

const COIN = 100_000_000
const MAKER = bankAccount('market_maker', 'BTC')

/** Returns an operation by which the bank sells coins to a customer, or buys them with `reverse`. */
function sale(credit: AccountId, amountMinor: number, reverse = false): Operation {
  const id = randomUUID()
  const [from, to] = reverse ? [credit, MAKER] : [MAKER, credit]
  return {
    id,
    kind: 'test',
    fingerprint: id,
    bookedAt: START,
    legs: [{ kind: 'transfer', debit: from, credit: to, amountMinor, detail: { label: 'top_up.card' } }],
  }
}

/** Sets the limits as a bank does at its start. */
async function setExposure(exposure: Partial<Exposure>): Promise<void> {
  const owner = openPool(server.database.ownerUrl, { max: 1 })
  const { exposureMinor, cashMinor } = server.deps.policy.markets
  await limitExposure(runOn(owner), { ...exposureMinor, USD: cashMinor, ...exposure })
  await owner.end()
}

const wallets = (count: number): Promise<AccountId[]> =>
  openAccounts(
    runOn(server.deps.pool),
    Array.from({ length: count }, () => ({ holderId: randomUUID(), code: 'crypto', asset: 'BTC' }) as const),
  )

async function heldOf(id: AccountId): Promise<number> {
  return (await accountsById(runOn(server.deps.pool), [id]))[0]?.balanceMinor ?? Number.NaN
}

test('the bank sells at most its limit: of 20 simultaneous buyers, as many succeed as fit', async () => {
  const { ledger } = server.deps
  const maxUnits = 7 * COIN
  await setExposure({ BTC: maxUnits })
  const buyers = await wallets(20)
  const answers = await Promise.all(
    buyers.map((buyer) =>
      ledger.post(sale(buyer, COIN)).then(
        () => 'booked',
        (error: { code: string }) => error.code,
      ),
    ),
  )
  expect(answers.filter((answer) => answer === 'booked')).toHaveLength(7)
  expect(answers.filter((answer) => answer === 'market_limit_reached')).toHaveLength(13)
  expect(await heldOf(MAKER)).toBe(-maxUnits)
  // Another customer can buy the units that one customer sells.
  const seller = buyers[answers.indexOf('booked')] ?? 0
  await ledger.post(sale(seller, COIN, true))
  await ledger.post(sale(buyers[0] ?? 0, COIN / 2))
  await expect(ledger.post(sale(buyers[1] ?? 0, COIN / 2 + 1))).rejects.toMatchObject({ code: 'market_limit_reached' })

  // A bank whose limit is lowered keeps its holdings. It can buy, but it cannot sell.
  await setExposure({ BTC: COIN })
  await expect(ledger.post(sale(buyers[1] ?? 0, 1))).rejects.toMatchObject({ code: 'market_limit_reached' })
  for (const buyer of buyers) {
    const heldBefore = await heldOf(buyer)
    if (heldBefore > 0) await ledger.post(sale(buyer, heldBefore, true))
  }
  await setExposure({ BTC: COIN })
  await ledger.post(sale(buyers[1] ?? 0, COIN))
  await expect(ledger.post(sale(buyers[1] ?? 0, 1))).rejects.toMatchObject({ code: 'market_limit_reached' })
  await auditTestBooks(server)
  await ledger.post(sale(buyers[1] ?? 0, COIN, true))
  await setExposure({})
})

test('the bank pays out at most its limit for a wrong price', async () => {
  const cash = bankAccount('market_maker')
  const maxMinor = 5_000_00 - (await heldOf(cash))
  await setExposure({ USD: maxMinor })
  const [customer = 0] = await openAccounts(runOn(server.deps.pool), [
    { holderId: randomUUID(), code: 'current', asset: 'USD' },
  ])
  const paid = (amountMinor: number): Operation => {
    const id = randomUUID()
    const leg = { debit: cash, credit: customer, amountMinor, detail: { label: 'top_up.card' } as const }
    return { id, kind: 'test', fingerprint: id, bookedAt: START, legs: [{ kind: 'transfer', ...leg }] }
  }
  const room = maxMinor + (await heldOf(cash))
  await server.deps.ledger.post(paid(room))
  await expect(server.deps.ledger.post(paid(1))).rejects.toMatchObject({ code: 'market_limit_reached' })
  expect(await heldOf(cash)).toBe(-maxMinor)
  await setExposure({})
})

test('a customer holds at most their share of an asset', async () => {
  const maxUnits = server.deps.policy.markets.holdingMinor.BTC
  const [wallet = 0] = await wallets(1)
  await server.deps.ledger.post(sale(wallet, maxUnits))
  await expect(server.deps.ledger.post(sale(wallet, 1))).rejects.toMatchObject({ code: 'balance_limit_reached' })
  await server.deps.ledger.post(sale(wallet, maxUnits, true))
})

test('only the bank’s own accounts get another floor, and only from the database owner', async () => {
  const owner = openPool(server.database.ownerUrl, { max: 1 })
  const [wallet = 0] = await wallets(1)
  const lower = 'UPDATE ledger.account SET floor_minor = -5 WHERE id = $1'
  await expect(owner.query(lower, [wallet])).rejects.toMatchObject({ code: '42501' })
  await expect(server.deps.pool.query(lower, [MAKER])).rejects.toMatchObject({ code: '42501' })
  await expect(owner.query('UPDATE ledger.account SET asset = $1 WHERE id = $2', ['ETH', MAKER])).rejects.toMatchObject(
    {
      code: '42501',
    },
  )
  await owner.end()
})

test.each(['sample', 'live'] as const)('in a %s bank one customer leaves room for many others', (mode) => {
  const { markets, visitors } = policyFor({ mode })
  expect(Number.isSafeInteger(markets.cashMinor)).toBe(true)
  for (const asset of PRICED) {
    expect(Number.isSafeInteger(markets.exposureMinor[asset])).toBe(true)
    expect(markets.exposureMinor[asset] / markets.holdingMinor[asset]).toBeGreaterThanOrEqual(visitors?.inAll ?? 50)
  }
})

test('every sample customer may hold many times their sample history', () => {
  const { holdingMinor } = policyFor({ mode: 'sample' }).markets
  expect(holdingMinor.BTC).toBeGreaterThan(2 * COIN)
  expect(holdingMinor.ETH).toBeGreaterThan(20 * COIN)
  expect(holdingMinor.LTC).toBeGreaterThan(300 * COIN)
  for (const fund of FUNDS) expect(holdingMinor[fund] / 1e6).toBeGreaterThan((10 * 15_000) / 12)
})
