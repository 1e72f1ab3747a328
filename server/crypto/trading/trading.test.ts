import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CryptoOverview, Trade } from '#contract/crypto.ts'
import type { Coin } from '#contract/markets.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { policyFor } from '#server/bank/policy.ts'
import { runOn } from '#server/platform/db/run.ts'
import { purgeQuotesJob } from '#server/crypto/trading/quotes.ts'
import { testClock } from '#server/test/bank.ts'
import { askQuote, type FakeMarket, fakeMarket, quoteFor, sendTrade, makeTrade } from '#server/test/fake-market.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
let real = START
const clock = { ...testClock(START), realNow: () => real }
/** Sets both clocks to a time after the start, in milliseconds. */
function advanceClock(ms: number): void {
  real = new Date(START.getTime() + ms)
  clock.set(real)
}
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
  advanceClock(0)
  server.deps.policy.unverifiedLimits = null
  market = fakeMarket(server.deps)
  market.at('BTC', 100_000)
  market.at('ETH', 4_000)
  market.at('LTC', 100)
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  await ann.fund(10_000_00)
})

const buy = { side: 'buy', asset: 'BTC', amountMinor: 1_000_00, amountAsset: 'USD' } as const
const sellAll = (asset: Coin = 'BTC') => ({ side: 'sell', asset, amountMinor: null, amountAsset: asset }) as const

const overview = async (person = ann) => (await (await person.browser.get('/api/v1/crypto')).json()) as CryptoOverview
const holding = async (asset: Coin = 'BTC', person = ann) =>
  (await overview(person)).holdings.find((one) => one.asset === asset)
const tradesOf = async (person = ann, query = '') =>
  (await (await person.browser.get(`/api/v1/crypto/trades${query}`)).json()) as { trades: Trade[]; nextCursor: string }

/** Checks that `work` books nothing and stores no trade. */
async function unchanged(work: () => Promise<void>): Promise<void> {
  const before = [await auditTestBooks(server), (await tradesOf()).trades]
  await work()
  expect([await auditTestBooks(server), (await tradesOf()).trades]).toEqual(before)
}

describe('buying', () => {
  test('an amount of dollars shows the fee and the spread, and moves coins and money in one operation', async () => {
    const quote = await quoteFor(ann, buy)
    // The fee is 1% of 1,000.00. At 100,000 plus half a percent, 990.00 buys 0.00985074 BTC, rounded down.
    expect(quote).toMatchObject({
      side: 'buy',
      asset: 'BTC',
      marketMicros: 100_000_000_000,
      priceMicros: 100_500_000_000,
      dollarsMinor: 1_000_00,
      feeMinor: 10_00,
      amountMinor: 985_074,
      seconds: 15,
      expiresAt: '2026-08-28T09:41:15.000Z',
    })
    const answer = await sendTrade(ann, quote.id)
    const { trade } = (await answer.json()) as { trade: Trade }
    expect(trade).toMatchObject({ kind: 'quote', amountMinor: 985_074, dollarsMinor: 1_000_00, feeMinor: 10_00 })
    expect(await ann.balanceMinor()).toBe(9_000_00)
    expect(await holding()).toMatchObject({
      amountMinor: 985_074,
      heldMinor: 0,
      valueMinor: 985_07,
      costMinor: 1_000_00,
    })
    const lines = await ann.transactions('?limit=2')
    expect(lines.map(({ name, amountMinor, category }) => ({ name, amountMinor, category }))).toEqual(
      expect.arrayContaining([
        { name: lineNamed('Bitcoin'), amountMinor: -990_00, category: 'crypto' },
        { name: { code: 'crypto.fee', params: {} }, amountMinor: -10_00, category: 'crypto' },
      ]),
    )
    expect((await tradesOf()).trades).toEqual([trade])
  })

  test('an amount of coins costs its price, rounded up, plus the fee', async () => {
    const quote = await quoteFor(ann, { ...buy, amountMinor: 1_000_001, amountAsset: 'BTC' })
    // 0.01000001 BTC at 100,500 is 1,005.001005; with the fee it is 1,015.1617...
    expect(quote).toMatchObject({ amountMinor: 1_000_001, dollarsMinor: 1_015_17, feeMinor: 10_16 })
  })
})

