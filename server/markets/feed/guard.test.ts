import { DAY_MS, HOUR_MS } from '#server/platform/durations.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgePrice } from '#server/markets/feed/guard.ts'
import type { Price } from '#server/markets/feed/port.ts'

const NOW = new Date('2027-03-05T12:00:00Z')
const ago = (ms: number): Date => new Date(NOW.getTime() - ms)

const bitcoin = (dollars: number, at: Date): Price => ({ asset: 'BTC', priceMicros: dollars * 1e6, at })
const fund = (dollars: number, at: Date): Price => ({ asset: 'FUND_BALANCED', priceMicros: dollars * 1e6, at })

const LAST = bitcoin(60_000, ago(10_000))

test.each([
  ['the first price', bitcoin(1, NOW), null, 'accepted'],
  ['a newer price', bitcoin(60_100, NOW), LAST, 'accepted'],
  ['a price ahead by the permitted clock difference', bitcoin(60_100, ago(-10_000)), LAST, 'early'],
  ['a price from the future', bitcoin(60_100, ago(-10_001)), LAST, 'future'],
  ['a first price from the far future', bitcoin(60_100, new Date('2099-01-01')), null, 'future'],
  ['the same price again', LAST, LAST, 'passed over'],
  ['another price for the same moment', bitcoin(60_001, LAST.at), LAST, 'passed over'],
  ['a price older than the last one', bitcoin(60_100, ago(11_000)), LAST, 'passed over'],
  ['a price recent enough for trading', bitcoin(60_100, ago(60_000)), null, 'accepted'],
  ['a price too old for trading', bitcoin(60_100, ago(60_001)), null, 'passed over'],
  ['a fund price after a long weekend', fund(18, ago(4 * DAY_MS + 6 * HOUR_MS)), null, 'accepted'],
  ['a fund price of last week', fund(18, ago(5 * DAY_MS + 1)), null, 'passed over'],
  ['a price a tenth higher', bitcoin(66_000, NOW), LAST, 'accepted'],
  ['a price a tenth lower', bitcoin(54_546, NOW), LAST, 'accepted'],
  ['a price more than a tenth higher', bitcoin(66_003, NOW), LAST, 'jump'],
  ['a price half as high again', bitcoin(90_000, NOW), LAST, 'jump'],
  ['a price ten times as high', bitcoin(600_000, NOW), LAST, 'jump'],
  ['a price of a tenth', bitcoin(6_000, NOW), LAST, 'jump'],
  ['a price of a millionth of a dollar', { ...bitcoin(1, NOW), priceMicros: 1 }, LAST, 'jump'],
  ['the largest possible price', { ...bitcoin(1, NOW), priceMicros: Number.MAX_SAFE_INTEGER }, LAST, 'jump'],
  ['a price half as high again, a day later', bitcoin(90_000, NOW), bitcoin(60_000, ago(DAY_MS)), 'accepted'],
  ['a price higher than that, a day later', bitcoin(90_001, NOW), bitcoin(60_000, ago(DAY_MS)), 'jump'],
  ['a price ten times as high, a year later', bitcoin(600_000, NOW), bitcoin(60_000, ago(365 * DAY_MS)), 'accepted'],
  ['a price higher than that, a year later', bitcoin(600_001, NOW), bitcoin(60_000, ago(365 * DAY_MS)), 'jump'],
  ['a fund price a quarter higher', fund(25, NOW), fund(20, ago(DAY_MS)), 'accepted'],
  ['a fund price more than a quarter higher', fund(26, NOW), fund(20, ago(DAY_MS)), 'jump'],
  ['a fund price more than a quarter higher, a year later', fund(26, NOW), fund(20, ago(365 * DAY_MS)), 'jump'],
  ['a fund price a fifth lower', fund(16, NOW), fund(20, ago(DAY_MS)), 'accepted'],
  ['a fund price more than a fifth lower', fund(15, NOW), fund(20, ago(DAY_MS)), 'jump'],
] as const)('the guard judges %s', (_what, price, last, judgment) => {
  expect(judgePrice(price, { last, reference: null, haltedSince: null }, NOW)).toBe(judgment)
})

