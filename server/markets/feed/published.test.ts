import { DAY_MS, HOUR_MS } from '#server/platform/durations.ts'
import { execFile } from 'node:child_process'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Priced } from '#contract/markets.ts'
import { lateParts } from '#server/platform/lateness.ts'
import { fetchPrices, readPrice } from '#server/markets/feed/fetch-prices.ts'
import { publishedFeed } from '#server/markets/feed/published.ts'
import { marketOf, priceAfter, pricesAt, tradingPrice } from '#server/markets/prices.ts'
import { thinPricesJob } from '#server/markets/jobs.ts'
import { testClock, type TestClock, testDeps, type TestDeps } from '#server/test/bank.ts'
import { testContext } from '#server/test/context.ts'
import { runAsOwner } from '#server/test/database.ts'
import { openPriceFeed, type FeedPrice, type TestPriceFeed } from '#server/test/price-feed.ts'

const START = new Date('2026-03-05T12:00:00Z')
const TIMEOUT_MS = 250

let feed: TestPriceFeed
let clock: TestClock
let bank: TestDeps
let logged: Record<string, unknown>[]

beforeAll(async () => {
  clock = testClock(START)
  logged = []
  bank = await testDeps({ config: { mode: 'live' }, clock, logged })
})
afterAll(() => bank.close())

beforeEach(async () => {
  feed = await openPriceFeed()
  clock.set(START)
  logged.length = 0
  for (const table of ['bank.price', 'bank.market_halt'] as const) await bank.deps.db.deleteFrom(table).execute()
  bank.deps.prices = publishedFeed(bank.deps, { url: feed.url, token: 'the-token', timeoutMs: TIMEOUT_MS })
})
afterEach(() => feed.close())

/** Returns a feed entry with a price as of now. */
const feedEntry = (asset: string, price: string, at: Date = clock.businessNow()): FeedPrice => ({
  asset,
  price,
  at: at.toISOString(),
})
/** Advances the clock, so that the cached answer expires. */
const wait = (ms = 6_000): void => clock.set(new Date(clock.businessNow().getTime() + ms))
const trade = (asset: Priced = 'BTC') => tradingPrice(bank.deps, asset)
const stored = async () =>
  (
    await bank.deps.db
      .selectFrom('bank.price')
      .select(['asset', 'price_micros'])
      .orderBy('asset')
      .orderBy('at')
      .execute()
  ).map((row) => `${row.asset} ${row.price_micros}`)

async function paused(asset: Priced = 'BTC'): Promise<void> {
  await expect(trade(asset)).rejects.toMatchObject({ code: 'trading_paused' })
}

test('trades use the price from the feed, which is requested periodically with the token', async () => {
  feed.say([
    feedEntry('BTC', '64250.12'),
    feedEntry('ETH', '3180'),
    feedEntry('FUND_BALANCED', '18.640001'),
    feedEntry('DOGE', '0.2'),
  ])
  expect(await trade()).toEqual({ asset: 'BTC', priceMicros: 64_250_120_000, at: START })
  expect((await trade('ETH')).priceMicros).toBe(3_180_000_000)
  expect((await trade('FUND_BALANCED')).priceMicros).toBe(18_640_001)
  // The feed never published a price for it.
  expect(await marketOf(bank.deps, 'LTC')).toEqual({ asset: 'LTC', status: 'stale', price: null })
  await paused('LTC')
  expect(feed.requests).toHaveLength(1)
  expect(feed.requests[0]?.authorization).toBe('Bearer the-token')
  wait()
  feed.say([feedEntry('BTC', '64300')])
  expect((await trade()).priceMicros).toBe(64_300_000_000)
  expect(feed.requests).toHaveLength(2)
  expect(await stored()).toEqual(['BTC 64250120000', 'BTC 64300000000', 'ETH 3180000000', 'FUND_BALANCED 18640001'])
})