describe('selling', () => {
  test('all coins pays their price minus spread and fee, and realizes the loss', async () => {
    await makeTrade(ann, buy)
    const trade = await makeTrade(ann, sellAll())
    // 0.00985074 BTC at 99,500 is 980.14863; the fee is 9.81.
    expect(trade).toMatchObject({ side: 'sell', amountMinor: 985_074, dollarsMinor: 970_33, feeMinor: 9_81 })
    expect(await ann.balanceMinor()).toBe(9_970_33)
    expect(await holding()).toMatchObject({
      amountMinor: 0,
      costMinor: 0,
      averageCostMicros: null,
      realisedMinor: -29_67,
    })
  })

  test('an amount of dollars sells the fewest coins that cover it', async () => {
    await makeTrade(ann, buy)
    const quote = await quoteFor(ann, { side: 'sell', asset: 'BTC', amountMinor: 100_00, amountAsset: 'USD' })
    expect(quote).toMatchObject({ dollarsMinor: 99_00, feeMinor: 1_00, amountMinor: 100_503 })
  })
})

describe('a quote', () => {
  test('is honored while the market moves', async () => {
    const quote = await quoteFor(ann, buy)
    market.at('BTC', 200_000)
    advanceClock(14_999)
    const answer = await sendTrade(ann, quote.id)
    expect(((await answer.json()) as { trade: Trade }).trade).toMatchObject({ amountMinor: quote.amountMinor })
  })

  test.each([
    ['after 15 seconds, at a price that has moved', () => advanceClock(15_000)],
    ['after the date was moved forward', () => clock.set(new Date(START.getTime() + 86_400_000))],
  ])('is refused %s', async (_when, pass) => {
    const quote = await quoteFor(ann, buy)
    pass()
    market.at('BTC', 101_000)
    await unchanged(async () => expectRefusal(await sendTrade(ann, quote.id), 'quote_expired'))
  })

  test('is used once by simultaneous requests', async () => {
    const quote = await quoteFor(ann, buy)
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendTrade(ann, quote.id, randomUUID())))
    const codes = await Promise.all(answers.map(async (answer) => ((await answer.json()) as Coded).error?.code ?? 'ok'))
    expect(codes.toSorted()).toEqual(['ok', ...Array<string>(7).fill('quote_used')])
    expect((await tradesOf()).trades).toHaveLength(1)
    expect(await ann.balanceMinor()).toBe(9_000_00)
  })

  test('returns the same response to a repeated request, also after it has expired', async () => {
    const quote = await quoteFor(ann, buy)
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendTrade(ann, quote.id, key)))
    advanceClock(60_000)
    answers.push(await sendTrade(ann, quote.id, key))
    const trades = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { trade: Trade }).trade))
    expect(trades).toEqual(Array.from({ length: 9 }, () => trades[0]))
    expect((await tradesOf()).trades).toHaveLength(1)
  })

  test('belongs to its customer only', async () => {
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    await bob.fund(10_000_00)
    const quote = await quoteFor(ann, buy)
    await unchanged(async () => {
      for (const id of [quote.id, randomUUID(), 'x']) await expectRefusal(await sendTrade(bob, id), 'not_found')
    })
  })

  test('is refused after the market is paused', async () => {
    const quote = await quoteFor(ann, buy)
    market.become('BTC', 'halted')
    await unchanged(async () => {
      await expectRefusal(await sendTrade(ann, quote.id), 'trading_paused')
      await expectRefusal(await askQuote(ann, buy), 'trading_paused')
    })
    market.become('BTC', 'stale')
    await unchanged(async () => expectRefusal(await sendTrade(ann, quote.id), 'trading_paused'))
    expect((await holding())?.market).toBe('stale')
  })

  test('is deleted an hour after it has ended', async () => {
    const quote = await quoteFor(ann, buy)
    advanceClock(30 * 60_000)
    await purgeQuotesJob.run(server.deps, {})
    await expectRefusal(await sendTrade(ann, quote.id), 'quote_expired')
    advanceClock(62 * 60_000)
    await purgeQuotesJob.run(server.deps, {})
    await expectRefusal(await sendTrade(ann, quote.id), 'not_found')
  })
})

type Coded = { error?: { code: string } }

