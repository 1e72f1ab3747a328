import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CryptoOverview, Trade } from '#contract/crypto.ts'
import { type Coin, COINS } from '#contract/markets.ts'
import { tradeLegs } from '#server/crypto/trading/booking.ts'
import { buyFor, buyOf, type PricedTrade, priceFor, sellFor, sellOf } from '#server/crypto/trading/pricing.ts'
import { accountsById, openAccounts } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { Operation } from '#server/ledger/types.ts'
import { runOn } from '#server/platform/db/run.ts'
import { testClock } from '#server/test/bank.ts'
import { type FakeMarket, fakeMarket, makeTrade } from '#server/test/fake-market.ts'
import { auditTestBooks, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { tries } from '../../../scripts/test-effort.ts'

const START = new Date('2026-01-05T09:41:00.000Z')
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let market: FakeMarket

beforeAll(async () => {
  server = await peopleServer({ clock })
  market = fakeMarket(server.deps)
})
afterAll(() => server.close())

/** Returns a linear congruential generator of numbers between 0 and 1, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const DECIMALS = 8
/** The unit of exact values: cents times 10^12, which represents coins at a price exactly. */
const EXACT = 10n ** BigInt(DECIMALS + 4)

type Wealth = { cents: number; coins: Record<Coin, number> }
const exactly = ({ cents, coins }: Wealth, prices: Record<Coin, number>): bigint =>
  COINS.reduce((sum, coin) => sum + BigInt(coins[coin]) * BigInt(prices[coin]), BigInt(cents) * EXACT)

function after({ cents, coins }: Wealth, { side, asset, amountMinor, dollarsMinor }: PricedTrade): Wealth {
  const sign = side === 'buy' ? 1 : -1
  return { cents: cents - sign * dollarsMinor, coins: { ...coins, [asset]: coins[asset] + sign * amountMinor } }
}

/** Returns a random trade that is possible at a price, or null for an impossible one. */
function draw(random: () => number, wealth: Wealth, asset: Coin, marketMicros: number): PricedTrade | null {
  const terms = server.deps.policy.crypto
  const ways = [
    () => buyFor(terms, asset, 1 + Math.floor(random() ** 4 * wealth.cents), priceFor(terms, 'buy', marketMicros)),
    () => buyOf(terms, asset, 1 + Math.floor(random() ** 6 * 1e8), priceFor(terms, 'buy', marketMicros)),
    () =>
      sellOf(terms, asset, 1 + Math.floor(random() ** 3 * wealth.coins[asset]), priceFor(terms, 'sell', marketMicros)),
    () => sellOf(terms, asset, wealth.coins[asset], priceFor(terms, 'sell', marketMicros)),
    () => sellFor(terms, asset, 1 + Math.floor(random() ** 3 * 500_00), priceFor(terms, 'sell', marketMicros)),
  ]
  try {
    return ways[Math.floor(random() * ways.length)]?.() ?? null
  } catch {
    return null
  }
}

test('random buys and sells over moving prices create no cent and no satoshi', { timeout: 120_000 }, async () => {
  const random = numbers(20_260_105)
  const ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await ann.fund(100_000_00)
  const run = runOn(server.deps.pool)
  const ids = await openAccounts(
    run,
    COINS.map((asset) => ({ holderId: ann.customer.id, code: 'crypto' as const, asset })),
  )
  const accountOf = Object.fromEntries(COINS.map((coin, place) => [coin, ids[place] ?? 0])) as Record<Coin, number>
  const prices = { BTC: 90_000_123_457, ETH: 3_000_765_431, LTC: 90_000_001 }
  let wealth: Wealth = { cents: 100_000_00, coins: { BTC: 0, ETH: 0, LTC: 0 } }
  let waitingTrades: { operation: Operation; exchange: PricedTrade; fits: boolean }[] = []
  let bookedCount = 0
  const flush = async () => {
    const outcomes = await server.deps.ledger.postAll(waitingTrades.map(({ operation }) => operation))
    // The ledger agrees with the test: no balance becomes negative.
    expect(outcomes.map(({ ok }) => ok)).toEqual(waitingTrades.map(({ fits }) => fits))
    bookedCount += outcomes.filter(({ ok }) => ok).length
    waitingTrades = []
  }
  while (bookedCount + waitingTrades.length < tries(10_000)) {
    const asset = COINS[Math.floor(random() * COINS.length)] ?? 'BTC'
    prices[asset] = Math.max(1_000_000, Math.round(prices[asset] * (0.99 + random() * 0.02)))
    const exchange = draw(random, wealth, asset, prices[asset])
    if (!exchange) continue
    const next = after(wealth, exchange)
    const fits = next.cents >= 0 && next.coins[asset] >= 0
    const id = randomUUID()
    const legs = tradeLegs({ exchange, current: ann.customer.currentAccountId, coins: accountOf[asset] })
    const operation = { id, kind: 'crypto.test', fingerprint: id, bookedAt: clock.businessNow(), legs }
    waitingTrades.push({ operation, exchange, fits })
    if (fits) {
      // At its own price, a trade costs at least the fee, and the spread.
      const lost = exactly(wealth, prices) - exactly(next, prices)
      expect(lost >= BigInt(exchange.feeMinor) * EXACT).toBe(true)
      expect(exchange.feeMinor).toBeGreaterThan(0)
      wealth = next
    }
    // A customer without money gets new money.
    if (waitingTrades.length === 500) await flush()
    if (wealth.cents < 1_000_00) {
      await flush()
      await ann.fund(100_000_00)
      wealth = { ...wealth, cents: wealth.cents + 100_000_00 }
    }
  }
  await flush()
  const accounts = await accountsById(run, [ann.customer.currentAccountId, ...ids])
  const balances = accounts.map(({ balanceMinor }) => balanceMinor)
  expect(balances).toEqual([wealth.cents, ...COINS.map((coin) => wealth.coins[coin])])
  // The customers' holdings of a coin equal the market maker's debt exactly.
  const makers = await accountsById(
    run,
    COINS.map((coin) => bankAccount('market_maker', coin)),
  )
  expect(makers.map(({ balanceMinor }) => 0 - balanceMinor)).toEqual(COINS.map((coin) => wealth.coins[coin]))
  await auditTestBooks(server)
})

test('buying and selling at once never gains money, at any price and amount', () => {
  const random = numbers(7)
  const terms = server.deps.policy.crypto
  for (let round = 0; round < 20_000; round += 1) {
    const price = Math.ceil(10 ** (random() * 12))
    const dollars = 100 + Math.floor(10 ** (random() * 9))
    const asset = COINS[round % 3] ?? 'BTC'
    try {
      const purchase = buyFor(terms, asset, dollars, priceFor(terms, 'buy', price))
      const sale = sellOf(terms, asset, purchase.amountMinor, priceFor(terms, 'sell', price))
      expect(sale.dollarsMinor).toBeLessThan(dollars)
      const again = buyOf(terms, asset, purchase.amountMinor, priceFor(terms, 'buy', price))
      expect(again.dollarsMinor).toBeGreaterThan(sale.dollarsMinor)
      const raised = sellFor(terms, asset, dollars, priceFor(terms, 'sell', price))
      expect(raised.amountMinor).toBeGreaterThanOrEqual(purchase.amountMinor)
    } catch (error) {
      expect(['amount_too_small', 'amount_too_large']).toContain((error as { code?: string }).code)
    }
  }
})

/** The test's own figures, computed independently from trades in whole cents as bigints. */
type OwnPosition = {
  held: bigint
  cost: bigint
  realised: bigint
  lots: { day: string; amount: bigint; cost: bigint }[]
  rows: string[]
}

function byHand(position: OwnPosition, coin: Coin, { side, amountMinor, dollarsMinor }: Trade, day: string): void {
  const [amount, dollars] = [BigInt(amountMinor), BigInt(dollarsMinor)]
  if (side === 'buy') {
    position.held += amount
    position.cost += dollars
    position.lots.push({ day, amount, cost: dollars })
    return
  }
  const costOfSold = (position.cost * amount) / position.held
  position.held -= amount
  position.cost -= costOfSold
  position.realised += dollars - costOfSold
  let [amountLeft, proceedsLeft] = [amount, dollars]
  for (let lot = position.lots[0]; amountLeft > 0n && lot; lot = position.lots[0]) {
    const soldPart = amountLeft < lot.amount ? amountLeft : lot.amount
    const [cost, proceeds] = [(lot.cost * soldPart) / lot.amount, (proceedsLeft * soldPart) / amountLeft]
    position.rows.push(
      [coin, lot.day, day, coins(soldPart), cents(cost), cents(proceeds), cents(proceeds - cost)].join(','),
    )
    lot.amount -= soldPart
    lot.cost -= cost
    amountLeft -= soldPart
    proceedsLeft -= proceeds
    if (lot.amount === 0n) position.lots.shift()
  }
}

const decimal = (value: bigint, decimals: number): string => {
  const text = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  return `${value < 0n ? '-' : ''}${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}
const cents = (value: bigint) => decimal(value, 2)
const coins = (value: bigint) => decimal(value, DECIMALS)

const HEADING = 'Asset,Acquired,Sold,Amount,Cost (USD),Proceeds (USD),Gain (USD)'

async function csvOf(person: TestPerson, year: number): Promise<string[]> {
  const answer = await person.browser.get(`/api/v1/crypto/tax-lots.csv?year=${year}`)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="Alder-crypto-${year}.csv"`)
  const text = await answer.text()
  expect(text.endsWith('\r\n')).toBe(true)
  return text.trimEnd().split('\r\n')
}