test('no price is requested on a missed business date, and no market is halted by it', async () => {
  feed.say([feedEntry('BTC', '64250.12')])
  await trade()
  wait()
  feed.say([feedEntry('BTC', '64300', new Date(clock.businessNow().getTime() + DAY_MS))])
  vi.spyOn(bank.deps.clock, 'movingTo').mockReturnValue(new Date(clock.businessNow().getTime() + DAY_MS))
  expect((await trade()).priceMicros).toBe(64_250_120_000)
  expect(feed.requests).toHaveLength(1)
  vi.restoreAllMocks()
  clock.set(new Date(clock.businessNow().getTime() + DAY_MS))
  expect((await trade()).priceMicros).toBe(64_300_000_000)
  expect(await bank.deps.db.selectFrom('bank.market_halt').selectAll().execute()).toEqual([])
})

test('simultaneous requests share one request to the feed', async () => {
  feed.behave(
    (outgoing) => void setTimeout(() => outgoing.end(JSON.stringify({ prices: [feedEntry('BTC', '1')] })), 50),
  )
  const prices = await Promise.all(Array.from({ length: 50 }, () => trade()))
  expect(new Set(prices.map(({ priceMicros }) => priceMicros))).toEqual(new Set([1_000_000]))
  expect(feed.requests).toHaveLength(1)
})

test.each([
  '',
  ' ',
  '0',
  '0.00',
  '-1',
  '+1',
  '1e3',
  '0x10',
  'NaN',
  'Infinity',
  '1,000',
  '1.',
  '.5',
  '1.1234567',
  ' 1',
  '9999999999',
  '١',
  '1234567890123',
])('%j is not a price', (text) => expect(readPrice(text)).toBeNull())

test.each([
  ['0.000001', 1],
  ['1', 1_000_000],
  ['64250.12', 64_250_120_000],
  ['9007199254.740991', Number.MAX_SAFE_INTEGER],
  ['007.5', 7_500_000],
])('%s is parsed digit by digit', (text, micros) => expect(readPrice(text)).toBe(micros))

test.each<[string, unknown]>([
  ['zero', feedEntry('BTC', '0', START)],
  ['below zero', feedEntry('BTC', '-64000', START)],
  ['not a number', feedEntry('BTC', 'a lot', START)],
  ['a number instead of a text', { ...feedEntry('BTC', '1', START), price: 64_250.12 }],
  ['with too many decimals', feedEntry('BTC', '64250.1234567', START)],
  ['with an invalid time', { ...feedEntry('BTC', '64000', START), at: 'now' }],
  ['without a time', { asset: 'BTC', price: '64000' }],
  ['old', feedEntry('BTC', '64000', new Date(START.getTime() - 61_000))],
  ['null', null],
  ['text', 'BTC 64000'],
])('an invalid price affects only its own asset: %s', async (_what, bad) => {
  feed.say([bad, feedEntry('ETH', '3180')])
  expect((await trade('ETH')).priceMicros).toBe(3_180_000_000)
  await paused()
  expect(await stored()).toEqual(['ETH 3180000000'])
})

test('an asset with two prices has none', async () => {
  feed.say([feedEntry('BTC', '64000'), feedEntry('ETH', '3180'), feedEntry('BTC', '32000')])
  await paused()
  expect((await trade('ETH')).priceMicros).toBe(3_180_000_000)
})

const failures: [string, (feed: TestPriceFeed) => void][] = [
  ['stalls', (one) => one.behave(() => undefined)],
  ['stalls during its response', (one) => one.behave((outgoing) => void outgoing.writeHead(200).write('{"prices":['))],
  ['responds with 500', (one) => one.behave((outgoing) => void outgoing.writeHead(500).end('{"prices":[]}'))],
  ['redirects', (one) => one.behave((outgoing) => void outgoing.writeHead(302, { location: '/elsewhere' }).end())],
  ['responds without a body', (one) => one.behave((outgoing) => void outgoing.writeHead(204).end())],
  ['responds in another format', (one) => one.behave((outgoing) => void outgoing.end('<html>'))],
  ['responds without a list', (one) => one.say({ BTC: 1 })],
  ['dies', (one) => one.behave((outgoing) => void outgoing.destroy())],
  [
    'disconnects during its response',
    (one) =>
      one.behave((outgoing) => {
        outgoing.writeHead(200, { 'content-length': 1_000 }).write('{"prices":[')
        setTimeout(() => outgoing.destroy(), 20)
      }),
  ],
  [
    'never stops sending',
    (server) =>
      server.behave((outgoing) => {
        const more = (): void => {
          while (!outgoing.destroyed && outgoing.write(' '.repeat(16_384)));
        }
        outgoing.writeHead(200).on('drain', more)
        more()
      }),
  ],
]