describe('a trade is refused', () => {
  const invalidRequests = [
    ['more money than available', { ...buy, amountMinor: 10_000_01 }, 'insufficient_funds', 'amountMinor'],
    ['zero', { ...buy, amountMinor: 0 }, 'amount_invalid', 'amountMinor'],
    ['a negative amount', { ...buy, amountMinor: -1 }, 'amount_invalid', 'amountMinor'],
    ['half a cent', { ...buy, amountMinor: 0.5 }, 'amount_invalid', 'amountMinor'],
    ['less than a dollar', { ...buy, amountMinor: 99 }, 'amount_too_small', 'amountMinor'],
    ['one satoshi', { ...buy, amountMinor: 1, amountAsset: 'BTC' }, 'amount_too_small', 'amountMinor'],
    ['all without a coin', { ...buy, amountMinor: null }, 'amount_invalid', 'amountMinor'],
    ['a purchase of everything', { ...buy, amountMinor: null, amountAsset: 'BTC' }, 'amount_invalid', 'amountMinor'],
    ['another coin’s amount', { ...buy, amountAsset: 'ETH' }, 'asset_mismatch', 'amountAsset'],
    [
      'more coins than available',
      { ...buy, side: 'sell', amountAsset: 'BTC', amountMinor: 1 },
      'coins_short',
      'amountMinor',
    ],
    [
      'everything without coins',
      { ...buy, side: 'sell', amountAsset: 'BTC', amountMinor: null },
      'coins_short',
      'amountMinor',
    ],
  ] as const

  test.each(invalidRequests)('for %s', async (_what, body, code, field) =>
    unchanged(async () => expectRefusal(await askQuote(ann, body), code, field)),
  )

  test.each([
    { ...buy, asset: 'DOGE' },
    { ...buy, asset: 'FUND_BALANCED' },
    { ...buy, side: 'swap' },
    { ...buy, more: 1 },
    { ...buy, amountAsset: 'EUR' },
    {},
  ])('for the invalid input %j', async (body) =>
    unchanged(async () => expect((await askQuote(ann, body as never)).status).toBe(400)),
  )

  test('for more than the maximum amount of money', async () =>
    unchanged(async () => {
      for (const amountAsset of ['USD', 'BTC']) {
        const answer = await askQuote(ann, {
          ...buy,
          asset: 'LTC',
          amountMinor: Number.MAX_SAFE_INTEGER,
          amountAsset: amountAsset === 'USD' ? 'USD' : 'LTC',
        })
        expect(['amount_too_large', 'insufficient_funds']).toContain(((await answer.json()) as Coded).error?.code)
      }
    }))

  test('for dust, which sells for less than a cent after its fee', async () => {
    await makeTrade(ann, { ...buy, asset: 'LTC' })
    await unchanged(async () => {
      // 0.00010000 LTC is worth one cent, less the spread.
      for (const amountMinor of [1, 9_999, 10_050, 20_000])
        await expectRefusal(
          await askQuote(ann, { side: 'sell', asset: 'LTC', amountMinor, amountAsset: 'LTC' }),
          'amount_too_small',
          'amountMinor',
        )
    })
    const trade = await makeTrade(ann, { side: 'sell', asset: 'LTC', amountMinor: 20_101, amountAsset: 'LTC' })
    expect(trade).toMatchObject({ dollarsMinor: 1, feeMinor: 1 })
  })

  test('for money that is gone when the quote is used', async () => {
    const [first, second] = [
      await quoteFor(ann, { ...buy, amountMinor: 6_000_00 }),
      await quoteFor(ann, { ...buy, amountMinor: 6_000_00 }),
    ]
    expect((await sendTrade(ann, first.id)).status).toBe(200)
    await unchanged(async () => expectRefusal(await sendTrade(ann, second.id), 'insufficient_funds'))
  })

  test('for the same coins twice at the same moment', async () => {
    await makeTrade(ann, buy)
    const quotes = await Promise.all(Array.from({ length: 8 }, () => quoteFor(ann, sellAll())))
    const answers = await Promise.all(quotes.map(({ id }) => sendTrade(ann, id)))
    const codes = await Promise.all(answers.map(async (answer) => ((await answer.json()) as Coded).error?.code ?? 'ok'))
    expect(codes.toSorted()).toEqual([...Array<string>(7).fill('coins_short'), 'ok'])
    expect((await holding())?.amountMinor).toBe(0)
    await auditTestBooks(server)
  })

  test('for more than the maximum per trade, and more than the maximum per customer', async () => {
    await ann.fund(90_000_000_00)
    await unchanged(async () =>
      expectRefusal(await askQuote(ann, { ...buy, amountMinor: 1_000_000_01 }), 'amount_too_large', 'amountMinor'),
    )
    market.at('BTC', 50_000)
    const quote = await quoteFor(ann, { ...buy, amountMinor: 11_00000000, amountAsset: 'BTC' })
    await unchanged(async () => expectRefusal(await sendTrade(ann, quote.id), 'balance_limit_reached'))
  })

  test('without a verified identity, if the bank requires it', async () => {
    server.deps.policy.unverifiedLimits = policyFor({ mode: 'live' }).unverifiedLimits
    await unchanged(async () => expectRefusal(await askQuote(ann, buy), 'verification_required'))
    expect(await overview()).toMatchObject({ mustVerify: true })
  })
})