/** Creates a guard that stores accepted prices, as the database does. */
function rememberingGuard() {
  const acceptedPrices: Price[] = []
  let haltedSince: Date | null = null
  return (price: Price, now: Date): string => {
    const from = (haltedSince ?? now).getTime() - DAY_MS
    const reference = acceptedPrices.find(({ at }) => at.getTime() >= from) ?? null
    const judgment = judgePrice(price, { last: acceptedPrices.at(-1) ?? null, reference, haltedSince }, now)
    if (judgment === 'accepted') {
      acceptedPrices.push(price)
      haltedSince = null
    } else if (judgment !== 'passed over') haltedSince ??= now
    return judgment
  }
}

/** Returns the judgments of a price that is multiplied by `times` every five seconds. */
function climbing(times: number, steps: number): string[] {
  const guard = rememberingGuard()
  guard(bitcoin(60_000, NOW), NOW)
  return Array.from({ length: steps }, (_, step) => {
    const now = new Date(NOW.getTime() + (step + 1) * 5_000)
    return guard({ ...bitcoin(1, now), priceMicros: Math.round(60_000e6 * times ** (step + 1)) }, now)
  })
}

test('a wrong price that grows by half every five seconds is halted at once', () => {
  expect(climbing(1.5, 20)).toEqual(Array(20).fill('jump'))
})

test('a wrong price that grows by a twentieth every five seconds is halted by the daily bound', () => {
  // 1.05 ** 6 is 1.34, and 1.05 ** 7 is 1.41.
  expect(climbing(1.05, 200)).toEqual([...Array<string>(6).fill('accepted'), ...Array<string>(194).fill('jump')])
})

test('a wrong price is not accepted over time, and the right price is accepted at once', () => {
  const guard = rememberingGuard()
  guard(bitcoin(60_000, NOW), NOW)
  for (let hour = 0; hour <= 24 * 30; hour += 6) {
    const now = new Date(NOW.getTime() + 5_000 + hour * HOUR_MS)
    expect(guard(bitcoin(180_000, now), now)).toBe('jump')
    expect(guard(bitcoin(67_000, now), now)).toBe('jump')
  }
  const later = new Date(NOW.getTime() + 31 * DAY_MS)
  expect(guard(bitcoin(65_000, later), later)).toBe('accepted')
})

test('for any published prices, the accepted price gets newer and never jumps', () => {
  const prices = fc.array(
    fc.record({
      laterMs: fc.integer({ min: -2 * HOUR_MS, max: 2 * DAY_MS }),
      priceMicros: fc.oneof(
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        fc.integer({ min: 50_000_000_000, max: 150_000_000_000 }),
      ),
      lateMs: fc.integer({ min: -20_000, max: 90_000 }),
    }),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(prices, (steps) => {
      let last: Price | null = null
      let now = NOW.getTime()
      for (const { laterMs, priceMicros, lateMs } of steps) {
        now += Math.max(0, laterMs)
        const price: Price = { asset: 'BTC', priceMicros, at: new Date(now - lateMs) }
        if (judgePrice(price, { last, reference: null, haltedSince: null }, new Date(now)) !== 'accepted') continue
        expect(price.at.getTime()).toBeLessThanOrEqual(now)
        expect(price.at.getTime()).toBeGreaterThanOrEqual(now - 60_000)
        if (last) {
          expect(price.at.getTime()).toBeGreaterThan(last.at.getTime())
          const days = (price.at.getTime() - last.at.getTime()) / DAY_MS
          const ratio = Math.max(price.priceMicros, last.priceMicros) / Math.min(price.priceMicros, last.priceMicros)
          expect(ratio).toBeLessThanOrEqual(Math.min(10, 1.1 + 0.4 * days) * (1 + 1e-9))
        }
        last = price
      }
    }),
  )
})