test.each(failures)(
  'a feed that %s: the last price is used while it is fresh, and the feed recovers afterwards',
  async (_what, fail) => {
    feed.say([feedEntry('BTC', '64000')])
    await trade()
    fail(feed)
    wait()
    const began = performance.now()
    expect((await trade()).priceMicros).toBe(64_000_000_000)
    expect(performance.now() - began).toBeLessThan(TIMEOUT_MS + 5_000)
    wait(60_000)
    await paused()
    expect(await marketOf(bank.deps, 'BTC')).toMatchObject({ status: 'stale', price: { priceMicros: 64_000_000_000 } })
    wait(60_000)
    feed.say([feedEntry('BTC', '65000')])
    expect((await trade()).priceMicros).toBe(65_000_000_000)
    expect(logged.filter(({ msg }) => msg === 'the price feed does not answer')).toHaveLength(1)
    expect(logged.filter(({ msg }) => msg === 'the price feed answers again')).toHaveLength(1)
  },
)

test('requests to an unavailable feed become less frequent', async () => {
  feed.behave((outgoing) => void outgoing.writeHead(503).end())
  for (let second = 0; second < 600; second += 1) {
    await marketOf(bank.deps, 'BTC')
    wait(1_000)
  }
  // The requests are 10, 20, 40 and then 60 seconds apart.
  expect(feed.requests.length).toBeGreaterThan(10)
  expect(feed.requests.length).toBeLessThan(15)
})

test('the token is not sent to the target of a redirect', async () => {
  const other = await openPriceFeed()
  feed.behave((outgoing) => void outgoing.writeHead(307, { location: other.url }).end())
  await expect(fetchPrices({ url: feed.url, token: 'secret', timeoutMs: 1_000 })).rejects.toThrow('fetch failed')
  expect(other.requests).toEqual([])
  await other.close()
})

test('a price a few seconds ahead is used by no trade before its time, and by all afterwards', async () => {
  feed.say([feedEntry('BTC', '64000')])
  await trade()
  wait()
  const ahead = new Date(clock.businessNow().getTime() + 9_000)
  feed.say([feedEntry('BTC', '65000', ahead)])
  expect((await trade()).priceMicros).toBe(64_000_000_000)
  expect(await stored()).toEqual(['BTC 64000000000'])
  // The feed's clock is always ahead, and its prices are accepted nevertheless.
  wait()
  feed.say([feedEntry('BTC', '66000', new Date(clock.businessNow().getTime() + 9_000))])
  expect((await trade()).priceMicros).toBe(64_000_000_000)
  wait()
  expect((await trade()).priceMicros).toBe(65_000_000_000)
})