describe('figures', () => {
  test('three coins are listed from the start, in their order, with the change of a day', async () => {
    expect((await overview()).holdings.map(({ asset }) => asset)).toEqual(['BTC', 'ETH', 'LTC'])
    clock.set(new Date(START.getTime() + 86_400_000))
    market.at('BTC', 101_000)
    market.at('ETH', 3_900)
    market.at('LTC', 100)
    const next = await server.person({ fullName: 'Eve Next', email: `eve${round}@example.com` })
    const { holdings, totalMinor } = await overview(next)
    expect(holdings.map(({ changeBps }) => changeBps)).toEqual([100, -250, 0])
    expect(totalMinor).toBe(0)
  })

  test('the total is the sum of the values, and the profit is the price change', async () => {
    await makeTrade(ann, { ...buy, asset: 'LTC' })
    await makeTrade(ann, { ...buy, asset: 'ETH' })
    market.at('LTC', 200)
    const { holdings, totalMinor, unrealisedMinor } = await overview()
    expect(totalMinor).toBe(holdings.reduce((sum, { valueMinor }) => sum + (valueMinor ?? 0), 0))
    const ltc = holdings.find(({ asset }) => asset === 'LTC')
    // 990.00 dollars at 100.50 buy 9.85074626 LTC.
    expect(ltc).toMatchObject({ amountMinor: 985_074_626, valueMinor: 1_970_14, unrealisedMinor: 970_14 })
    expect(unrealisedMinor).toBe(holdings.reduce((sum, one) => sum + (one.unrealisedMinor ?? 0), 0))
  })

  test('trades have pages, visible to their owner only', async () => {
    const tradeIds: string[] = []
    for (let number = 0; number < 3; number += 1) tradeIds.unshift((await makeTrade(ann, buy)).id)
    const first = await tradesOf(ann, '?limit=2')
    const second = await tradesOf(ann, `?limit=2&cursor=${first.nextCursor}`)
    expect([...first.trades, ...second.trades].map(({ id }) => id)).toEqual(tradeIds)
    expect(second.nextCursor).toBeNull()
    const litecoin = await makeTrade(ann, { ...buy, asset: 'LTC' })
    expect((await tradesOf(ann, '?asset=LTC')).trades.map(({ id }) => id)).toEqual([litecoin.id])
    expect((await tradesOf(ann, '?asset=ETH')).trades).toEqual([])
    await expectRefusal(await ann.browser.get('/api/v1/crypto/trades?asset=DOGE'), 'request_invalid', 'asset')
    const bob = await server.person({ fullName: 'Bob May', email: `pages${round}@example.com` })
    for (const cursor of ['x', randomUUID(), tradeIds[0]])
      await expectRefusal(await bob.browser.get(`/api/v1/crypto/trades?cursor=${cursor}`), 'cursor_invalid', 'cursor')
  })

  test('the value over time follows the holdings and their cost', async () => {
    const history = async (range: string) =>
      (await (await ann.browser.get(`/api/v1/crypto/history?range=${range}`)).json()) as {
        points: { valueMinor: number }[]
      }
    expect((await history('week')).points).toEqual([])
    await makeTrade(ann, { ...buy, asset: 'LTC' })
    clock.set(new Date(START.getTime() + 60 * 60_000))
    market.at('LTC', 300)
    const { points } = await history('day')
    expect(points).toHaveLength(91)
    expect(points[0]?.valueMinor).toBe(0)
    // The first value is just before the end of the hour, the second at its end.
    expect(points.at(-2)?.valueMinor).toBe(985_07)
    expect(points.at(-1)?.valueMinor).toBe(2_955_22)
    expect((await history('all')).points[0]?.valueMinor).toBe(985_07)
    expect((await ann.browser.get('/api/v1/crypto/history?range=century')).status).toBe(400)
  })
})

test('a customer with coins cannot close their account', async () => {
  await makeTrade(ann, buy)
  const current = ann.customer.currentAccountId
  await expectRefusal(await ann.browser.post('/api/v1/profile/closure', {}), 'coins_left')
  await makeTrade(ann, sellAll())
  await server.deps.ledger.post({
    id: randomUUID(),
    kind: 'test',
    fingerprint: 'out',
    bookedAt: clock.businessNow(),
    legs: [{ kind: 'transfer', debit: current, credit: 105, amountMinor: await ann.balanceMinor() }],
  })
  expect((await ann.browser.post('/api/v1/profile/closure', {})).status).toBe(204)
  const accounts = await accountsOf(runOn(server.deps.pool), ann.customer.id)
  expect(accounts.filter(({ asset }) => asset !== 'POINTS').map(({ status }) => status)).not.toContain('open')
})

test('the download of a customer’s data has their trades', async () => {
  const { id } = await makeTrade(ann, buy)
  const data = (await (await ann.browser.get('/api/v1/profile/export')).json()) as { cryptoTrades: Trade[] }
  expect(data.cryptoTrades).toMatchObject([{ id, side: 'buy' }])
})
