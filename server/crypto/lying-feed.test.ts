import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ServerResponse } from 'node:http'
import { runOn } from '#server/platform/db/run.ts'
import { ordersJob } from '#server/crypto/orders/filling.ts'
import { sweepOrdersJob } from '#server/standing-orders/running.ts'
import { publishedFeed } from '#server/markets/feed/published.ts'
import { testClock } from '#server/test/bank.ts'
import { askQuote, quoteFor, sendTrade } from '#server/test/fake-market.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { openPriceFeed, type TestPriceFeed } from '#server/test/price-feed.ts'
import { runIfDue } from '#server/test/run-if-due.ts'

const START = new Date('2026-03-05T12:00:00Z')
const clock = testClock(START)
let server: PeopleServer
let feed: TestPriceFeed
let ann: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
  feed = await openPriceFeed()
})
afterAll(async () => {
  await feed.close()
  await server.close()
})

const feedPrice = (price: string, at: Date = clock.businessNow()) => [{ asset: 'BTC', price, at: at.toISOString() }]
const buy = { side: 'buy', asset: 'BTC', amountMinor: 100_00, amountAsset: 'USD' } as const

beforeEach(async () => {
  clock.set(START)
  for (const table of ['bank.price', 'bank.market_halt'] as const) await server.deps.db.deleteFrom(table).execute()
  await runOn(server.deps.pool)(`UPDATE bank.standing_order SET status = 'cancelled'`)
  server.deps.prices = publishedFeed(server.deps, { url: feed.url, token: null, timeoutMs: 250 })
  feed.say(feedPrice('90000'))
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  await ann.fund(10_000_00)
})

const hour = 60 * 60_000
const lies: [string, () => void][] = [
  ['nothing', () => feed.behave((outgoing: ServerResponse) => void outgoing.destroy())],
  ['no response', () => feed.behave(() => undefined)],
  ['a price of zero', () => feed.say(feedPrice('0'))],
  ['a negative price', () => feed.say(feedPrice('-90000'))],
  ['a thousandth of the price', () => feed.say(feedPrice('90'))],
  ['a thousand times the price', () => feed.say(feedPrice('90000000'))],
  ['a price of tomorrow', () => feed.say(feedPrice('90000', new Date(clock.businessNow().getTime() + 24 * hour)))],
  ['no JSON', () => feed.behave((outgoing: ServerResponse) => void outgoing.end('<html>'))],
]

test.each(lies)('a feed with %s causes no buy, sale or fill', async (_what, lie) => {
  const quote = await quoteFor(ann, buy)
  const order = { ...buy, limitMicros: 1_000_000_000_000, expiresInDays: null }
  expect((await ann.browser.post('/api/v1/crypto/orders', order)).status).toBe(200)
  const recurring = { asset: 'BTC', amountMinor: 50_00, amountAsset: 'USD', every: 'week', startsOn: '2026-03-05' }
  expect((await ann.browser.post('/api/v1/crypto/recurring', recurring)).status).toBe(200)
  const before = await auditTestBooks(server)
  // A quote is valid for 15 seconds. A price without a newer one is valid a while longer.
  clock.set(new Date(START.getTime() + 10_000))
  lie()
  await server.deps.prices.market('BTC')
  clock.set(new Date(START.getTime() + hour))
  lie()
  await expectRefusal(await sendTrade(ann, quote.id), 'trading_paused')
  await expectRefusal(await askQuote(ann, buy), 'trading_paused')
  await runIfDue(ordersJob, server.deps)
  await sweepOrdersJob.run(server.deps, {})
  expect(await auditTestBooks(server)).toEqual(before)
  // The screen still shows the last accepted price.
  const { holdings } = (await (await ann.browser.get('/api/v1/crypto')).json()) as {
    holdings: { market: string; priceMicros: number | null }[]
  }
  expect(holdings[0]?.market).not.toBe('open')
  expect(holdings[0]?.priceMicros).toBe(90_000_000_000)
})