test.each([
  ['ten times the last', 'jump', () => feedEntry('BTC', '640000')],
  ['a tenth of the last', 'jump', () => feedEntry('BTC', '6400')],
  ['from the future', 'future', () => feedEntry('BTC', '64000', new Date(clock.businessNow().getTime() + HOUR_MS))],
] as const)('a price %s halts only its own market, until a plausible one arrives', async (_what, reason, bad) => {
  feed.say([feedEntry('BTC', '64000'), feedEntry('ETH', '3180')])
  await trade()
  wait()
  feed.say([bad(), feedEntry('ETH', '3181')])
  await paused()
  expect((await trade('ETH')).priceMicros).toBe(3_181_000_000)
  expect(await marketOf(bank.deps, 'BTC')).toMatchObject({ status: 'halted', price: { priceMicros: 64_000_000_000 } })
  expect(logged).toContainEqual(expect.objectContaining({ msg: 'a market is halted', asset: 'BTC', reason }))
  // Another server on the same database has the halt too, regardless of its own feed.
  const beside = await testDeps({ config: { mode: 'live' }, clock, beside: bank })
  expect((await marketOf(beside.deps, 'BTC')).status).toBe('halted')
  await beside.close()
  // The market counts as late after a quarter of an hour.
  expect(await lateParts(bank.deps)).not.toContain('prices that are old or implausible')
  wait(16 * 60_000)
  feed.say([bad(), feedEntry('ETH', '3181')])
  expect(await lateParts(bank.deps)).toContain('prices that are old or implausible')
  wait()
  feed.say([feedEntry('BTC', '64100'), feedEntry('ETH', '3180')])
  expect((await trade()).priceMicros).toBe(64_100_000_000)
  expect(await lateParts(bank.deps)).not.toContain('prices that are old or implausible')
  expect(await stored()).not.toContain('BTC 640000000000')
})

test('a wrong price in small steps is halted by the oldest price of the day, and not accepted hours later', async () => {
  let dollars = 64_000
  feed.say([feedEntry('BTC', String(dollars))])
  await trade()
  for (let step = 0; step < 6; step += 1) {
    wait()
    dollars = Math.round(dollars * 1.05)
    feed.say([feedEntry('BTC', String(dollars))])
    expect((await trade()).priceMicros).toBe(dollars * 1_000_000)
  }
  wait()
  feed.say([feedEntry('BTC', String(Math.round(dollars * 1.05)))])
  await paused()
  for (let hour = 0; hour < 30; hour += 1) {
    wait(HOUR_MS)
    feed.say([feedEntry('BTC', String(Math.round(dollars * 1.05)))])
    await paused()
  }
  wait()
  feed.say([feedEntry('BTC', String(dollars))])
  expect((await trade()).priceMicros).toBe(dollars * 1_000_000)
})

test('a feed that goes back in time is not used', async () => {
  feed.say([feedEntry('BTC', '64000')])
  await trade()
  wait()
  feed.say([feedEntry('BTC', '63000', new Date(START.getTime() - 1_000))])
  expect((await trade()).priceMicros).toBe(64_000_000_000)
  expect(await stored()).toEqual(['BTC 64000000000'])
})

/** Marks the database with a mode. Its template belongs to a sample bank. */
const recordAs = (mode: 'sample' | 'live') =>
  runAsOwner(bank.database.ownerUrl, 'UPDATE bank.database SET mode = $1', [mode])

/** Runs the command like `npm run prices -- ...`. */
function pricesCommand(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const live = { BANK_MODE: 'live', PUBLIC_URL: 'http://localhost:3000', SMTP_URL: 'smtp://mail.example' }
  const deps = { DATABASE_URL: bank.database.ownerUrl, BANK_SECRET: testContext('secret'), PATH: process.env['PATH'] }
  const { promise, resolve } = Promise.withResolvers<{ code: number; out: string; err: string }>()
  const options = { env: { ...deps, ...live, ...env } }
  const child = execFile(process.execPath, ['server/cli/prices.ts', ...args], options, (_error, out, err) =>
    resolve({ code: child.exitCode ?? -1, out: out.trim(), err: err.trim() }),
  )
  return promise
}