test('cost, profit and tax lots match an independent calculation', { timeout: 120_000 }, async () => {
  const random = numbers(99)
  const bob = await server.person({ fullName: 'Bob May', email: 'bob@example.com' })
  await bob.fund(1_000_000_00)
  const prices: Record<Coin, number> = { BTC: 90_000, ETH: 3_000, LTC: 90 }
  const positions = Object.fromEntries(
    COINS.map((coin) => [coin, { held: 0n, cost: 0n, realised: 0n, lots: [], rows: [] }]),
  ) as unknown as Record<Coin, OwnPosition>
  for (let round = 0; round < 55; round += 1) {
    // A trade happens every sixth day, so the test covers almost a year. It also stays below the limit of quotes in a minute.
    clock.set(new Date(START.getTime() + round * 6 * 86_400_000))
    const coin = COINS[Math.floor(random() * 3)] ?? 'BTC'
    prices[coin] *= 0.9 + random() * 0.2
    for (const asset of COINS) market.at(asset, prices[asset])
    const { held } = positions[coin]
    const sells = held > 0n && random() < 0.45
    const amount = random() < 0.3 ? null : 1_000_000 + Math.floor(random() * (Number(held) - 1_000_000))
    const trade = sells
      ? await makeTrade(bob, { side: 'sell', asset: coin, amountMinor: amount, amountAsset: coin })
      : await makeTrade(bob, {
          side: 'buy',
          asset: coin,
          amountMinor: 5_000 + Math.floor(random() * 500_000),
          amountAsset: 'USD',
        })
    byHand(positions[coin], coin, trade, clock.businessNow().toISOString().slice(0, 10))
  }
  const { holdings, realisedMinor } = (await (await bob.browser.get('/api/v1/crypto')).json()) as CryptoOverview
  for (const holding of holdings) {
    const { held, cost, realised } = positions[holding.asset]
    const value = (held * BigInt(Math.round(prices[holding.asset] * 1e6))) / EXACT
    expect(holding).toMatchObject({
      amountMinor: Number(held),
      costMinor: Number(cost),
      realisedMinor: Number(realised),
      valueMinor: Number(value),
      unrealisedMinor: Number(value - cost),
      averageCostMicros: held === 0n ? null : Number((cost * EXACT) / held),
    })
  }
  expect(realisedMinor).toBe(Number(COINS.reduce((sum, coin) => sum + positions[coin].realised, 0n)))
  const lots = COINS.flatMap((coin) => [
    ...positions[coin].rows,
    ...positions[coin].lots.map((lot) => [coin, lot.day, '', coins(lot.amount), cents(lot.cost), '', ''].join(',')),
  ])
  expect(await csvOf(bob, 2026)).toEqual([HEADING, ...lots])
  expect(await csvOf(bob, 2025)).toEqual([HEADING])
  for (const year of ['', 'x', '1999', '2026.5', '9999'])
    expect((await bob.browser.get(`/api/v1/crypto/tax-lots.csv?year=${year}`)).status).toBe(400)
  await auditTestBooks(server)
})
