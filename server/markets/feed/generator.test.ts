import { DAY_MS, HOUR_MS } from '#server/platform/durations.ts'
import { expect, test } from 'vitest'
import { COINS, FUNDS, PRICED, type Priced } from '#contract/markets.ts'
import { judgePrice } from '#server/markets/feed/guard.ts'
import { GENERATED, generatedPrice, TICK_MS } from '#server/markets/feed/generator.ts'

const NOW = Date.parse('2026-08-28T09:41:00Z')

const priceAt = (asset: Priced, ms: number): number => generatedPrice(asset, new Date(ms))
const change = (asset: Priced, fromMs: number, untilMs: number): number =>
  Math.log(priceAt(asset, untilMs) / priceAt(asset, fromMs))

test('a price is always the same, to the millionth, for any earlier requests', () => {
  const requestedTicks = (): number[] =>
    PRICED.flatMap((asset) => [0, 1, 77, 4_000].map((days) => priceAt(asset, NOW + days * DAY_MS)))
  const first = requestedTicks()
  priceAt('BTC', NOW - 3 * DAY_MS)
  expect(requestedTicks()).toEqual(first)
  expect(first.every(Number.isSafeInteger)).toBe(true)
  // The prices are the same on every machine and in every version, because customers' histories depend on them.
  expect(COINS.map((coin) => priceAt(coin, NOW + DAY_MS))).toMatchInlineSnapshot(`
    [
      85153896018,
      3368284811,
      92842593,
    ]
  `)
})

test('within a tick the price is constant, and prices exist from the first moment to the last', () => {
  expect(priceAt('BTC', NOW + TICK_MS - 1)).toBe(priceAt('BTC', NOW))
  expect(priceAt('BTC', NOW + TICK_MS)).not.toBe(priceAt('BTC', NOW))
  for (const asset of PRICED) {
    expect(generatedPrice(asset, GENERATED.from)).toBeGreaterThan(0)
    expect(generatedPrice(asset, GENERATED.until)).toBeGreaterThan(0)
  }
  expect(GENERATED.until.getTime()).toBeGreaterThan(Date.parse('2037-01-01T00:00:00Z'))
  expect(() => generatedPrice('BTC', new Date(GENERATED.from.getTime() - 1))).toThrow(RangeError)
  expect(() => generatedPrice('BTC', new Date(GENERATED.until.getTime() + TICK_MS))).toThrow(RangeError)
})

test('prices are plausible on the sample day', () => {
  const dollars = (asset: Priced): number => priceAt(asset, NOW) / 1e6
  expect(dollars('BTC')).toBeGreaterThan(60_000)
  expect(dollars('BTC')).toBeLessThan(110_000)
  expect(dollars('ETH')).toBeGreaterThan(2_000)
  expect(dollars('ETH')).toBeLessThan(5_000)
  expect(dollars('LTC')).toBeGreaterThan(60)
  expect(dollars('LTC')).toBeLessThan(150)
  for (const fund of FUNDS) {
    expect(dollars(fund)).toBeGreaterThan(10)
    expect(dollars(fund)).toBeLessThan(30)
  }
})

test('over 24 hours exactly one coin has fallen, on the sample day and the two days after', () => {
  for (let ms = NOW; ms <= NOW + 2 * DAY_MS; ms += 5 * 60_000) {
    const fallen = COINS.filter((coin) => change(coin, ms - DAY_MS, ms) < 0)
    expect(fallen, new Date(ms).toISOString()).toEqual(['LTC'])
  }
})

test.each(FUNDS)('%s has risen over the month before the sample day', (fund) => {
  expect(change(fund, NOW - 30 * DAY_MS, NOW)).toBeGreaterThan(0.002)
})

const TERMS = {
  FUND_CONSERVATIVE: { yearly: [0.05, 0.07], risk: 0.035 },
  FUND_BALANCED: { yearly: [0.08, 0.12], risk: 0.085 },
  FUND_AGGRESSIVE: { yearly: [0.15, 0.2], risk: 0.16 },
  BTC: { yearly: [0, 0.2], risk: 0.45 },
  ETH: { yearly: [0, 0.2], risk: 0.55 },
  LTC: { yearly: [0, 0.2], risk: 0.6 },
} as const

test.each(PRICED)('%s grows and varies according to its terms', (asset) => {
  const { yearly, risk } = TERMS[asset]
  // The walk ends where it began, so the change over the whole range is the drift.
  const years = (GENERATED.until.getTime() - GENERATED.from.getTime()) / (365.25 * DAY_MS)
  const growth = Math.exp(change(asset, GENERATED.from.getTime(), GENERATED.until.getTime()) / years) - 1
  expect(growth).toBeGreaterThan(yearly[0])
  expect(growth).toBeLessThan(yearly[1])
  for (const [stepMs, steps] of [
    [DAY_MS, 2_000],
    [HOUR_MS, 2_000],
    [60_000, 2_000],
  ] as const) {
    const moves = Array.from({ length: steps }, (_, step) =>
      change(asset, NOW + step * stepMs, NOW + (step + 1) * stepMs),
    )
    const mean = moves.reduce((sum, move) => sum + move, 0) / steps
    const deviation = Math.sqrt(moves.reduce((sum, move) => sum + (move - mean) ** 2, 0) / steps)
    const expected = risk * Math.sqrt(stepMs / (365.25 * DAY_MS))
    expect(deviation / expected, `${stepMs} ms`).toBeGreaterThan(0.85)
    expect(deviation / expected, `${stepMs} ms`).toBeLessThan(1.15)
  }
})

test('prices stay in a realistic range as long as a sample bank runs', () => {
  for (const asset of PRICED) {
    for (let ms = Date.parse('2025-12-01T00:00:00Z'); ms < Date.parse('2036-09-01T00:00:00Z'); ms += 7 * DAY_MS) {
      const ratio = priceAt(asset, ms) / priceAt(asset, NOW)
      expect(ratio).toBeGreaterThan(0.3)
      expect(ratio).toBeLessThan(10)
    }
  }
})

test('the guard of published prices accepts every generated price', () => {
  for (const asset of PRICED) {
    for (const stepMs of [TICK_MS, HOUR_MS, DAY_MS]) {
      for (let step = 0; step < 4; step += 1) {
        const [from, until] = [new Date(NOW + step * stepMs), new Date(NOW + (step + 1) * stepMs)]
        const last = { asset, priceMicros: generatedPrice(asset, from), at: from }
        const next = { asset, priceMicros: generatedPrice(asset, until), at: until }
        expect(judgePrice(next, { last, reference: last, haltedSince: null }, until)).toBe('accepted')
      }
    }
  }
})