test('an operator lists the prices, and accepts a new level', async () => {
  await recordAs('live')
  feed.say([feedEntry('BTC', '64000')])
  await trade()
  wait()
  feed.say([feedEntry('BTC', '6400.25')])
  await paused()
  const listed = await pricesCommand([])
  expect(listed.out).toMatch(/^BTC +64000\.000000 {2}2026-03-05T12:00:00\.000Z$/m)
  expect(listed.out).toMatch(/halted since 2026-03-05T12:00:06.000Z \(jump\): BTC +6400\.250000/)
  expect(listed.out).toMatch(/^LTC +no price yet$/m)
  expect(listed.code).toBe(1)
  expect(await pricesCommand(['resume', 'ETH'])).toMatchObject({ code: 1, out: 'ETH is not halted.' })
  expect(await pricesCommand(['resume', 'GOLD'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('npm run prices'),
  })
  await paused()
  const resumed = await pricesCommand(['resume', 'BTC'])
  expect(resumed.out).toMatch(/^Believed: BTC +6400\.250000/)
  expect(resumed.code).toBe(0)
  wait()
  feed.say([feedEntry('BTC', '6401')])
  expect((await trade()).priceMicros).toBe(6_401_000_000)
  expect((await pricesCommand([])).code).toBe(0)
})

test('a sample bank lists its generated prices', async () => {
  await recordAs('sample')
  const { out, code } = await pricesCommand([], { BANK_MODE: 'sample' })
  expect(out.split('\n')).toHaveLength(6)
  expect(code).toBe(0)
  expect((await pricesCommand(['resume', 'BTC'], { BANK_MODE: 'sample' })).code).toBe(1)
})

test('a live bank without a feed has no price, not even its last one', async () => {
  feed.say([feedEntry('BTC', '64000'), feedEntry('FUND_BALANCED', '18')])
  await trade()
  const beside = await testDeps({ config: { mode: 'live' }, clock, beside: bank })
  for (const asset of ['BTC', 'FUND_BALANCED', 'LTC'] as const) {
    await expect(tradingPrice(beside.deps, asset)).rejects.toMatchObject({ code: 'trading_paused' })
    await expect(priceAfter(beside.deps, asset, START)).rejects.toMatchObject({ code: 'trading_paused' })
  }
  expect(await marketOf(beside.deps, 'BTC')).toMatchObject({ status: 'stale', price: { priceMicros: 64_000_000_000 } })
  expect(await lateParts(beside.deps)).not.toContain('prices that are old or implausible')
  await beside.close()
})

test('an order is filled at the first price after it, and a chart shows the accepted prices', async () => {
  const at = (hour: number): Date => new Date(START.getTime() + hour * HOUR_MS)
  for (const hour of [0, 1, 2]) {
    clock.set(at(hour))
    feed.say([feedEntry('FUND_BALANCED', `18.${hour}`)])
    await trade('FUND_BALANCED')
  }
  expect(await priceAfter(bank.deps, 'FUND_BALANCED', at(0))).toMatchObject({ priceMicros: 18_100_000, at: at(1) })
  expect(await priceAfter(bank.deps, 'FUND_BALANCED', at(1.5))).toMatchObject({ priceMicros: 18_200_000, at: at(2) })
  expect(await priceAfter(bank.deps, 'FUND_BALANCED', at(2))).toBeNull()
  const moments = [at(5), at(0), at(1.9), new Date(START.getTime() - 1)]
  const prices = await pricesAt(bank.deps, 'FUND_BALANCED', moments)
  expect(prices.map((price) => price?.priceMicros ?? null)).toEqual([18_200_000, 18_000_000, 18_100_000, null])
})

test('old prices are thinned to one an hour, and later to one a day', async () => {
  const values = Array.from({ length: 4 * 24 * 4 }, (_, quarter) => ({
    asset: 'BTC' as const,
    at: new Date(START.getTime() + quarter * 15 * 60_000),
    price_micros: 1 + quarter,
  }))
  await bank.deps.db.insertInto('bank.price').values(values).execute()
  clock.set(new Date(START.getTime() + 4 * DAY_MS))
  await thinPricesJob.work(bank.deps)
  expect(await stored()).toHaveLength(2 * 24 + 2 * 24 * 4)
  await thinPricesJob.work(bank.deps)
  expect(await stored()).toHaveLength(2 * 24 + 2 * 24 * 4)
  clock.set(new Date(START.getTime() + 100 * DAY_MS))
  await thinPricesJob.work(bank.deps)
  // The range is from noon on the first day to noon on the fifth.
  expect((await stored()).length).toBe(5)
})
