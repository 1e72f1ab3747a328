import fc from 'fast-check'
import { expect, test } from 'vitest'
import { costOf, PRICED, proceedsOf, unitsFor } from '#contract/markets.ts'

const asset = fc.constantFrom(...PRICED)
const priceMicros = fc.integer({ min: 1, max: 1_000_000_000_000 })

test('a conversion is rounded so that the remainder stays with the bank', () => {
  // A third of a cent: bought for a whole one, sold for nothing.
  expect(costOf('BTC', 1, 333_333_333_333)).toBe(1)
  expect(proceedsOf('BTC', 1, 333_333_333_333)).toBe(0)
  expect(unitsFor('FUND_BALANCED', 100_00, 12_340_000)).toBe(8_103_727)
})

test('nobody makes anything by going back and forth', () => {
  fc.assert(
    fc.property(asset, priceMicros, fc.integer({ min: 1, max: 1_000_000_00 }), (one, price, cents) => {
      const units = boughtFor(one, cents, price)
      if (units === null) return
      expect(proceedsOf(one, units, price)).toBeLessThanOrEqual(cents)
      expect(costOf(one, units, price)).toBeLessThanOrEqual(cents)
      if (units > 0) expect(boughtFor(one, costOf(one, units, price), price)).toBeGreaterThanOrEqual(units)
    }),
  )
})

test('more than money can be is refused', () => {
  expect(() => proceedsOf('FUND_BALANCED', Number.MAX_SAFE_INTEGER, 1_000_000_000_000)).toThrow('amount_too_large')
  expect(() => unitsFor('BTC', 1_000_000_00, 1)).toThrow('amount_too_large')
})

/** Null where it would be more than an amount can be. */
function boughtFor(...args: Parameters<typeof unitsFor>): number | null {
  try {
    return unitsFor(...args)
  } catch {
    return null
  }
}
